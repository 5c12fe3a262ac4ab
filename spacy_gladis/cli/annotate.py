"""The command ``spacy-gladis annotate``, which finds and resolves the acronyms in documents."""

import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import require
from . import documents
from .options import READING, Inputs, check_overwrite, check_writable, one_of, with_options

if TYPE_CHECKING:
    from ..documents.source import Source
    from ..output.writers import Writer

FORMATS = (
    *("table", "json", "jsonl", "csv", "tsv", "parquet", "html", "displacy", "docbin", "prodigy"),
    "label-studio",
)
BINARY = ("docbin", "parquet")
EXPANDED_FORMATS = ("text", "json", "jsonl")
EXPAND = ("first", "first-of-all", "all", "tooltip")
_BY_EXTENSION = {
    **{f".{format}": format for format in ("json", "jsonl", "csv", "tsv", "parquet", "html")},
    ".spacy": "docbin",
}
_EXPANDED_BY_EXTENSION = {
    ".json": "json",
    ".jsonl": "jsonl",
    **dict.fromkeys((".txt", ".md", ".rst", ".tex", ".html", ".htm", ".adoc"), "text"),
}

app = typer.Typer()


@app.command(epilog=documents.EXIT_CODES)
@with_options(READING)
def annotate(
    inputs: Inputs = None,
    format: Annotated[
        str | None,
        typer.Option(
            callback=one_of(dict.fromkeys(FORMATS + EXPANDED_FORMATS)),
            metavar="|".join(FORMATS),
            help="Output format. By default, the extension of --output selects it. Without "
            "--output, it is table on a terminal and jsonl otherwise.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            callback=check_writable,
            help="Write to this file instead of standard output. With --expand, pass a folder to "
            "write an expanded copy of each file, or a .docx file for the copy of a DOCX file.",
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="With --expand: replace copies that already exist.")
    ] = False,
    expand: Annotated[
        str | None,
        typer.Option(
            callback=one_of(EXPAND),
            metavar="|".join(EXPAND),
            help="Write the texts with long forms of acronyms: at the first mention in each "
            "document, at the first mention in all documents, at every mention, or as a tooltip "
            "at the first mention (HTML and Markdown only).",
        ),
    ] = None,
    expand_shorthand: Annotated[
        bool,
        typer.Option(
            "--expand-shorthand",
            help="With --expand: also expand shorthand, units, symbols and doses (w/, wks, BID).",
        ),
    ] = False,
    text: Annotated[
        bool,
        typer.Option(
            "--text", help="Include the texts in JSON records. Offsets then refer to these texts."
        ),
    ] = False,
    definitions_only: Annotated[
        bool,
        typer.Option(
            "--definitions-only",
            help="Resolve only acronyms that the texts define. No model runs.",
        ),
    ] = False,
    top_k: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of candidates to show for each acronym."),
    ] = None,
    review: Annotated[
        bool,
        typer.Option(
            "--review",
            help="Ask you to confirm or correct each answer. Replies go to the last --overlay.",
        ),
    ] = False,
    **reading: Any,
) -> None:
    """Find the acronyms in texts, and resolve them to their long forms.

    spacy-gladis annotate "58 yo male. PMH HTN, HLD, T2DM."

    spacy-gladis annotate reports/ --output reports.html

    spacy-gladis annotate reports/ --output reports.csv

    spacy-gladis annotate report.txt --expand first --output expanded.txt

    spacy-gladis annotate docs/ --expand first --output copies

    spacy-gladis annotate docs/ --review --overlay house.tsv
    """
    if review and definitions_only:
        raise typer.BadParameter(
            "--review needs the linker, which --definitions-only switches off. Pass only one of "
            "them."
        )
    if review:
        _review(inputs, top_k=top_k, **reading)
        return
    by_extension, formats = (
        (_EXPANDED_BY_EXTENSION, EXPANDED_FORMATS) if expand else (_BY_EXTENSION, FORMATS)
    )
    copies = bool(expand) and not format and _are_copied(inputs or [], output, by_extension)
    if output and output.is_dir() and not copies:
        raise typer.BadParameter(f"'{output}' is a folder. Pass the path of a file.")
    default = "text" if expand else "table" if sys.stdout.isatty() else "jsonl"
    chosen = format or documents.format_by_extension(
        None if copies else output, by_extension, default
    )
    if chosen not in formats:
        condition = f"With --expand {expand}" if expand else "Without --expand"
        raise typer.BadParameter(
            f"{condition}, the format must be one of {', '.join(formats)}, got '{chosen}'."
        )
    if expand_shorthand and expand in (None, "tooltip"):
        raise typer.BadParameter(
            "--expand-shorthand requires --expand with the mode first, first-of-all or all."
        )
    if text and (expand or chosen not in ("json", "jsonl")):
        raise typer.BadParameter(
            "--text requires the format json or jsonl, and it cannot be combined with --expand."
        )
    if chosen in BINARY and output is None and sys.stdout.isatty():
        raise typer.BadParameter(
            f"The format {chosen} is binary and cannot be shown. Pass a file with --output."
        )
    if chosen == "parquet":
        require("pyarrow", "dataframe")
    if word := documents.single_word(inputs):
        typer.echo(f"'{word}' is not a file or folder. It is read as a text.", err=True)
    problems = documents.new_problems()
    sources: dict[str, Source] = {}
    settings = {"top_k": top_k, "resolve": not definitions_only, **reading}
    if inputs and output and expand and copies:
        _write_copies(inputs, output, expand, overwrite, expand_shorthand, **settings)
        return
    annotated = documents.annotate_documents(inputs, problems, sources, output=output, **settings)
    write = _load_writer(chosen, expand, sources, text, expand_shorthand)
    with documents.open_output(output, problems) as stream:
        # The table writer escapes the text itself, as it prints colours.
        write(annotated, stream if chosen == "table" else documents.escape_on_terminal(stream))
    documents.finish(problems)


def _are_copied(inputs: list[str], output: Path | None, by_extension: dict[str, str]) -> bool:
    """Return whether expanded texts are written as copies of the files.

    This is the case if the output is a folder or a DOCX file. Otherwise, all texts are written to
    one output, whose extension is one of `by_extension`.
    """
    from ..documents.sources import are_several

    if output is None:
        return False
    if output.suffix.lower() == ".docx" and not output.is_dir():
        if [Path(path).suffix.lower() for path in inputs] != [".docx"]:
            raise typer.BadParameter(
                f"'{output}' can only be the copy of a single DOCX file. Pass a folder instead."
            )
        return True
    is_file = output.suffix.lower() in by_extension or output.exists()
    return are_several(inputs) and (output.is_dir() or not is_file)


def _review(inputs: list[str] | None, *, overlay: list[Path] | None, **reading: Any) -> None:
    from ..dictionary.user_entries import read_user_entries
    from ..output.review import LLM
    from .review import open_entries, review

    path = open_entries(overlay, inputs)
    problems = documents.new_problems()
    sources: dict[str, Source] = {}
    annotated = documents.annotate_documents(inputs, problems, sources, overlay=overlay, **reading)
    reviewed = {row.acronym for row in read_user_entries(overlay or ()) if row.source != LLM}
    review(annotated, sources, reviewed, path)
    documents.finish(problems)


def _load_writer(
    format: str, expand: str | None, sources: "dict[str, Source]", text: bool, shorthand: bool
) -> "Writer":
    if format == "table":
        from .tables import write_tables

        return write_tables
    from ..output.writers import writer_of

    return writer_of(format, expand, sources, text, shorthand=shorthand)


def _write_copies(
    inputs: list[str], output: Path, mode: str, overwrite: bool, shorthand: bool, **reading: Any
) -> None:
    """Write an expanded copy of each file whose format allows it, and count the other files.

    `output` is a folder for the copies, or the path of the copy of a single file.
    """
    from ..files import writing
    from ..output.expansion import expand_file, expander
    from ..problem import Problem

    copies = _copy_paths(inputs, output, mode, overwrite)
    expanded = expander(mode, expand_file, encoding=reading["encoding"], shorthand=shorthand)
    problems = documents.new_problems()
    sources: dict[str, Source] = {}
    extensions: dict[str, str] = {}  # by path of the file; empty if the file has a copy
    for name, doc in documents.annotate_documents(
        inputs, problems, sources, output=output, **reading
    ):
        source = sources.pop(name)
        path = Path(source.path)
        copy = copies.pop(source.path, None)  # None if the file is passed twice
        extensions.setdefault(source.path, "" if copy else path.suffix.lower() or name)
        if copy is None:
            continue
        try:
            content = expanded(source, doc)
            with writing(copy) as temporary:
                temporary.write_bytes(content)
        except (ValueError, OSError) as error:
            # lxml raises ValueError for characters that XML forbids.
            problems(Problem("not copied", name, None, str(error)))
    documents.print_counts("Not copied", Counter(filter(None, extensions.values())))
    documents.finish(problems)


def _copy_paths(inputs: list[str], output: Path, mode: str, overwrite: bool) -> dict[str, Path]:
    """Return a mapping from the path of each file to the path of its copy.

    If `output` is a folder, the relative paths in it are those of the files in the common folder of
    the inputs.

    Raises:
        typer.BadParameter: If a copy would be inside the input or replace an existing file.
    """
    from ..documents.sources import are_several, files_of, is_read_once, is_text
    from ..output.expansion import TOOLTIPS
    from ..output.markup import EDITABLE

    files = files_of(inputs, TOOLTIPS if mode == "tooltip" else (*EDITABLE, "docx"))
    is_folder = output.is_dir() or are_several(inputs)
    if mode == "tooltip" and not is_folder:
        raise typer.BadParameter(
            "--expand tooltip is for HTML and Markdown, not for DOCX. Choose another mode."
        )
    paths = [Path(name).absolute() for name in inputs if not (is_text(name) or is_read_once(name))]
    folders = [os.path.normpath(path if path.is_dir() else path.parent) for path in paths]
    common = os.path.commonpath(folders or ["."])
    input_paths = {path.resolve() for path in (*paths, *files)}
    copies = {}
    for path in files:
        copy = output / os.path.relpath(path, common) if is_folder else output
        resolved = copy.resolve()
        if not input_paths.isdisjoint([resolved, *resolved.parents]):
            raise typer.BadParameter(f"'{copy}' would be inside the input. Choose another output.")
        check_overwrite(copy, overwrite)
        copies[str(path)] = copy
    return copies
