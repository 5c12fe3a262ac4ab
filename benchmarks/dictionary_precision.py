"""Draw entries to judge by hand: random ones, or the first candidates of common acronyms.

Prints a line an entry, numbered. The verdicts' counts belong into
benchmarks/results/dictionary_precision.json, and into the dictionary's metadata as `judged`:

    python benchmarks/dictionary_precision.py random --number 500
    python benchmarks/dictionary_precision.py common --number 300 --top 10
"""

import random
from pathlib import Path
from typing import Annotated

import typer

from spacy_gladis.dictionary import Dictionary

SEED = 2026

app = typer.Typer(no_args_is_help=True)
Path_ = Annotated[Path | None, typer.Option("--dictionary", "-d", help="Default: the packaged.")]


@app.command("random")
def random_(dictionary: Path_ = None, number: int = 500) -> None:
    """Entries drawn at random, all long forms alike."""
    opened = Dictionary.open(dictionary)
    drawn = set(random.Random(SEED).sample(range(len(opened.long_forms)), number))
    entries = ((acronym, form) for acronym, found in opened.groups() for form, _ in found)
    _show([entry for at, entry in enumerate(entries) if at in drawn])


@app.command()
def common(dictionary: Path_ = None, number: int = 300, top: int = 10) -> None:
    """The first candidates of the acronyms that were seen most, over all their long forms."""
    groups = list(Dictionary.open(dictionary).groups())
    groups.sort(key=lambda group: (-sum(sum(counts.values()) for _, counts in group[1]), group[0]))
    _show([(acronym, form) for acronym, found in groups[:number] for form, _ in found[:top]])


def _show(entries: list[tuple[str, str]]) -> None:
    for number, (acronym, form) in enumerate(entries):
        typer.echo(f"{number}\t{acronym}\t{form}")


if __name__ == "__main__":
    app()
