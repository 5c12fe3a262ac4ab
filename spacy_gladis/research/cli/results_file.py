"""Options that several research commands have, and functions that print and save their results."""

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
"""Maximum number of characters in a printed line if the output is not a terminal."""


def command_line() -> str:
    """Return the running command with its arguments, such as ``"spacy-gladis corpus stats mined"``.

    Results files record it, so that readers can see how a figure was measured.
    """
    return " ".join(["spacy-gladis", *sys.argv[1:]])


def as_json(results: Results) -> str:
    """Format the results of a command as JSON, in the style of the files in `benchmarks/results`.

    Args:
        results: A mapping from the names of figures to values of JSON types.

    Returns:
        JSON with an indentation of one space and a line feed at the end. Non-ASCII characters are
        not escaped.
    """
    return json.dumps(results, indent=1, ensure_ascii=False) + "\n"


def with_command(results: Results) -> Results:
    """Add the running command to its results, so that a results file says how it was made.

    Args:
        results: A mapping from the names of figures to values of JSON types. It is not changed.

    Returns:
        A new mapping that starts with the entry `command`, followed by the results.
    """
    return {"command": command_line(), **results}


@contextmanager
def saying() -> Iterator[Callable[[str], None]]:
    """Show messages about the progress of a command on stderr.

    On a terminal, each message replaces the previous one. Otherwise, each message is printed on its
    own line.

    Yields:
        A function that takes a message and shows it.
    """
    from rich.console import Console

    errors = Console(stderr=True)
    with errors.status("") as status:
        yield lambda text: status.update(text) if errors.is_terminal else errors.print(text)


def show(tables: Iterable[Table]) -> None:
    """Print tables of results on stdout.

    They fill the width of the terminal, or 120 characters if the output is a file or a pipe.

    Args:
        tables: Tables to print, in this order.
    """
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    for table in tables:
        console.print(table.rich())


def write_results(path: Path | None, results: Results, tables: Iterable[Table] = ()) -> None:
    """Write the results of a command to a Markdown or JSON file.

    Args:
        path: Path of the file. A file with the extension ``.md`` gets the tables, below a heading
            with the command. Any other file gets JSON. None writes nothing.
        results: A mapping from the names of figures to values of JSON types. For a Markdown file,
            it must have the entry `command`.
        tables: The same results as tables. Only Markdown files contain them.
    """
    if path and path.suffix == ".md":
        parts = [f"# `{results['command']}`\n", *(table.markdown() for table in tables)]
        write_text(path, "\n".join(parts))
    elif path:
        write_text(path, as_json(results))


def present(
    results: Results, tables: Callable[[Results], Iterable[Table]], *paths: Path | None
) -> None:
    """Print the results of a command as tables, and write them to Markdown or JSON files.

    Args:
        results: A mapping from the names of figures to values of JSON types, without the command.
        tables: Function that takes the results, with the command added, and returns tables.
        *paths: Paths of the files to write. The extension ``.md`` writes Markdown, any other JSON.
            A path of None is ignored.
    """
    results = with_command(results)
    made = list(tables(results))
    show(made)
    for path in paths:
        write_results(path, results, made)


def write_figures(path: Path | None, figures: Results) -> None:
    """Print the figures of a command as JSON, and write the same JSON to a file.

    Args:
        path: Path of the file. None only prints the figures.
        figures: A mapping from names to values of JSON types. The command is added to it.
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
