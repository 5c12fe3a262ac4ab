"""The commands ``spacy-gladis dictionary``, which build, convert and search dictionaries."""

import json
import sys
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..progress import with_progress
from .documents import print_problems
from .options import Offensive, Overwrite, check_overwrite

if TYPE_CHECKING:
    from rich.console import Console

    from ..dictionary import BuildReport, Candidate
    from ..problem import ProblemLog

app = typer.Typer(no_args_is_help=True, help="Build, inspect, import and export dictionaries.")
_SHOWN_SOURCES = 3  # maximum for each long form; --json shows all sources

Dictionary_ = Annotated[
    Path | None,
    typer.Option("--dictionary", "-d", help="Dictionary to read. Default: the packaged one."),
]
Sources = Annotated[
    list[str] | None, typer.Option("--source", help="Only use entries of this source. Repeatable.")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="Dictionary file to write.")]
SourceOf = Annotated[
    str | None, typer.Option("--source", help="Source name for entries that have none.")
]
Metadata = Annotated[
    Path | None,
    typer.Option(help="JSON file with metadata to store, such as sources and licences."),
]


@app.command()
def build(
    inputs: Annotated[
        list[Path],
        typer.Argument(
            help="Folders that 'corpus extract' wrote, .csv, .tsv, .json and .sqlite files, or "
            "ADAM's database."
        ),
    ],
    output: Output,
    source: SourceOf = None,
    metadata: Metadata = None,
    min_count: Annotated[int, typer.Option(help="Lowest count of a long form to include.")] = 1,
    without: Annotated[
        list[str] | None, typer.Option(help="Leave out entries of this source. Repeatable.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="Also keep entries that look like noise.")
    ] = False,
    merging: Annotated[
        str,
        typer.Option(
            help="Spellings to merge: paper (those with the same word stems), or ours (British "
            "and American spellings as well)."
        ),
    ] = "ours",
) -> None:
    """Build a dictionary of acronyms, and merge the spellings of each long form.

    Example: spacy-gladis dictionary build mined/ ours.csv -o ours.sqlite --min-count 2
    """
    from ..dictionary import build_dictionary, read_folder, read_rows
    from ..dictionary.builder import Selection
    from ..dictionary.candidate import MERGING
    from ..dictionary.noise import noise
    from ..errors import check_names
    from ..problem import ProblemLog

    check_names("merging", [merging], MERGING)
    problems = ProblemLog()
    keep = Selection(min_count, None if everything else noise)
    left_out = frozenset(without or ())
    # Check every input before the first one is read.
    rows_of_inputs = [
        read_folder(path) if path.is_dir() else read_rows(path, source, problems) for path in inputs
    ]
    rows = (row for row in chain.from_iterable(rows_of_inputs) if row.source not in left_out)
    tracked = with_progress(rows, what="rows", shown=False)
    result = build_dictionary(
        tracked,
        output,
        read_metadata(metadata),
        merge=MERGING[merging],
        keep=keep,
        report=problems,
    )
    _print_report(result, output, problems)


@app.command("import")
def import_(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A .json, .csv or .tsv file, or ADAM's database."),
    ],
    output: Output,
    overwrite: Overwrite = False,
    source: SourceOf = None,
    metadata: Metadata = None,
) -> None:
    """Convert a dictionary of acronyms from another format, without merging its spellings.

    Example: spacy-gladis dictionary import ours.csv -o ours.sqlite
    """
    from ..dictionary import import_dictionary
    from ..errors import InputError
    from ..problem import ProblemLog

    check_overwrite(output, overwrite)
    problems = ProblemLog()
    track = partial(with_progress, what="rows", shown=False)
    try:
        result = import_dictionary(file, output, source, read_metadata(metadata), problems, track)
    except InputError:
        print_problems(problems)
        raise
    _print_report(result, output, problems)


@app.command()
def export(
    output: Annotated[
        Path,
        typer.Argument(
            help="File to write: .json for the published format, .csv or .tsv for a table."
        ),
    ],
    dictionary: Dictionary_ = None,
    source: Sources = None,
) -> None:
    """Export a dictionary in the published format of GLADIS or as a table.

    Example: spacy-gladis dictionary export packaged.json --source 'Wikipedia (en)'
    """
    from ..dictionary import Dictionary, export_dictionary

    groups = Dictionary.open(dictionary).groups(source)
    export_dictionary(with_progress(groups, what="acronyms", shown=False), output)
    typer.echo(f"Wrote {output}.")


@app.command()
def lookup(
    acronyms: Annotated[list[str], typer.Argument(help="Acronyms in any spelling.")],
    dictionary: Dictionary_ = None,
    source: Sources = None,
    top_k: Annotated[int, typer.Option(help="Number of long forms per acronym. 0 means all.")] = 20,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON per acronym.")
    ] = False,
    offensive: Offensive = False,
) -> None:
    """Show the long forms of acronyms in a dictionary, most frequent first.

    Example: spacy-gladis dictionary lookup AI CNNs --top-k 5
    """
    from ..dictionary import Dictionary
    from ..dictionary.dictionary import suggest

    if not all(map(str.strip, acronyms)):
        raise typer.BadParameter("The acronym is empty. Pass an acronym such as AI.")
    opened = Dictionary.open(dictionary)
    unknown = 0
    for acronym in acronyms:
        candidates = opened.lookup(acronym, source, offensive=offensive)
        spellings = opened.matches(acronym, source, offensive=offensive)
        if as_json:
            shown = [candidate._asdict() for candidate in candidates[: top_k or None]]
            line = {"acronym": acronym, "spellings": spellings}
            typer.echo(json.dumps({**line, "candidates": shown}))
        elif candidates:
            _print_candidates(acronym, spellings, candidates, top_k)
        if not candidates:
            unknown += 1
            similar = ", ".join(suggest(opened, acronym))
            hint = f" Did you mean: {similar}?" if similar else ""
            typer.echo(f"'{acronym}' is not in the dictionary.{hint}", err=True)
    if unknown:
        raise typer.Exit(1)


@app.command()
def stats(
    dictionary: Annotated[
        Path | None, typer.Argument(help="Dictionary to read. Default: the packaged one.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Also write the statistics to this JSON file.")
    ] = None,
    verify: Annotated[bool, typer.Option(help="Check the file against its checksum.")] = True,
) -> None:
    """Show statistics of a dictionary, such as its acronyms, long forms, noise and sources.

    Example: spacy-gladis dictionary stats --verify
    """
    from ..dictionary import Dictionary
    from ..dictionary.builder import SourceTally
    from ..dictionary.candidate import total
    from ..dictionary.tally import Tally
    from ..files import write_json
    from ..output.dictionary_tables import show_dictionary, show_sources

    opened = Dictionary.open(dictionary)
    if verify:
        opened.verify()
    tally, by_source = Tally(), SourceTally()
    for acronym, entries in with_progress(opened.groups(), what="acronyms", shown=False):
        tally.add(acronym, [(entry[0], total(entry)) for entry in entries])
        by_source.add(entries)
    figures = {**tally.to_json(), "sources": by_source.to_json()}
    show_dictionary(figures, _console(), opened.metadata.get("judged"))
    show_sources(figures["sources"], opened.sources, _console())
    if not opened.sources:
        _console().print_json(json.dumps(opened.metadata.get("sources", [])))
    if output:
        command = " ".join(["spacy-gladis", *sys.argv[1:]])
        write_json(output, {"command": command, "fingerprint": opened.fingerprint, **figures})


def read_metadata(path: Path | None) -> dict[str, Any]:
    """Read the metadata to store in a new dictionary from a JSON file.

    Args:
        path: Path of a JSON file that contains an object. None stands for no metadata.

    Returns:
        The object in the file. Empty if `path` is None.

    Raises:
        InputError: If the file can't be read or doesn't contain an object.
    """
    from ..errors import InputError

    if path is None:
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"Cannot read the metadata {path}: {error}") from error
    if not isinstance(content, dict):
        raise InputError(
            f"The metadata {path} must be a JSON object, got {type(content).__name__}."
        )
    return content


def _print_report(result: "BuildReport", output: Path, problems: "ProblemLog") -> None:
    from ..output.glossary_formats import number

    typer.echo(
        f"Wrote {output}: {number(result.acronyms, 'acronym')}, "
        f"{number(result.long_forms, 'long form')} ({number(result.spellings, 'spelling')} in "
        f"{number(result.rows, 'row')}; {result.dropped:,} left out as rare or implausible), "
        f"{output.stat().st_size / 1e6:,.1f} MB."
    )
    print_problems(problems)


def _console() -> "Console":
    from rich.console import Console

    return Console(highlight=False)


def _print_candidates(
    acronym: str, spellings: list[str], candidates: list["Candidate"], top_k: int
) -> None:
    from rich.markup import escape
    from rich.table import Table

    variants = "" if spellings == [acronym] else f" (as {', '.join(spellings)})"
    table = Table(title=escape(f"{acronym}{variants}"), title_justify="left")
    table.add_column("long form", overflow="fold")
    for heading in ("count", "share"):
        table.add_column(heading, justify="right")
    table.add_column("sources", overflow="fold")
    total = sum(candidate.total for candidate in candidates)
    shown = candidates[: top_k or None]
    for candidate in shown:
        counts = sorted(candidate.counts.items(), key=lambda pair: -pair[1])
        names = [f"{name} {count:,}" for name, count in counts[:_SHOWN_SOURCES]]
        more = len(counts) - len(names)
        sources = "; ".join([*names, *([f"{more:,} more"] if more else [])])
        share = f"{candidate.total / total:.1%}"
        kind = candidate.kind
        name = f"{candidate.long_form} ({kind})" if kind else candidate.long_form
        row = (name, f"{candidate.total:,}", share, sources)
        table.add_row(*map(escape, row))
    if len(shown) < len(candidates):
        table.caption = f"and {len(candidates) - len(shown):,} more"
    _console().print(table)
