"""Show a corpus's statistics: tables on the terminal, plots as PNG."""

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ...errors import require
from ...files import writing

SHOWN = 10  # most ambiguous acronyms; all are in the JSON


def show_statistics(statistics: dict[str, Any], console: Console | None = None) -> None:
    """Print what `corpus_statistics` counted, as tables."""
    console = console or Console()
    table = Table("source", title="Sources")
    for heading in ("M characters", "documents", "definitions", "samples", "pairs"):
        table.add_column(heading, justify="right")
    for source in [*statistics["sources"], {"domain": "total", **statistics["total"]}]:
        numbers = [source[name] for name in ("documents", "definitions", "samples", "pairs")]
        characters = f"{source['million_characters']:,.1f}"
        table.add_row(source["domain"], characters, *(f"{number:,}" for number in numbers))
    console.print(table)
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

    `judged` are verdicts by hand, name of a sample -> {"judged", "right"}, where it has any.
    """
    table = Table("dictionary", "", title="Acronyms and long forms")
    table.columns[1].justify = "right"
    table.add_row("acronyms", f"{figures['acronyms']:,}")
    table.add_row("long forms", f"{figures['long_forms']:,}")
    table.add_row("long forms per acronym", f"{figures['long_forms_per_acronym']:.2f}")
    table.add_row("ambiguous acronyms", f"{figures['ambiguous_acronyms']:,}")
    noise = figures["noise"]
    for sample, counts in (judged or {}).items():
        share = counts["right"] / counts["judged"]
        table.add_row(f"right of {counts['judged']:,} {sample}, judged by hand", f"{share:.1%}")
    table.add_row("suspect by their form alone", f"{noise['share']:.1%}")
    table.add_row("suspect, by frequency", f"{noise['share_by_frequency']:.1%}")
    for reason, number in noise["long_forms"].items():
        table.add_row(f"  {reason}", f"{number:,}")
    console.print(table)
    table = Table("acronym", "long forms", "most frequent", title="Most ambiguous")
    for entry in figures["most_ambiguous"][:SHOWN]:
        most = "; ".join(entry["most_frequent"])
        table.add_row(entry["acronym"], f"{entry['long_forms']:,}", most)
    console.print(table)


def save_plots(statistics: dict[str, Any], folder: Path) -> list[Path]:
    """Write `sources.png` (pairs and definitions by source) and `ambiguity.png`; return them.

    The second shows how many acronyms have how many long forms, on logarithmic axes.
    """
    require("matplotlib", "corpus")
    from matplotlib.figure import Figure

    sources = statistics["sources"][::-1]
    bars = Figure(figsize=(8, 1 + 0.4 * len(sources)), layout="constrained")
    axes = bars.subplots()
    names = [source["domain"] for source in sources]
    axes.barh(names, [source["definitions"] for source in sources], label="definitions")
    axes.barh(names, [source["pairs"] for source in sources], label="distinct pairs")
    axes.legend()

    ambiguity = Figure(figsize=(6, 4), layout="constrained")
    axes = ambiguity.subplots()
    sizes = statistics["dictionary"]["acronyms_by_long_forms"]
    axes.loglog([int(size) for size in sizes], list(sizes.values()), "o", markersize=3)
    axes.set_xlabel("long forms of an acronym")
    axes.set_ylabel("acronyms")

    written = []
    for name, figure in (("sources", bars), ("ambiguity", ambiguity)):
        path = folder / f"{name}.png"
        with writing(path) as temporary:
            figure.savefig(temporary, format="png", dpi=120)
        written.append(path)
    return written
