"""`spacy-gladis annotate`: find and explain the acronyms of texts."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..pipeline.writers import Documents
    from ..problem import ProblemLog

SOME_FAILED = 1
"""Exit code when some inputs could not be read or annotated; the others are done."""

FORMATS = ("table", "json", "jsonl", "html", "docbin")
_BY_SUFFIX = {".json": "json", ".jsonl": "jsonl", ".html": "html", ".spacy": "docbin"}
_SHOWN_PROBLEMS = 5

app = typer.Typer()


def _format(value: str | None) -> str | None:
    if value is None or value in FORMATS:
        return value
    meant = get_close_matches(value.lower(), FORMATS, n=1)
    hint = f" Did you mean '{meant[0]}'?" if meant else ""
    raise typer.BadParameter(f"'{value}' is none of {', '.join(FORMATS)}.{hint}")


def _writable(output: Path | None) -> Path | None:
    if output is not None:
        there = next(parent for parent in output.absolute().parents if parent.exists())
        if not there.is_dir() or not os.access(there, os.W_OK):
            raise typer.BadParameter(f"'{output}' cannot be written: '{there}' takes no files.")
    return output


@app.command(
    epilog="Exit codes: 0 all is annotated; 1 some inputs could not be read, the others are done; "
    "2 nothing could be done with what was given.",
)
def annotate(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(help="A text, or files, or folders, or - for standard input (the default)."),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            callback=_format,
            metavar="|".join(FORMATS),
            help="Default: by --output's ending, else table on a terminal and jsonl elsewhere.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            dir_okay=False,
            callback=_writable,
            help="Write to this file, not the terminal.",
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Leave an acronym open below this probability."),
    ] = None,
    top_k: Annotated[int | None, typer.Option(min=1, help="Candidates shown.")] = None,
    dictionary: Annotated[
        Path | None, typer.Option(help="A dictionary file, or JSON in the published format.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="A saved spaCy pipeline, or AcroBERT weights (a folder, a Hugging Face name)."
        ),
    ] = None,
    language: Annotated[str, typer.Option(help="The texts' language, for the tokenizer.")] = "en",
    processes: Annotated[int, typer.Option(min=1, help="Processes that annotate.")] = 1,
) -> None:
    """Find the acronyms of texts and tell what each one means there.

    spacy-gladis annotate "The AI for potassium is 4.7 grams a day."

    spacy-gladis annotate reports/ --output acronyms.html
    """
    from ..pipeline.annotate import annotate_sources
    from ..pipeline.load import load_pipeline
    from ..pipeline.sources import STANDARD_INPUT, read_sources
    from ..problem import ProblemLog

    if not inputs and sys.stdin.isatty():
        raise typer.BadParameter("Give a text, files, folders, or pipe a text in.")
    chosen = format or _default_format(output)
    if chosen == "docbin" and output is None and sys.stdout.isatty():
        raise typer.BadParameter("docbin is binary: name a file with --output.")
    problems = ProblemLog(keep=_SHOWN_PROBLEMS)
    sources = read_sources(inputs or [STANDARD_INPUT], problems)
    nlp = load_pipeline(
        model, language=language, dictionary=dictionary, threshold=threshold, top_k=top_k
    )
    documents = annotate_sources(nlp, sources, problems, processes=processes)
    with _destination(output) as stream:
        _write(chosen, _with_progress(documents), stream)
    if problems.counts:
        _report(problems)
        raise typer.Exit(SOME_FAILED)


def _default_format(output: Path | None) -> str:
    if output is not None:
        return _BY_SUFFIX.get(output.suffix.lower(), "jsonl")
    return "table" if sys.stdout.isatty() else "jsonl"


@contextmanager
def _destination(output: Path | None) -> Iterator[IO[bytes]]:
    from ..files import writing

    if output is None:
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    with writing(output) as temporary, temporary.open("wb") as stream:
        yield stream


def _write(format: str, documents: "Documents", stream: IO[bytes]) -> None:
    if format == "table":
        from .tables import write_tables

        write_tables(documents, stream)
        return
    from ..pipeline.writers import WRITERS

    WRITERS[format](documents, stream)


def _with_progress(documents: "Documents") -> "Documents":
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.completed} documents"), TimeElapsedColumn())
    quiet = not console.is_terminal or sys.stdout.isatty()
    with Progress(*columns, console=console, transient=True, disable=quiet) as progress:
        task = progress.add_task("documents", total=None)
        for document in documents:
            yield document
            progress.advance(task)


def _report(problems: "ProblemLog") -> None:
    for example in problems.to_json()["examples"]:
        typer.echo(example, err=True)
    counts = ", ".join(f"{number} {kind}" for kind, number in sorted(problems.counts.items()))
    typer.secho(f"Left out: {counts}.", fg="yellow", err=True)
