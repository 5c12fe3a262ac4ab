"""The mentions that are not answered rightly, each with its candidates and the reason."""

from collections.abc import Iterable, Iterator
from typing import Any

from .measure import Row, Same

SHOWN = 10
"""Candidates of a mention that are written."""


def reason(row: Row, same: Same) -> str | None:
    """Why a mention is not answered rightly; None where it is."""
    outcome = row.outcome(same)
    if outcome in ("right", "not answered"):
        return None
    if outcome == "answered":
        return "it is no acronym"
    lacking = not any(row.is_right(one, same) for one in row.known)
    if outcome == "not found":
        return "not found, nor in the dictionary" if lacking else "not found"
    assert row.answer is not None
    if row.answer.source == "definition":
        return "taken as defined in the text"
    rank = row.rank(same)
    if rank is None:
        return "not in the dictionary" if lacking else "in the dictionary, but no candidate"
    return "right, but withheld" if rank == 1 else "another candidate comes first"


def mistakes(rows: Iterable[Row], same: Same) -> Iterator[dict[str, Any]]:
    """A record of each mention that is not answered rightly, in the order of the rows."""
    for row in rows:
        if (why := reason(row, same)) is None:
            continue
        answer, gold = row.answer, row.mention
        yield {
            "reason": why,
            "acronym": gold.acronym,
            "gold": list(gold.long_forms),
            "answer": answer.long_form if answer else None,
            "probability": round(answer.probability, 4) if answer else None,
            "rank": row.rank(same),
            "candidates": [
                [name, round(probability, 4)]
                for name, probability in (answer.candidates[:SHOWN] if answer else ())
            ],
            "case": gold.case,
            "defined": gold.defined,
            "field": row.field,
            "text": row.text,
            "start": gold.start,
            "end": gold.end,
        }


def count_reasons(rows: Iterable[Row], same: Same) -> dict[str, int]:
    """How many mentions each reason has, the commonest first."""
    counts: dict[str, int] = {}
    for row in rows:
        if why := reason(row, same):
            counts[why] = counts.get(why, 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: -pair[1]))
