"""The results on WiC-TSV as tables."""

from collections.abc import Iterator
from typing import Any

from ..report.tables import Table
from .run import METRICS, TASKS

COLUMNS = ("accuracy", "± (seeds)", "precision", "recall", "F1", "seeds")


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """A table for each task, one of domains and one learning curve where there is one."""
    for task, systems in results["tasks"].items():
        size = results["sets"]["dev"]["items"]
        title = f"Task {task}: {TASKS[int(task)]}; development set, {size:,} items"
        rows = [(name, *_cells(one["mean"])) for name, one in systems.items()]
        yield Table(title, ("system", *COLUMNS), rows)
        yield from _domains(task, systems)
        if curve := results["learning_curve"].get(task):
            yield _curve(task, curve)


def markdown(results: dict[str, Any]) -> str:
    """All tables in Markdown."""
    return "\n".join(table.markdown() for table in tables(results))


def _cells(mean: dict[str, Any]) -> list[Any]:
    accuracy, *others = (mean[name] for name in METRICS)
    return [accuracy, mean["accuracy_deviation"], *others, mean["seeds"]]


def _domains(task: str, systems: dict[str, Any]) -> Iterator[Table]:
    rows = [
        (name, domain, *_cells(mean))
        for name, one in systems.items()
        for domain, mean in one["domains"].items()
    ]
    if rows:
        yield Table(f"Task {task} by domain", ("system", "domain", *COLUMNS), rows)


def _curve(task: str, curve: dict[str, Any]) -> Table:
    shares = sorted({float(share) for by_share in curve.values() for share in by_share})
    columns = ("share of the training targets", *(f"{100 * share:g} %" for share in shares))
    table = Table(f"Task {task}: accuracy by size of the training set", columns)
    for name, by_share in curve.items():
        cells = (by_share.get(f"{share:g}", {}).get("accuracy") for share in shares)
        table.add(name, *cells)
    return table
