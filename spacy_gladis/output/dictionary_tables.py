"""A dictionary's figures as tables for a terminal."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .figures import Table

if TYPE_CHECKING:
    from rich.console import Console

    from ..dictionary import SourceInfo

SHOWN = 10
"""Most ambiguous acronyms that are shown; the JSON has more."""


def show_dictionary(
    figures: dict[str, Any], console: "Console", judged: dict[str, Any] | None = None
) -> None:
    """Print the figures of a dictionary.

    Args:
        figures: What `dictionary.tally.Tally` counted, as JSON types.
        console: Where to print.
        judged: Verdicts by hand on samples of an earlier build: name -> {"judged", "right"}.
    """
    table = Table("Acronyms and long forms", ("dictionary", ""))
    table.add("acronyms", figures["acronyms"])
    table.add("long forms", figures["long_forms"])
    table.add("long forms per acronym", f"{figures['long_forms_per_acronym']:.2f}")
    table.add("ambiguous acronyms", figures["ambiguous_acronyms"])
    noise = figures["noise"]
    for sample, counts in (judged or {}).items():
        share = counts["right"] / counts["judged"]
        table.add(f"right of {counts['judged']:,} {sample}, an earlier build", f"{share:.1%}")
    table.add("suspect by their form alone", f"{noise['share']:.1%}")
    table.add("suspect, by frequency", f"{noise['share_by_frequency']:.1%}")
    for reason, number in noise["long_forms"].items():
        table.add(f"  {reason}", number)
    console.print(table.rich())
    table = Table("Most ambiguous", ("acronym", "long forms", "most frequent"))
    for entry in figures["most_ambiguous"][:SHOWN]:
        table.add(entry["acronym"], entry["long_forms"], "; ".join(entry["most_frequent"]))
    shown = table.rich()
    shown.columns[-1].justify = "left"  # words, not numbers
    console.print(shown)


def show_sources(
    totals: list[dict[str, Any]], sources: Mapping[str, "SourceInfo"], console: "Console"
) -> None:
    """Print what each source gives, with its licence where the dictionary names licences."""
    counts = ("long_forms", "in_no_other", "occurrences")
    columns = ("source", "long forms", "in no other", "occurrences", *["licence"] * bool(sources))
    table = Table("Sources", columns)
    for entry in totals:
        source = sources.get(entry["source"])
        licence = [source.licence] if source else []
        table.add(entry["source"], *(entry[count] for count in counts), *licence)
    shown = table.rich()
    for column in shown.columns[len(counts) + 1 :]:
        column.justify = "left"  # words, not numbers
    console.print(shown)
