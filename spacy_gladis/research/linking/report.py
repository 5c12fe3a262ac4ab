"""The tables of `spacy-gladis evaluate cometa`."""

from collections.abc import Iterator
from typing import Any

from ..report.tables import Table

SCORES = ("system", "Acc@1", "interval", "Acc@10", "MRR", "fit, CPU s", "phrases/s", "MB")


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """Two tables a set: scores with CPU time and memory; Acc@1 of the groups of phrases."""
    for name, found in results["sets"].items():
        title = (
            f"{name or 'published'}: {found['test']:,} phrases against {found['concepts']:,} "
            f"concepts with {found['names']:,} names; {found['not in the inventory']:,} phrases "
            "have none of them"
        )
        systems = {name: one for name, one in found["systems"].items() if "groups" in one}
        yield _scores(title, systems)
        yield _groups(f"{name or 'published'}: Acc@1 of groups of phrases", systems)


def _scores(title: str, systems: dict[str, Any]) -> Table:
    table = Table(title, SCORES)
    for system, one in systems.items():
        low, high = one.get("intervals", {}).get("accuracy_at_1", (None, None))
        interval = None if low is None else f"{100 * low:.1f} to {100 * high:.1f}"
        costs = f"{one['cpu_seconds']['fit']:.1f}", one["phrases_per_cpu_second"], one["memory_mb"]
        table.add(system, one["accuracy_at_1"], interval, one["accuracy_at_10"], one["mrr"], *costs)
    return table


def _groups(title: str, systems: dict[str, Any]) -> Table:
    sizes = {
        group: scores["mentions"]
        for one in systems.values()
        for group, scores in one["groups"].items()
        if scores
    }
    table = Table(title, ("system", *(f"{group} ({size:,})" for group, size in sizes.items())))
    for system, one in systems.items():
        table.add(system, *(one["groups"][group]["accuracy_at_1"] for group in sizes))
    return table
