"""Tables that show the statistics of a dictionary of acronyms in the terminal."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .figures import Table

if TYPE_CHECKING:
    from rich.console import Console

    from ..dictionary import SourceInfo

SHOWN = 10
"""Number of acronyms in the table of the most ambiguous ones. The JSON output has more."""


def show_dictionary(
    figures: dict[str, Any], console: "Console", verdicts: dict[str, Any] | None = None
) -> None:
    """Print tables that show how large, how ambiguous and how noisy a dictionary of acronyms is.

    Args:
        figures: Statistics that `dictionary.tally.Tally` collected, as JSON types.
        console: Console to print to.
        verdicts: Results of manual reviews of samples from an earlier build, by the name of the
            sample. Each result has the number of entries that were "judged" and the number that
            were "right". None shows no reviews.
    """
    table = Table("Acronyms and long forms", ("dictionary", ""))
    table.add("acronyms", figures["acronyms"])
    table.add("long forms", figures["long_forms"])
    table.add("long forms per acronym", f"{figures['long_forms_per_acronym']:.2f}")
    table.add("ambiguous acronyms", figures["ambiguous_acronyms"])
    noise = figures["noise"]
    for sample, counts in (verdicts or {}).items():
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
    shown.columns[-1].justify = "left"  # text, not numbers
    console.print(shown)


def show_sources(
    totals: list[dict[str, Any]], sources: Mapping[str, "SourceInfo"], console: "Console"
) -> None:
    """Print a table that shows how many entries each source of a dictionary contributes.

    Args:
        totals: Statistics of each source as JSON types, in the order of the rows.
        sources: Information about each source by its name, including its licence. A source that is
            missing here is shown without a licence.
        console: Console to print to.
    """
    counts = ("long_forms", "in_no_other", "occurrences")
    columns = ("source", "long forms", "in no other", "occurrences", *["licence"] * bool(sources))
    table = Table("Sources", columns)
    for entry in totals:
        source = sources.get(entry["source"])
        licence = [source.licence] if source else []
        table.add(entry["source"], *(entry[count] for count in counts), *licence)
    shown = table.rich()
    for column in shown.columns[len(counts) + 1 :]:
        column.justify = "left"  # text, not numbers
    console.print(shown)
