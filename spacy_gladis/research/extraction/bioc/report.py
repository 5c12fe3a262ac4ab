"""The tables of `spacy-gladis evaluate bioc`."""

from collections.abc import Iterator
from typing import Any

from ...report.tables import Table
from .classes import MISSED


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
    missed = Table("Missed pairs", ("system", *MISSED))
    for name, one in systems.items():
        missed.add(name, *(one["missed"][kind] for kind in MISSED))
    yield missed
    wrong = Table("Wrong pairs", ("system", "boundary", "no definition"))
    for name, one in systems.items():
        wrong.add(name, one["wrong"].get("boundary", 0), one["wrong"].get("no definition", 0))
    yield wrong
