"""Shared options of commands, and functions that show and write their results."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ...files import write_text
from ...output.figures import Table

Results = dict[str, Any]

WIDTH = 120
"""Number of characters per line if the output is not a terminal."""


def command_line() -> str:
    """Return the command as it was typed."""
    return " ".join(["spacy-gladis", *sys.argv[1:]])


def as_json(results: Results) -> str:
    """Format results as JSON, in the style of the files under `benchmarks/results`.

    Args:
        results: The results.
    """
    return json.dumps(results, indent=1, ensure_ascii=False) + "\n"


def with_command(results: Results) -> Results:
    """Return the results with the command that produced them as their first entry.

    Args:
        results: The results.
    """
    return {"command": command_line(), **results}


@contextmanager
def saying() -> Iterator[Callable[[str], None]]:
    """Show progress messages on stderr, in a single changing line if it is a terminal.

    Yields:
        A function that shows a message.
    """
    from rich.console import Console

    errors = Console(stderr=True)
    with errors.status("") as status:
        yield lambda text: status.update(text) if errors.is_terminal else errors.print(text)


def show(tables: Iterable[Table]) -> None:
    """Print tables.

    Args:
        tables: The tables.
    """
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    for table in tables:
        console.print(table.rich())


def write_results(path: Path | None, results: Results, tables: Iterable[Table] = ()) -> None:
    """Write results to a file.

    Args:
        path: Path of the file. A file `.md` contains the tables, any other file JSON. None writes
            nothing.
        results: Results to write.
        tables: The results as tables.
    """
    if path and path.suffix == ".md":
        parts = [f"# `{results['command']}`\n", *(table.markdown() for table in tables)]
        write_text(path, "\n".join(parts))
    elif path:
        write_text(path, as_json(results))


def present(
    results: Results, tables: Callable[[Results], Iterable[Table]], *paths: Path | None
) -> None:
    """Print a command's results as tables, and write them to files.

    Args:
        results: The results.
        tables: Function that creates tables from the results.
        paths: Paths of the files; see `write_results`.
    """
    results = with_command(results)
    made = list(tables(results))
    show(made)
    for path in paths:
        write_results(path, results, made)


def write_figures(path: Path | None, figures: Results) -> None:
    """Print a command's figures as JSON, and write them to a file.

    Args:
        path: Path of the file. None writes no file.
        figures: Figures to write.
    """
    figures = with_command(figures)
    write_results(path, figures)
    print(as_json(figures), end="")


Systems = Annotated[
    list[str] | None, typer.Option("--system", help="Name of a system, or all. Repeatable.")
]
Only = Annotated[
    list[str] | None,
    typer.Option(help="Only run data sets whose name contains this text. Repeatable."),
]
DictionaryFile = Annotated[
    Path | None,
    typer.Option("--dictionary", "-d", help="Dictionary file. Default: the packaged one."),
]
Device = Annotated[str, typer.Option(help="Device to compute on: cpu, cuda or cuda:1.")]
Language = Annotated[
    str, typer.Option(help="Language of the tokenizer, as a spaCy code such as en.")
]
Model = Annotated[
    Path | None, typer.Option(help="Folder of AcroBERT weights. Default: the packaged ones.")
]
Cache = Annotated[
    Path | None, typer.Option(help="Folder that keeps the vectors of long forms between runs.")
]
Resamples = Annotated[
    int,
    typer.Option(min=0, help="Bootstrap resamples for the confidence intervals. 0 computes none."),
]
Output = Annotated[Path, typer.Option("--output", "-o", help="Folder to write to.")]
Report = Annotated[
    Path | None, typer.Option("--output", "-o", help="File for the results, as .json or .md.")
]
Figures = Annotated[Path | None, typer.Option(help="Write the figures to this JSON file.")]
Predictions = Annotated[
    Path | None,
    typer.Option(help="Folder to write the answers of all systems to."),
]
