"""`spacy-gladis annotate`: find and explain the acronyms of texts."""

import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import require
from . import documents
from .options import READING, Inputs, one_of, refuse_to_replace, with_options, writable

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
_BY_SUFFIX = {
    **{f".{format}": format for format in ("json", "jsonl", "csv", "tsv", "parquet", "html")},
    ".spacy": "docbin",
}
_EXPANDED_BY_SUFFIX = {
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
            help="Default: by --output's ending, else table on a terminal and jsonl elsewhere.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            callback=writable,
            help="Write to this file, not the terminal; --expand writes copies of several files "
            "to a folder, and of one DOCX file to another.",
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace copies that --expand has made before.")
    ] = False,
    expand: Annotated[
        str | None,
        typer.Option(
            callback=one_of(EXPAND),
            metavar="|".join(EXPAND),
            help="Write the text itself, with the long form at the first mention of each acronym "
            "in a document or in all of them, in the place of every mention, or as <abbr title> "
            "at the first one (HTML, Markdown).",
        ),
    ] = None,
    expand_shorthand: Annotated[
        bool,
        typer.Option(
            "--expand-shorthand",
            help="With --expand, also expand shorthand, units, symbols and doses (w/, wks, BID).",
        ),
    ] = False,
    text: Annotated[
        bool,
        typer.Option("--text", help="Put each text into its JSON record, with offsets in it."),
    ] = False,
    definitions_only: Annotated[
        bool,
        typer.Option(
            "--definitions-only", help="Only what the texts define themselves: no model runs."
        ),
    ] = False,
    top_k: Annotated[int | None, typer.Option(min=1, help="Candidates shown.")] = None,
    review: Annotated[
        bool,
        typer.Option("--review", help="Ask about each answer; replies go to the last --overlay."),
    ] = False,
    **reading: Any,
) -> None:
    """Find the acronyms of texts and tell what each one means there.

    spacy-gladis annotate "58 yo male. PMH HTN, HLD, T2DM."

    spacy-gladis annotate reports/ --output reports.html

    spacy-gladis annotate reports/ --output reports.csv

    spacy-gladis annotate report.txt --expand first --output expanded.txt

    spacy-gladis annotate docs/ --expand first --output copies

    spacy-gladis annotate docs/ --review --overlay house.tsv
    """
    if review and definitions_only:
        raise typer.BadParameter("--review asks about the linker's answers: leave out one of both.")
    if review:
        _review(inputs, top_k=top_k, **reading)
        return
    known, allowed = (_EXPANDED_BY_SUFFIX, EXPANDED_FORMATS) if expand else (_BY_SUFFIX, FORMATS)
    copies = bool(expand) and not format and _are_copied(inputs or [], output, known)
    if output and output.is_dir() and not copies:
        raise typer.BadParameter(f"'{output}' is a folder: give a file.")
    default = "text" if expand else "table" if sys.stdout.isatty() else "jsonl"
    chosen = format or documents.format_by_ending(None if copies else output, known, default)
    if chosen not in allowed:
        what = f"--expand {expand}" if expand else "A format without --expand"
        raise typer.BadParameter(f"{what} is one of {', '.join(allowed)}, not '{chosen}'.")
    if expand_shorthand and expand in (None, "tooltip"):
        raise typer.BadParameter("--expand-shorthand is for --expand first, first-of-all and all.")
    if text and (expand or chosen not in ("json", "jsonl")):
        raise typer.BadParameter("--text is for the formats json and jsonl without --expand.")
    if chosen in BINARY and output is None and sys.stdout.isatty():
        raise typer.BadParameter(f"{chosen} is binary: name a file with --output.")
    if chosen == "parquet":
        require("pyarrow", "dataframe")
    if word := documents.lone_word(inputs):
        typer.echo(f"'{word}' is no file or folder: it is read as a text.", err=True)
    problems = documents.new_problems()
    sources: dict[str, Source] = {}
    asked = {"top_k": top_k, "resolve": not definitions_only, **reading}
    if inputs and output and expand and copies:
        _write_copies(inputs, output, expand, overwrite, expand_shorthand, **asked)
        return
    found = documents.annotated(inputs, problems, sources, output=output, **asked)
    write = _writer(chosen, expand, sources, text, expand_shorthand)
    with documents.destination(output, problems) as stream:
        write(found, stream if chosen == "table" else documents.harmless(stream))  # it has colours
    documents.finish(problems)


def _are_copied(inputs: list[str], output: Path | None, known: dict[str, str]) -> bool:
    """Whether files with long forms inserted go to a folder of copies, or to a DOCX.

    known: endings of files that hold the texts alone.
    """
    from ..documents.sources import are_several

    if output is None:
        return False
    if output.suffix.lower() == ".docx" and not output.is_dir():
        if [Path(one).suffix.lower() for one in inputs] != [".docx"]:
            raise typer.BadParameter(f"'{output}' can be a copy of one DOCX file. Give a folder.")
        return True
    is_file = output.suffix.lower() in known or output.exists()
    return are_several(inputs) and (output.is_dir() or not is_file)


def _review(inputs: list[str] | None, *, overlay: list[Path] | None, **reading: Any) -> None:
    from ..dictionary.user_entries import read_user_entries
    from ..output.review import LLM
    from .review import create, review

    path = create(overlay, inputs)
    problems = documents.new_problems()
    sources: dict[str, Source] = {}
    found = documents.annotated(inputs, problems, sources, overlay=overlay, **reading)
    own = read_user_entries(overlay or ())
    review(found, sources, {row.acronym for row in own if row.source != LLM}, path)
    documents.finish(problems)


def _writer(
    format: str, expand: str | None, sources: "dict[str, Source]", text: bool, shorthand: bool
) -> "Writer":
    if format == "table":
        from .tables import write_tables

        return write_tables
    from ..output.writers import writer_of

    return writer_of(format, expand, sources, text, shorthand=shorthand)


def _write_copies(
    given: list[str], output: Path, mode: str, overwrite: bool, shorthand: bool, **reading: Any
) -> None:
    """Write a copy of each text file, in its encoding, and of each DOCX, and say how many others
    have none. output: a folder; of one file that is given, its copy, unless it is a folder."""
    from ..files import writing
    from ..output.expansion import expand_file, expander
    from ..problem import Problem

    targets = _targets(given, output, mode, overwrite)
    expanded = expander(mode, expand_file, encoding=reading["encoding"], shorthand=shorthand)
    problems = documents.new_problems()
    sources: dict[str, Source] = {}
    endings: dict[str, str] = {}  # of the files without a copy, else empty
    for name, doc in documents.annotated(given, problems, sources, output=output, **reading):
        source = sources.pop(name)
        path = Path(source.path)
        target = targets.pop(source.path, None)  # a file may be given twice
        endings.setdefault(source.path, "" if target else path.suffix.lower() or name)
        if target is None:
            continue
        try:
            content = expanded(source, doc)
            with writing(target) as temporary:
                temporary.write_bytes(content)
        except (ValueError, OSError) as error:  # lxml's own for what XML cannot hold
            problems(Problem("not copied", name, None, str(error)))
    documents.say_numbers("Not copied", Counter(filter(None, endings.values())))
    documents.finish(problems)


def _targets(given: list[str], output: Path, mode: str, overwrite: bool) -> dict[str, Path]:
    """Where each file's copy goes: where it lies below the folder that holds all that is given.

    Raises BadParameter for a copy that would lie in what is read, or replace a file unasked.
    """
    from ..documents.sources import are_several, files_of, is_read_once, is_text
    from ..output.expansion import TOOLTIPS
    from ..output.markup import EDITABLE

    files = files_of(given, TOOLTIPS if mode == "tooltip" else (*EDITABLE, "docx"))
    is_folder = output.is_dir() or are_several(given)
    if mode == "tooltip" and not is_folder:
        raise typer.BadParameter("--expand tooltip is for HTML and Markdown, not for DOCX.")
    paths = [Path(one).absolute() for one in given if not (is_text(one) or is_read_once(one))]
    folders = [os.path.normpath(one if one.is_dir() else one.parent) for one in paths]
    common = os.path.commonpath(folders or ["."])
    read = {path.resolve() for path in (*paths, *files)}
    targets = {}
    for path in files:
        target = output / os.path.relpath(path, common) if is_folder else output
        real = target.resolve()
        if not read.isdisjoint([real, *real.parents]):
            raise typer.BadParameter(f"'{target}' would lie in what is read. Give another place.")
        refuse_to_replace(target, overwrite)
        targets[str(path)] = target
    return targets
