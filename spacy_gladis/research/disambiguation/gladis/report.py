"""The results of an evaluation as tables."""

from collections.abc import Iterator
from typing import Any

from ...report.tables import Table
from .sets import NO_CANDIDATES, NO_GOLD, NO_MENTION

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
