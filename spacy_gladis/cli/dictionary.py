"""`spacy-gladis dictionary`: build, inspect, import and export dictionaries."""

import json
import sys
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .documents import say_left_out
from .options import Offensive, Overwrite, refuse_to_replace
from .progress import with_progress

if TYPE_CHECKING:
    from rich.console import Console

    from ..dictionary import BuildReport, Candidate
    from ..problem import ProblemLog

app = typer.Typer(no_args_is_help=True, help="Build, inspect, import and export dictionaries.")
_SHOWN_SOURCES = 3  # of a long form; --json has all

Dictionary_ = Annotated[
    Path | None, typer.Option("--dictionary", "-d", help="A dictionary; default: the packaged one.")
]
Sources = Annotated[
    list[str] | None, typer.Option("--source", help="Only what this source gives; repeatable.")
]
Output = Annotated[Path, typer.Option("--output", "-o", help="The dictionary file to write.")]
SourceOf = Annotated[
    str | None, typer.Option("--source", help="Source of the entries that name none.")
]
Metadata = Annotated[
    Path | None, typer.Option(help="JSON object to store: sources, licences and the like.")
]


@app.command()
def build(
    inputs: Annotated[
        list[Path],
        typer.Argument(help="Folders of 'corpus extract'; .csv, .tsv, .json, .sqlite files; ADAM."),
    ],
    output: Output,
    source: SourceOf = None,
    metadata: Metadata = None,
    min_count: Annotated[int, typer.Option(help="How often a long form was seen.")] = 1,
    without: Annotated[
        list[str] | None, typer.Option(help="Leave out what this source gives; repeatable.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="Keep what looks like noise, too.")
    ] = False,
    merging: Annotated[
        str, typer.Option(help="Spellings that are one: ours, or paper (stems, no punctuation).")
    ] = "ours",
) -> None:
    """Merge the spellings of each long form and write a dictionary.

    Example: spacy-gladis dictionary build mined/ ours.csv -o ours.sqlite --min-count 2
    """
    from ..dictionary import build_dictionary, read_folder, read_rows
    from ..dictionary.builder import Selection
    from ..dictionary.merging import MERGING
    from ..dictionary.noise import noise
    from ..errors import check_names
    from ..problem import ProblemLog

    check_names("merging", [merging], MERGING)
    problems = ProblemLog()
    keep = Selection(min_count, None if everything else noise)
    left_out = frozenset(without or ())
    # Every input is looked at before the first is read.
    read = [
        read_folder(path) if path.is_dir() else read_rows(path, source, problems) for path in inputs
    ]
    rows = (row for row in chain.from_iterable(read) if row.source not in left_out)
    watched = with_progress(rows, what="rows", shown=False)
    made = build_dictionary(
        watched,
        output,
        read_metadata(metadata),
        merge=MERGING[merging],
        keep=keep,
        report=problems,
    )
    _done(made, output, problems)


@app.command("import")
def import_(
    given: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A .json, .csv or .tsv file, or ADAM's database."),
    ],
    output: Output,
    overwrite: Overwrite = False,
    source: SourceOf = None,
    metadata: Metadata = None,
) -> None:
    """Turn a dictionary in another format into a dictionary file, its spellings as they are.

    Example: spacy-gladis dictionary import ours.csv -o ours.sqlite
    """
    from ..dictionary import import_dictionary
    from ..errors import InputError
    from ..problem import ProblemLog

    refuse_to_replace(output, overwrite)
    problems = ProblemLog()
    watch = partial(with_progress, what="rows", shown=False)
    try:
        made = import_dictionary(given, output, source, read_metadata(metadata), problems, watch)
    except InputError:
        say_left_out(problems)
        raise
    _done(made, output, problems)


@app.command()
def export(
    output: Annotated[Path, typer.Argument(help=".json: published format; .csv or .tsv: tables.")],
    dictionary: Dictionary_ = None,
    source: Sources = None,
) -> None:
    """Write a dictionary in the published format or as a table.

    Example: spacy-gladis dictionary export packaged.json --source 'Wikipedia (en)'
    """
    from ..dictionary import Dictionary, export_dictionary

    groups = Dictionary.open(dictionary).groups(source)
    export_dictionary(with_progress(groups, what="acronyms", shown=False), output)
    typer.echo(f"Wrote {output}.")


@app.command()
def lookup(
    acronyms: Annotated[list[str], typer.Argument(help="Acronyms as a text may spell them.")],
    dictionary: Dictionary_ = None,
    source: Sources = None,
    top_k: Annotated[int, typer.Option(help="Long forms to show of each; 0: all.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each.")] = False,
    offensive: Offensive = False,
) -> None:
    """Show the long forms of acronyms, the most frequent first.

    Example: spacy-gladis dictionary lookup AI CNNs --top-k 5
    """
    from ..dictionary import Dictionary
    from ..dictionary.dictionary import suggest

    if not all(map(str.strip, acronyms)):
        raise typer.BadParameter("The acronym is empty.")
    opened = Dictionary.open(dictionary)
    unknown = 0
    for acronym in acronyms:
        found = opened.lookup(acronym, source, offensive=offensive)
        spelled = opened.matches(acronym, source, offensive=offensive)
        if as_json:
            shown = [candidate._asdict() for candidate in found[: top_k or None]]
            line = {"acronym": acronym, "spellings": spelled}
            typer.echo(json.dumps({**line, "candidates": shown}))
        elif found:
            _show_candidates(acronym, spelled, found, top_k)
        if not found:
            unknown += 1
            near = ", ".join(suggest(opened, acronym))
            hint = f" Did you mean: {near}?" if near else ""
            typer.echo(f"{acronym}: not in the dictionary.{hint}", err=True)
    if unknown:
        raise typer.Exit(1)


@app.command()
def stats(
    dictionary: Annotated[
        Path | None, typer.Argument(help="A dictionary; default: the packaged one.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Write the figures here, as JSON.")] = None,
    verify: Annotated[bool, typer.Option(help="Compare the file with its checksum.")] = True,
) -> None:
    """Show what a dictionary holds: acronyms, long forms, noise, sources, licences.

    Example: spacy-gladis dictionary stats --verify
    """
    from ..dictionary import Dictionary
    from ..dictionary.builder import SourceTally
    from ..dictionary.candidate import total
    from ..dictionary.tally import Tally
    from ..files import write_json
    from .dictionary_tables import show_dictionary, show_sources

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
    """Read a JSON object to store in a dictionary; an empty one for no file."""
    from ..errors import InputError

    if path is None:
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"The metadata {path} cannot be read: {error}") from error
    if not isinstance(content, dict):
        raise InputError(f"The metadata {path} are not a JSON object.")
    return content


def _done(made: "BuildReport", output: Path, problems: "ProblemLog") -> None:
    from ..output.glossary_formats import number

    typer.echo(
        f"Wrote {output}: {number(made.acronyms, 'acronym')}, "
        f"{number(made.long_forms, 'long form')} ({number(made.spellings, 'spelling')} in "
        f"{number(made.rows, 'row')}; {made.dropped:,} left out as rare or implausible), "
        f"{output.stat().st_size / 1e6:,.1f} MB."
    )
    say_left_out(problems)


def _console() -> "Console":
    from rich.console import Console

    return Console(highlight=False)


def _show_candidates(
    asked: str, spellings: list[str], candidates: list["Candidate"], top_k: int
) -> None:
    from rich.markup import escape
    from rich.table import Table

    from ..dictionary.glosses import kind_of

    spelt = "" if spellings == [asked] else f" (as {', '.join(spellings)})"
    table = Table(title=escape(f"{asked}{spelt}"), title_justify="left")
    table.add_column("long form", overflow="fold")
    for heading in ("count", "share"):
        table.add_column(heading, justify="right")
    table.add_column("sources", overflow="fold")
    everything = sum(candidate.total for candidate in candidates)
    shown = candidates[: top_k or None]
    for candidate in shown:
        counts = sorted(candidate.counts.items(), key=lambda pair: -pair[1])
        named = [f"{name} {count:,}" for name, count in counts[:_SHOWN_SOURCES]]
        more = len(counts) - len(named)
        sources = "; ".join([*named, *([f"{more:,} more"] if more else [])])
        share = f"{candidate.total / everything:.1%}"
        kind = kind_of(candidate.gloss)
        name = f"{candidate.long_form} ({kind})" if kind else candidate.long_form
        row = (name, f"{candidate.total:,}", share, sources)
        table.add_row(*map(escape, row))
    if len(shown) < len(candidates):
        table.caption = f"and {len(candidates) - len(shown):,} more"
    _console().print(table)
