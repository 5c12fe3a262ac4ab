"""Gold mentions with what a system says of them: right, wrong, NIL or not found, and why."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ....arrays import Ints
from ....resolution import Resolution
from ....text import merge_key
from ...datasets.texts import GoldMention
from ...metrics.equal_wordings import EqualWordings, read_equal_wordings
from .data import Answers, Gold

Same = Callable[[str, str], bool]
"""Whether two long forms are the same."""


class Row(NamedTuple):
    """A gold mention and what a system says of it.

    Attributes:
        number: The text's number.
        text: The text's name.
        field: The text's field.
        repository: The text's repository; empty for none.
        mention: The mention.
        answer: None where the mention was not found.
        known: The dictionary's long forms for the acronym, found or not.
    """

    number: int
    text: str
    field: str
    repository: str
    mention: GoldMention
    answer: Resolution | None
    known: tuple[str, ...]

    def is_right(self, long_form: str, same: Same) -> bool:
        """Return whether this is a long form that the gold accepts."""
        return any(same(gold, long_form) for gold in self.mention.long_forms)

    def rank(self, same: Same) -> int | None:
        """Return the place, from 1 on, of the first right candidate; None if there is none."""
        candidates = self.answer.candidates if self.answer else ()
        places = enumerate(candidates, 1)
        return next((place for place, one in places if self.is_right(one[0], same)), None)

    def outcome(self, same: Same) -> str:
        """Say "right", "wrong", "NIL" or "not found"; of no acronym: "answered" or not."""
        answer = self.answer
        if not self.mention.long_forms:
            return "answered" if answer and answer.long_form is not None else "not answered"
        if answer is None:
            return "not found"
        if answer.long_form is None:
            return "NIL"
        return "right" if self.is_right(answer.long_form, same) else "wrong"

    def reason(self, same: Same) -> str | None:
        """Say why a mention is not answered rightly; None where it is."""
        outcome = self.outcome(same)
        if outcome in ("right", "not answered"):
            return None
        if outcome == "answered":
            return "it is no acronym"
        lacking = not any(self.is_right(one, same) for one in self.known)
        if self.answer is None:
            return "not found, nor in the dictionary" if lacking else "not found"
        if self.answer.source == "definition":
            return "taken as defined in the text"
        rank = self.rank(same)
        if rank is None:
            return "not in the dictionary" if lacking else "in the dictionary, but no candidate"
        return "right, but withheld" if rank == 1 else "another candidate comes first"


def make_rows(gold: Gold, answers: Sequence[Answers]) -> Iterator[Row]:
    """Pair every gold mention with what is said of it."""
    for number, (text, said) in enumerate(zip(gold.texts, answers, strict=True)):
        for mention in text.mentions:
            answer, known = _answer(mention, said), gold.known.get(mention.acronym, ())
            yield Row(number, text.name, text.field, text.repository, mention, answer, known)


def _answer(gold: GoldMention, said: Answers) -> Resolution | None:
    """What is said of the span that overlaps a gold mention, the nearest where several do."""
    near = [
        (abs(start - gold.start) + abs(end - gold.end), place)
        for place, (start, end, _) in enumerate(said)
        if start < gold.end and gold.start < end
    ]
    return said[min(near)[1]][2] if near else None


def answers_elsewhere(gold: Gold, answers: Sequence[Answers]) -> int:
    """Count the answers on spans that overlap no gold mention."""
    return sum(
        answer.long_form is not None
        and not any(start < one.end and one.start < end for one in text.mentions)
        for text, said in zip(gold.texts, answers, strict=True)
        for start, end, answer in said
    )


def equalities() -> dict[str, Same]:
    """Return when two long forms are the same: equal merge keys; the same in other words."""
    return {
        "exact": EqualWordings(merge_key, ()),
        "by sense": EqualWordings(merge_key, read_equal_wordings()),
    }


COUNTED = (
    *("mentions", "found", "right", "wrong", "nil", "not_found"),
    *("in_dictionary", "among_candidates", "ranked_first", "false_answers"),
)
"""What is counted of each row; the dictionary has the gold for the acronym (`in_dictionary`), the
linker had it to choose from (`among_candidates`), an answer on what is no acronym is false."""


def count(rows: Iterable[Row], same: Same) -> Ints:
    """Count rows, int64 [rows, COUNTED]."""
    counts = []
    for row in rows:
        outcome, rank = row.outcome(same), row.rank(same)
        gold = bool(row.mention.long_forms)
        counts.append(
            [
                gold,
                gold and outcome != "not found",
                outcome == "right",
                outcome == "wrong",
                outcome == "NIL",
                outcome == "not found",
                gold and any(row.is_right(one, same) for one in row.known),
                gold and rank is not None,
                gold and rank == 1,
                outcome == "answered",
            ]
        )
    return np.array(counts, dtype=np.int64).reshape(-1, len(COUNTED))


def shares(counts: Ints) -> dict[str, float | None]:
    """Turn counts, int64 [rows, COUNTED], into shares of the gold mentions, and the precision.

    The precision is that of the answers, of which those on what is no acronym are wrong. A share
    of nothing is None.
    """
    summed = dict(zip(COUNTED, counts.sum(0).tolist(), strict=True))
    mentions, false = summed.pop("mentions"), summed.pop("false_answers")
    right, wrong = summed["right"], summed["wrong"]
    found = {name: share(part, mentions) for name, part in summed.items()}
    return {**found, "precision": share(right, right + wrong + false)}


def share(part: int, whole: int) -> float | None:
    """Return the part's share of the whole; None of nothing."""
    return part / whole if whole else None


THRESHOLDS = (*(step / 20 for step in range(20)), 0.975, 0.99)


def by_threshold(rows: Sequence[Row], same: Same) -> dict[str, dict[str, float | None]]:
    """Measure the answers if the threshold were another: coverage and risk."""
    mentions = sum(bool(row.mention.long_forms) for row in rows)
    first = [
        (row.answer.candidates[0][1], row.is_right(row.answer.candidates[0][0], same))
        for row in rows
        if row.answer is not None and row.answer.candidates
    ]
    found = {}
    for threshold in THRESHOLDS:
        given = [right for probability, right in first if probability >= threshold]
        found[f"{threshold:g}"] = {
            "answered": share(len(given), mentions),
            "right": share(sum(given), mentions),
            "precision": share(sum(given), len(given)),
        }
    return found


SHOWN = 10
"""Candidates of a mention that are written."""


def as_record(row: Row, same: Same) -> dict[str, Any]:
    """Describe a mention and its answer; the reason is None where the answer is right."""
    answer, gold = row.answer, row.mention
    return {
        "reason": row.reason(same),
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
