"""The results of an evaluation as tables: for the terminal and in Markdown."""

from collections.abc import Iterator
from typing import Any

from ...report.tables import Table
from .sets import NO_CANDIDATES, NO_GOLD, NO_MENTION

Results = dict[str, Any]
BAD_ROWS = {"no mention": NO_MENTION, "no candidates": NO_CANDIDATES, "no gold": NO_GOLD}


def tables(results: Results) -> Iterator[Table]:
    """The tables of a results file (`spacy-gladis evaluate gladis --output`)."""
    for name, found in results["sets"].items():
        systems: dict[str, Any] = found["systems"]
        if not systems:
            continue
        counts = f"counts: {found['counts']}"
        yield _scores(f"{name} ({found['set']['rows']:,} rows, {counts})", systems)
        yield _popularity(f"{name}: popular and overshadowed long forms", systems)
        yield _candidates(f"{name}: accuracy by number of candidates", systems)
        yield _ranking(f"{name}: gold long form among the first k", systems)
        yield _confidence(f"{name}: precision at coverage", systems)


def overview(results: Results) -> Table:
    """The sets: size, candidates, coverage, bad rows."""
    columns = ("set", "rows", "acronyms", "candidates", "gold among them", *BAD_ROWS)
    table = Table("Sets", columns)
    for name, found in results["sets"].items():
        about = found["set"]
        table.add(
            name,
            about["rows"],
            about["acronyms"],
            f"{about['candidates_mean']:.1f}",
            about["covered"],
            *(about["problems"].get(kind, 0) for kind in BAD_ROWS.values()),
        )
    return table


def summary(results: Results) -> Table:
    """One line for each system on each set."""
    columns = ("set", "system", "accuracy", "macro F1", "SDU F1", "sklearn F1", "ECE", "rows/s")
    table = Table(f"Scores (macro F1: GLADIS's; counts: {results['counts']})", columns)
    for name, found in results["sets"].items():
        for system, one in found["systems"].items():
            scores, speed = one["scores"], one["rows_per_second"]
            table.add(
                name,
                system,
                scores["accuracy"],
                scores["gladis_macro_f1"],
                scores["sdu_macro_f1"],
                scores["sklearn_macro_f1"],
                one["confidence"]["expected_calibration_error"],
                None if speed is None else round(speed),
            )
    return table


def markdown(results: Results) -> str:
    """The whole report."""
    parts = [f"# Acronym disambiguation\n\n`{results['command']}`\n", overview(results).markdown()]
    parts += [table.markdown() for table in tables(results)]
    return "\n".join(parts)


def _scores(title: str, systems: dict[str, Any]) -> Table:
    columns = (
        "system",
        "accuracy",
        "macro F1 (GLADIS)",
        "macro F1 (SDU)",
        "macro F1 (scikit-learn)",
        "by meaning: accuracy",
        "by meaning: macro F1 (SDU)",
        "first 201: accuracy",
        "first 201: macro F1",
        "covered: accuracy",
        "ECE",
        "rows/s",
    )
    table = Table(title, columns)
    for name, one in systems.items():
        speed = one["rows_per_second"]
        table.add(
            name,
            _with_interval(one, "accuracy"),
            _with_interval(one, "gladis_macro_f1"),
            _with_interval(one, "sdu_macro_f1"),
            _with_interval(one, "sklearn_macro_f1"),
            one["by_meaning"]["accuracy"],
            one["by_meaning"]["sdu_macro_f1"],
            one["first_201"]["accuracy"],
            one["first_201"]["gladis_macro_f1"],
            one["covered"]["accuracy"] if one["covered"] else None,
            one["confidence"]["expected_calibration_error"],
            None if speed is None else round(speed),
        )
    return table


def _with_interval(one: dict[str, Any], name: str) -> str:
    value = f"{100 * one['scores'][name]:.1f}"
    if name not in one["intervals"]:
        return value
    low, high = one["intervals"][name]
    return f"{value} [{100 * low:.1f}, {100 * high:.1f}]"


def _popularity(title: str, systems: dict[str, Any]) -> Table:
    groups = next(iter(systems.values()))["by_popularity"]
    present = {name: scores["rows"] for name, scores in groups.items() if scores}
    columns = [f"{name} ({rows:,}): {what}" for name, rows in present.items() for what in _BOTH]
    table = Table(title, ("system", *columns))
    for name, one in systems.items():
        cells = [one["by_popularity"][group][key] for group in present for key in _BOTH.values()]
        table.add(name, *cells)
    return table


_BOTH = {"accuracy": "accuracy", "macro F1": "gladis_macro_f1"}


def _candidates(title: str, systems: dict[str, Any]) -> Table:
    chunks = next(iter(systems.values()))["by_candidates"]
    table = Table(title, ("system", *(f"{chunk['candidates']:.1f}" for chunk in chunks)))
    for name, one in systems.items():
        table.add(name, *(chunk["scores"]["accuracy"] for chunk in one["by_candidates"]))
    return table


def _ranking(title: str, systems: dict[str, Any]) -> Table:
    sizes = next(iter(systems.values()))["recall_at"]
    table = Table(title, ("system", *sizes))
    for name, one in systems.items():
        table.add(name, *one["recall_at"].values())
    return table


def _confidence(title: str, systems: dict[str, Any]) -> Table:
    coverages = next(iter(systems.values()))["confidence"]["precision_at_coverage"]
    columns = ("system", *(f"{100 * float(one):.0f} %" for one in coverages), "AURC")
    table = Table(title, columns)
    for name, one in systems.items():
        confidence = one["confidence"]
        area = confidence["area_under_risk_coverage"]
        table.add(name, *confidence["precision_at_coverage"].values(), area)
    return table
