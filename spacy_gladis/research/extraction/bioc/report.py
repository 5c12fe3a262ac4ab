"""The tables of `spacy-gladis evaluate bioc`."""

from collections.abc import Iterator
from typing import Any

from ...report.tables import Table
from .run import MISSED, WRONG


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """Scores, then the classes of errors."""
    systems: dict[str, Any] = results["systems"]
    title = f"{results['pairs']:,} pairs in {results['documents']:,} documents"
    scores = Table(
        f"Exact pairs ({title})",
        ("system", "P", "R", "F1", "F1 even documents", "F1 odd ones", "predicted", "right"),
    )
    for name, one in systems.items():
        halves = (one["halves"][half]["f1"] for half in ("even", "odd"))
        rates = (one[rate] for rate in ("precision", "recall", "f1"))
        scores.add(name, *rates, *halves, one["predicted"], one["right"])
    yield scores
    for which, kinds in (("missed", MISSED), ("wrong", WRONG)):
        table = Table(f"{which.capitalize()} pairs", ("system", *kinds))
        for name, one in systems.items():
            table.add(name, *(one[which].get(kind, 0) for kind in kinds))
        yield table
