"""Pairs gold mentions with a system's answers, and finds out why answers are wrong."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ....arrays import Ints
from ....resolution import Resolution
from ....text import merge_key
from ...datasets.texts import GoldMention, find_closest
from ...metrics.equal_wordings import EqualWordings, read_equal_wordings
from ...metrics.scores import expected_calibration_error
from .data import Answers, Gold

Same = Callable[[str, str], bool]
"""Function that takes two long forms and returns whether they have the same meaning."""


class Row(NamedTuple):
    """A gold mention of an acronym in a text, together with a system's answer.

    Attributes:
        number: Index of the text in the data set.
        text: Name of the text.
        field: Subject field of the text, such as "clinical".
        repository: Repository from which the text comes. Empty for other texts.
        mention: Gold mention with its long forms. It has none if it only looks like an acronym.
        answer: Resolution of the mention by the system. None if the system did not find it.
        listed: Long forms that the dictionary lists for the acronym.
    """

    number: int
    text: str
    field: str
    repository: str
    mention: GoldMention
    answer: Resolution | None
    listed: tuple[str, ...]

    def is_right(self, long_form: str, same: Same) -> bool:
        """Return whether a long form is one of the gold long forms of the mention.

        Args:
            long_form: Long form to check.
            same: Function that takes two long forms and returns whether they have the same meaning.

        Returns:
            True if the long form has the same meaning as a gold long form.
        """
        return any(same(gold, long_form) for gold in self.mention.long_forms)

    def rank(self, same: Same) -> int | None:
        """Return the rank of the right long form among the system's candidates.

        Args:
            same: Function that takes two long forms and returns whether they have the same meaning.

        Returns:
            The rank of the first right candidate, starting at 1. None if no candidate is right.
        """
        candidates = self.answer.candidates if self.answer else ()
        ranked = enumerate(candidates, 1)
        return next((rank for rank, item in ranked if self.is_right(item[0], same)), None)

    def outcome(self, same: Same) -> str:
        """Classify the system's answer to the gold mention.

        Args:
            same: Function that takes two long forms and returns whether they have the same meaning.

        Returns:
            "right", "wrong", "NIL" (found, but not resolved) or "not found" for an acronym.
            "answered" or "not answered" for a gold mention that only looks like an acronym. The
            latter is correct.
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
        """Return the reason why the system's answer to the gold mention is wrong or missing.

        Args:
            same: Function that takes two long forms and returns whether they have the same meaning.

        Returns:
            A short phrase, such as "not in the dictionary". None if there is no error: the answer
            is right, or the mention only looks like an acronym and was not answered.
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
    """Pair every gold mention of a data set with the system's answer to it.

    The answer is the resolution of the span that overlaps the gold mention. If several spans
    overlap it, the one with the closest start and end is used.

    Args:
        gold: Texts with their gold mentions.
        answers: Mentions that the system found in each text, with their resolutions.

    Yields:
        A row for each gold mention, in the order of the texts.
    """
    for number, (text, mentions) in enumerate(zip(gold.texts, answers, strict=True)):
        spans = [(start, end) for start, end, _ in mentions]
        for mention in text.mentions:
            closest = find_closest(mention, spans)
            answer = None if closest is None else mentions[closest][2]
            long_forms = gold.long_forms.get(mention.acronym, ())
            yield Row(number, text.name, text.field, text.repository, mention, answer, long_forms)


def calibration_error(rows: Sequence[Row], same: Same) -> float | None:
    """Compute the calibration error of the first candidates of all gold mentions that were found.

    Args:
        rows: Gold mentions with the system's answers.
        same: Function that takes two long forms and returns whether they have the same meaning.

    Returns:
        The expected calibration error, from 0 to 1. None if no mention has a candidate.
    """
    first = [
        (row.answer.candidates[0], row) for row in rows if row.answer and row.answer.candidates
    ]
    if not first:
        return None
    probabilities = [min(1.0, probability) for (_, probability), _ in first]
    right = [row.is_right(long_form, same) for (long_form, _), row in first]
    return expected_calibration_error(probabilities, right)


def answers_elsewhere(gold: Gold, answers: Sequence[Answers]) -> int:
    """Count the spans that a system resolved, but that are the answer to no gold mention.

    Args:
        gold: Texts with their gold mentions.
        answers: Mentions that the system found in each text, with their resolutions.

    Returns:
        The number of such spans in all texts.
    """
    count = 0
    for text, mentions in zip(gold.texts, answers, strict=True):
        spans = [(start, end) for start, end, _ in mentions]
        counted = {find_closest(mention, spans) for mention in text.mentions}
        count += sum(
            answer.long_form is not None and index not in counted
            for index, (_, _, answer) in enumerate(mentions)
        )
    return count


def equalities() -> dict[str, Same]:
    """Return the functions that decide whether two long forms have the same meaning.

    Returns:
        Two functions by name. "exact" ignores only small differences of spelling, by comparing
        merge keys. "by sense" also accepts different wordings of the same sense, from a list.
    """
    return {
        "exact": EqualWordings(merge_key, ()),
        "by sense": EqualWordings(merge_key, read_equal_wordings()),
    }


COUNTED = (
    *("mentions", "found", "right", "wrong", "nil", "not_found"),
    *("in_dictionary", "among_candidates", "ranked_first", "false_answers"),
)
"""Names of the columns that `count` returns. "in_dictionary" means that the dictionary lists a gold
long form for the acronym. "among_candidates" means that a gold long form is one of the system's
candidates. "false_answers" counts resolved mentions that only look like acronyms."""


def count(rows: Iterable[Row], same: Same) -> Ints:
    """Convert the outcome of each gold mention to columns of 0 and 1, which can be summed.

    Args:
        rows: Gold mentions with a system's answers.
        same: Function that takes two long forms and returns whether they have the same meaning.

    Returns:
        An array with the columns `COUNTED`, int64 [rows, columns].
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
    """Convert the counts of outcomes to shares of the gold mentions, and compute the precision.

    The precision is the share of right answers among all answers. An answer to a mention that only
    looks like an acronym counts as wrong.

    Args:
        counts: Array that `count` returned, int64 [rows, columns].

    Returns:
        The shares and the precision by name, each in 0..1. A value is None if there is nothing to
        divide by.
    """
    summed = dict(zip(COUNTED, counts.sum(0).tolist(), strict=True))
    mentions, false = summed.pop("mentions"), summed.pop("false_answers")
    right, wrong = summed["right"], summed["wrong"]
    fractions = {name: share(part, mentions) for name, part in summed.items()}
    return {**fractions, "precision": share(right, right + wrong + false)}


def share(part: int, whole: int) -> float | None:
    """Divide one count by another, where the divisor may be 0.

    Args:
        part: Count to divide.
        whole: Count to divide by.

    Returns:
        The quotient, or None if `whole` is 0.
    """
    return part / whole if whole else None


THRESHOLDS = (*(step / 20 for step in range(20)), 0.975, 0.99)
"""Thresholds of the probability for which `by_threshold` computes scores: 0, 0.05 and so on."""


def by_threshold(rows: Sequence[Row], same: Same) -> dict[str, dict[str, float | None]]:
    """Compute the scores that a system would have with other thresholds of the probability.

    A mention counts as answered if the probability of its first candidate reaches the threshold.
    The scores are the share of answered mentions, the share of right answers, and the precision.

    Args:
        rows: Gold mentions with a system's answers.
        same: Function that takes two long forms and returns whether they have the same meaning.

    Returns:
        A mapping from each threshold, such as "0.5", to its scores in 0..1. A score is None if
        there is nothing to divide by.
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
"""Maximum number of candidates that a record of a mention contains."""


def as_record(row: Row, same: Same) -> dict[str, Any]:
    """Convert a gold mention and the system's answer to a JSON object, for the file of answers.

    Args:
        row: Gold mention with the system's answer.
        same: Function that takes two long forms and returns whether they have the same meaning.

    Returns:
        The gold long forms, the answer, up to `SHOWN` candidates, the reason for an error and other
        properties, by name.
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
