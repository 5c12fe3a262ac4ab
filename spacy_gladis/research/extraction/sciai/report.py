"""The tables of `spacy-gladis evaluate sciai` and `evaluate sdu22-ae`."""

from collections.abc import Iterator
from typing import Any

from ...report.tables import Table
from .classes import ERRORS


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """Scores, then the classes of errors, of every system on every set."""
    scores = Table(
        f"Acronyms and long forms: {results['measure']}",
        (
            "set",
            "system",
            "short P",
            "short R",
            "short F1",
            "long P",
            "long R",
            "long F1",
            "macro F1",
            "words/s (CPU)",
        ),
    )
    errors = Table("Errors", ("set", "system", *ERRORS))
    for name, found in results["sets"].items():
        for system, one in found["systems"].items():
            short, long = one["short"], one["long"]
            scores.add(
                name,
                system,
                *(short[key] for key in ("precision", "recall", "f1")),
                *(long[key] for key in ("precision", "recall", "f1")),
                one["macro"]["f1"],
                one["words_per_second"],
            )
            errors.add(name, system, *(one["errors"].get(kind) for kind in ERRORS))
    yield scores
    yield errors
