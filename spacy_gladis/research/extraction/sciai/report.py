"""The tables of `spacy-gladis evaluate sciai` and `evaluate sdu22-ae`."""

from collections.abc import Iterator
from typing import Any

from ...report.tables import Table
from .classes import ERRORS


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """Scores, then the classes of errors, of every system on every set."""
    rates = (f"{kind} {rate}" for kind in ("short", "long") for rate in ("P", "R", "F1"))
    columns = ("set", "system", *rates, "macro F1", "words/s (CPU)")
    scores = Table(f"Acronyms and long forms: {results['measure']}", columns)
    errors = Table("Errors", ("set", "system", *ERRORS))
    for name, found in results["sets"].items():
        for system, one in found["systems"].items():
            cells = [*one["short"].values(), *one["long"].values(), one["macro"]["f1"]]
            scores.add(name, system, *cells, one["words_per_second"])
            errors.add(name, system, *(one["errors"].get(kind) for kind in ERRORS))
    yield scores
    yield errors
