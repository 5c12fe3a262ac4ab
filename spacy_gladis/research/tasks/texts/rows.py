"""Gold mentions paired with a system's answers, with outcomes and reasons for errors."""

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
"""Function that returns whether two long forms have the same meaning."""


class Row(NamedTuple):
    """A gold mention and a system's answer.

    Attributes:
        number: Index of the text.
        text: Name of the text.
        field: Subject field of the text.
        repository: Repository of the text. Empty if it has none.
        mention: The gold mention. It has no long forms if it is not an acronym.
        answer: The system's resolution. None if it did not find the mention.
        listed: The dictionary's long forms for the acronym.
    """

    number: int
    text: str
    field: str
    repository: str
    mention: GoldMention
    answer: Resolution | None
    listed: tuple[str, ...]

    def is_right(self, long_form: str, same: Same) -> bool:
        """Return whether a long form equals one of the gold long forms.

        Args:
            long_form: The long form.
            same: Function that returns whether two long forms have the same meaning.

        Returns:
            True if the long form is right.
        """
        return any(same(gold, long_form) for gold in self.mention.long_forms)

    def rank(self, same: Same) -> int | None:
        """Return the rank of the first right candidate.

        Args:
            same: Function that returns whether two long forms have the same meaning.

        Returns:
            The rank, starting at 1. None if no candidate is right.
        """
        candidates = self.answer.candidates if self.answer else ()
        ranked = enumerate(candidates, 1)
        return next((rank for rank, item in ranked if self.is_right(item[0], same)), None)

    def outcome(self, same: Same) -> str:
        """Return the outcome of the mention.

        Args:
            same: Function that returns whether two long forms have the same meaning.

        Returns:
            "right", "wrong", "NIL" or "not found" for an acronym, and "answered" or "not answered"
            for a gold mention that is not an acronym.
        """
        answer = self.answer
        if not self.mention.long_forms:
            return "answered" if answer and answer.long_form is not None else "not answered"
        if answer is None:
            return "not found"
        if answer.long_form is None:
            return "NIL"
        return "right" if self.is_right(answer.long_form, same) else "wrong"

    def reason(self, same: Same) -> str | None:
        """Return the reason why the answer is wrong or missing.

        Args:
            same: Function that returns whether two long forms have the same meaning.

        Returns:
            The reason. None if the answer is right, or if a non-acronym was rightly not answered.
        """
        outcome = self.outcome(same)
        if outcome in ("right", "not answered"):
            return None
        if outcome == "answered":
            return "it is no acronym"
        lacking = not any(self.is_right(long_form, same) for long_form in self.listed)
        if self.answer is None:
            return "not found, nor in the dictionary" if lacking else "not found"
        if self.answer.source == "definition":
            return "taken as defined in the text"
        rank = self.rank(same)
        if rank is None:
            return "not in the dictionary" if lacking else "in the dictionary, but no candidate"
        return "right, but withheld" if rank == 1 else "another candidate comes first"


def make_rows(gold: Gold, answers: Sequence[Answers]) -> Iterator[Row]:
    """Pair every gold mention with the system's answer.

    Args:
        gold: The gold mentions.
        answers: The mentions that the system found in each text.

    Yields:
        A row for each gold mention.
    """
    for number, (text, mentions) in enumerate(zip(gold.texts, answers, strict=True)):
        for mention in text.mentions:
            answer, long_forms = (
                _answer(mention, mentions),
                gold.long_forms.get(mention.acronym, ()),
            )
            yield Row(number, text.name, text.field, text.repository, mention, answer, long_forms)


def _answer(gold: GoldMention, mentions: Answers) -> Resolution | None:
    """Return the resolution of the span that overlaps a gold mention, the nearest if several do."""
    near = [
        (abs(start - gold.start) + abs(end - gold.end), index)
        for index, (start, end, _) in enumerate(mentions)
        if start < gold.end and gold.start < end
    ]
    return mentions[min(near)[1]][2] if near else None


def answers_elsewhere(gold: Gold, answers: Sequence[Answers]) -> int:
    """Count the spans that a system resolved although they overlap no gold mention.

    Args:
        gold: The gold mentions.
        answers: The mentions that the system found in each text.

    Returns:
        The number of spans.
    """
    return sum(
        answer.long_form is not None
        and not any(start < mention.end and mention.start < end for mention in text.mentions)
        for text, mentions in zip(gold.texts, answers, strict=True)
        for start, end, answer in mentions
    )


def equalities() -> dict[str, Same]:
    """Return the functions that compare long forms, by name.

    Returns:
        Two functions. "exact" compares merge keys, and "by sense" also accepts other known wordings
        of the same sense.
    """
    return {
        "exact": EqualWordings(merge_key, ()),
        "by sense": EqualWordings(merge_key, read_equal_wordings()),
    }


COUNTED = (
    *("mentions", "found", "right", "wrong", "nil", "not_found"),
    *("in_dictionary", "among_candidates", "ranked_first", "false_answers"),
)
"""The columns of `count`. `in_dictionary`: the dictionary lists a gold long form for the acronym;
`among_candidates`: the linker does; `false_answers`: a non-acronym was resolved."""


def count(rows: Iterable[Row], same: Same) -> Ints:
    """Count the outcomes of each row in columns that can be summed.

    Args:
        rows: The rows.
        same: Function that returns whether two long forms have the same meaning.

    Returns:
        0 or 1 for each of `COUNTED`, int64 [rows, COUNTED].
    """
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
                gold and any(row.is_right(long_form, same) for long_form in row.listed),
                gold and rank is not None,
                gold and rank == 1,
                outcome == "answered",
            ]
        )
    return np.array(counts, dtype=np.int64).reshape(-1, len(COUNTED))


def shares(counts: Ints) -> dict[str, float | None]:
    """Convert counts to shares of the gold mentions, and compute the precision.

    Answers to non-acronyms count as wrong in the precision.

    Args:
        counts: Counts returned by `count`, int64 [rows, COUNTED].

    Returns:
        Shares in 0..1 by name. A share is None if its denominator is 0.
    """
    summed = dict(zip(COUNTED, counts.sum(0).tolist(), strict=True))
    mentions, false = summed.pop("mentions"), summed.pop("false_answers")
    right, wrong = summed["right"], summed["wrong"]
    fractions = {name: share(part, mentions) for name, part in summed.items()}
    return {**fractions, "precision": share(right, right + wrong + false)}


def share(part: int, whole: int) -> float | None:
    """Compute the share of a part in the whole.

    Args:
        part: The numerator.
        whole: The denominator.

    Returns:
        The quotient, or None if the whole is 0.
    """
    return part / whole if whole else None


THRESHOLDS = (*(step / 20 for step in range(20)), 0.975, 0.99)
"""Probability thresholds for which `by_threshold` computes scores."""


def by_threshold(rows: Sequence[Row], same: Same) -> dict[str, dict[str, float | None]]:
    """Compute the coverage ("answered"), the precision and other scores at each of `THRESHOLDS`.

    Args:
        rows: The rows.
        same: Function that returns whether two long forms have the same meaning.

    Returns:
        A mapping from each threshold to its scores in 0..1.
    """
    mentions = sum(bool(row.mention.long_forms) for row in rows)
    first = [
        (row.answer.candidates[0][1], row.is_right(row.answer.candidates[0][0], same))
        for row in rows
        if row.answer is not None and row.answer.candidates
    ]
    scores = {}
    for threshold in THRESHOLDS:
        answered = [right for probability, right in first if probability >= threshold]
        scores[f"{threshold:g}"] = {
            "answered": share(len(answered), mentions),
            "right": share(sum(answered), mentions),
            "precision": share(sum(answered), len(answered)),
        }
    return scores


SHOWN = 10
"""Maximum number of candidates in a record."""


def as_record(row: Row, same: Same) -> dict[str, Any]:
    """Describe a mention and its answer as a JSON object.

    Args:
        row: The row.
        same: Function that returns whether two long forms have the same meaning.

    Returns:
        The object, with up to `SHOWN` candidates.
    """
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
