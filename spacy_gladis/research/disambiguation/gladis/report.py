"""The results of an evaluation: tables for the terminal and in Markdown; figures by number of
candidates (GLADIS, Figures 3 and A1) and by confidence."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...report.tables import Table, new_figure
from .sets import NO_CANDIDATES, NO_GOLD, NO_MENTION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Results = dict[str, Any]
SCORES = ("accuracy", "gladis_macro_f1", "sdu_macro_f1", "sklearn_macro_f1")
BAD_ROWS = {"no mention": NO_MENTION, "no candidates": NO_CANDIDATES, "no gold": NO_GOLD}


def tables(results: Results) -> Iterator[Table]:
    """The sets, and every system on them."""
    yield _overview(results)
    yield _summary(results)


def _overview(results: Results) -> Table:
    """The sets: size, candidates, coverage, bad rows."""
    columns = ("set", "rows", "acronyms", "candidates", "gold among them", *BAD_ROWS)
    table = Table("Sets", columns)
    for name, found in results["sets"].items():
        about = found["set"]
        size = about["rows"], about["acronyms"], f"{about['candidates_mean']:.1f}"
        problems = (about["problems"].get(kind, 0) for kind in BAD_ROWS.values())
        table.add(name, *size, about["covered"], *problems)
    return table


def _summary(results: Results) -> Table:
    """One line for each system on each set."""
    columns = ("set", "system", "accuracy", "macro F1", "SDU F1", "sklearn F1", "ECE", "rows/s")
    table = Table(f"Scores (macro F1: GLADIS's; counts: {results['counts']})", columns)
    for name, found in results["sets"].items():
        for system, one in found["systems"].items():
            table.add(name, system, *(one["scores"][score] for score in SCORES), *_costs(one))
    return table


def _costs(one: dict[str, Any]) -> tuple[float | None, int | None]:
    """Calibration error and rows a second."""
    speed = one["rows_per_second"]
    error = one["confidence"]["expected_calibration_error"]
    return error, None if speed is None else round(speed)


def by_candidates(name: str, systems: dict[str, Any]) -> "Figure":
    """Accuracy and macro F1 in ten equal parts of the rows by their number of candidates."""
    figure = new_figure(9, 3.5)
    axes = figure.subplots(1, 2, sharey=True)
    keys = (("accuracy", "accuracy"), ("gladis_macro_f1", "macro F1 (GLADIS)"))
    for axis, (key, label) in zip(axes, keys, strict=True):
        for system, one in systems.items():
            values = [100 * chunk["scores"][key] for chunk in one["by_candidates"]]
            axis.plot(range(1, len(values) + 1), values, marker="o", label=system)
        chunks = next(iter(systems.values()))["by_candidates"]
        names = [f"{chunk['candidates']:.0f}" for chunk in chunks]
        axis.set_xticks(range(1, len(chunks) + 1), names)
        axis.set(xlabel="mean number of candidates (tenths of the rows)", ylabel=f"{label}, %")
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize="small")
    figure.suptitle(name)
    return figure


def by_coverage(name: str, systems: dict[str, Any]) -> "Figure":
    """Right answers among the surest, by how many are answered."""
    figure = new_figure(4.5, 3.5)
    axis = figure.subplots()
    for system, one in systems.items():
        points = one["confidence"]["precision_at_coverage"]
        coverage = [100 * float(key) for key in points]
        axis.plot(coverage, [100 * value for value in points.values()], marker="o", label=system)
    axis.set(xlabel="rows answered, surest first, %", ylabel="right answers, %", title=name)
    axis.grid(alpha=0.3)
    axis.legend(fontsize="small")
    return figure
