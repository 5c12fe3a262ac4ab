"""Show a corpus's statistics: tables on the terminal, plots as PNG."""

from pathlib import Path
from typing import Any

from rich.console import Console

from ...files import writing
from ..report.tables import Table, new_figure

SHOWN = 10  # most ambiguous acronyms; all are in the JSON
COUNTS = ("documents", "definitions", "samples", "pairs")


def show_statistics(statistics: dict[str, Any], console: Console | None = None) -> None:
    """Print what `corpus_statistics` counted, as tables."""
    console = console or Console()
    table = Table("Sources", ("source", "M characters", *COUNTS))
    for source in [*statistics["sources"], {"domain": "total", **statistics["total"]}]:
        characters = f"{source['million_characters']:,.1f}"
        table.add(source["domain"], characters, *(source[name] for name in COUNTS))
    console.print(table.rich())
    show_dictionary(statistics["dictionary"], console)
    problems = statistics["problems"]
    for kind, number in problems["counts"].items():
        console.print(f"{number:,} times: {kind}")
    for example in problems["examples"]:
        console.print(f"  {example}", markup=False, soft_wrap=True)


def show_dictionary(
    figures: dict[str, Any], console: Console, judged: dict[str, Any] | None = None
) -> None:
    """Print the figures of a dictionary, see `statistics.Tally`.

    `judged` are verdicts by hand, name of a sample -> {"judged", "right"}, where it has any: those
    of an earlier build, as a build is drawn from when its metadata are written.
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


def save_plots(statistics: dict[str, Any], folder: Path) -> list[Path]:
    """Write `sources.png` (pairs and definitions by source) and `ambiguity.png`; return them.

    The second shows how many acronyms have how many long forms, on logarithmic axes.
    """
    sources = statistics["sources"][::-1]
    bars = new_figure(8, 1 + 0.4 * len(sources), "corpus")
    ambiguity = new_figure(6, 4, "corpus")
    axes = bars.subplots()
    names = [source["domain"] for source in sources]
    axes.barh(names, [source["definitions"] for source in sources], label="definitions")
    axes.barh(names, [source["pairs"] for source in sources], label="distinct pairs")
    axes.legend()
    axes = ambiguity.subplots()
    sizes = statistics["dictionary"]["acronyms_by_long_forms"]
    axes.loglog([int(size) for size in sizes], list(sizes.values()), "o", markersize=3)
    axes.set(xlabel="long forms of an acronym", ylabel="acronyms")
    written = []
    for name, figure in (("sources", bars), ("ambiguity", ambiguity)):
        path = folder / f"{name}.png"
        with writing(path) as temporary:
            figure.savefig(temporary, format="png", dpi=120)
        written.append(path)
    return written
