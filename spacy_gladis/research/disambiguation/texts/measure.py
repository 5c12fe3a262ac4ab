"""Counting right, wrong, NIL and not found, by what mentions have in common; and the mistakes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from ....resolution import Resolution
from ...datasets.texts import GoldMention
from ...report.tables import Columns, Table

Same = Callable[[str, str], bool]
"""Whether two long forms are the same."""

THRESHOLDS = (*(step / 20 for step in range(20)), 0.975, 0.99)


class Row(NamedTuple):
    """A gold mention and what the pipeline says of it.

    text, field, repository: the text's name, field and repository, empty for none. answer: None
    where the mention was not found. known: the dictionary's long forms for the acronym, found or
    not.
    """

    text: str
    field: str
    repository: str
    mention: GoldMention
    answer: Resolution | None
    known: tuple[str, ...]

    def is_right(self, long_form: str, same: Same) -> bool:
        """Whether this is a long form that the gold accepts."""
        return any(same(gold, long_form) for gold in self.mention.long_forms)

    def rank(self, same: Same) -> int | None:
        """The place of the first right one among the candidates, from 1 on; None: there is none."""
        candidates = self.answer.candidates if self.answer else ()
        places = enumerate(candidates, 1)
        return next((place for place, one in places if self.is_right(one[0], same)), None)

    def outcome(self, same: Same) -> str:
        """Right, wrong, NIL or not found; of what is no acronym: answered or not answered."""
        answer = self.answer
        if not self.mention.long_forms:
            return "answered" if answer and answer.long_form is not None else "not answered"
        if answer is None:
            return "not found"
        if answer.long_form is None:
            return "NIL"
        return "right" if self.is_right(answer.long_form, same) else "wrong"


def measure(rows: Sequence[Row], same: Same) -> dict[str, Any]:
    """All figures of these rows, shares in 0..1, with long forms that are the `same` as right."""
    gold = [row for row in rows if row.mention.long_forms]
    of_one = [row for row in rows if row.repository]
    return {
        **scores(rows, same),
        "by_case": _by(gold, same, lambda row: row.mention.case),
        "by_field": _by(rows, same, lambda row: row.field),
        "by_repository": _by(of_one, same, lambda row: row.repository),
        "thresholds": list(_thresholds(rows, same)),
    }


def scores(rows: Sequence[Row], same: Same) -> dict[str, Any]:
    """The figures of a number of mentions; a share of nothing is None.

    `found` to `ranked_first` are shares of the gold mentions. `precision` is that of the answers,
    of which those on what is no acronym are wrong. `in_dictionary`: the dictionary has the gold for
    this acronym; `among_candidates`: the linker had it to choose from.
    """
    outcomes = [row.outcome(same) for row in rows]
    gold = [row for row in rows if row.mention.long_forms]
    right, wrong, false = (outcomes.count(name) for name in ("right", "wrong", "answered"))
    ranks = [row.rank(same) for row in gold]
    in_dictionary = sum(any(row.is_right(one, same) for one in row.known) for row in gold)
    counts = {
        "found": len(gold) - outcomes.count("not found"),
        "right": right,
        "wrong": wrong,
        "nil": outcomes.count("NIL"),
        "not_found": outcomes.count("not found"),
        "in_dictionary": in_dictionary,
        "among_candidates": sum(rank is not None for rank in ranks),
        "ranked_first": ranks.count(1),
    }
    return {
        "mentions": len(gold),
        **{name: _share(count, len(gold)) for name, count in counts.items()},
        "precision": _share(right, right + wrong + false),
        "no_acronym": len(rows) - len(gold),
        "false_answers": false,
    }


def _by(rows: Iterable[Row], same: Same, key: Callable[[Row], str]) -> dict[str, Any]:
    parts = groupby(sorted(rows, key=key), key)
    return {name: scores(list(chosen), same) for name, chosen in parts}


def _thresholds(rows: Sequence[Row], same: Same) -> Iterable[dict[str, Any]]:
    """Answers and their precision if the threshold were another: coverage and risk."""
    mentions = sum(bool(row.mention.long_forms) for row in rows)
    first = [
        (row.answer.candidates[0][1], row.is_right(row.answer.candidates[0][0], same))
        for row in rows
        if row.answer is not None and row.answer.candidates
    ]
    for threshold in THRESHOLDS:
        given = [right for probability, right in first if probability >= threshold]
        yield {
            "threshold": threshold,
            "answered": _share(len(given), mentions),
            "right": _share(sum(given), mentions),
            "precision": _share(sum(given), len(given)),
        }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


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
    return dict(Counter(filter(None, (reason(row, same) for row in rows))).most_common())


Results = dict[str, Any]

COLUMNS: Columns = {
    "gold": "mentions",
    "right": "right",
    "wrong": "wrong",
    "NIL": "nil",
    "missed": "not_found",
    "prec.": "precision",
    "known": "in_dictionary",
    "first": "ranked_first",
}
WHOLE: Columns = {**COLUMNS, "choice": "among_candidates", "false": "false_answers"}

THRESHOLD: Columns = {one: one for one in ("answered", "right", "precision")}

LEGEND = (
    "missed: not found; prec.: of the answers; known: the dictionary has the gold; first: it ranks "
    "first, answered or not; choice: it is a candidate; false: answers on what is no acronym"
)

PARTS = {
    "by_case": "by case",
    "by_field": "by field",
    "by_repository": "by repository",
}


def tables(results: Results) -> Iterator[Table]:
    """The tables of a run: the whole under every rule of equality, the parts under "exact"."""
    for name in ("undefined", "defined"):
        if rules := results.get(name):
            title = f"{name.capitalize()} mentions of {_what(results)}"
            yield Table.of(title, ("",), WHOLE, rules.items())
            reasons = dict.fromkeys(why for found in rules.values() for why in found["reasons"])
            counts = [[found["reasons"].get(why, 0) for found in rules.values()] for why in reasons]
            rows = [(why, *row) for why, row in zip(reasons, counts, strict=True)]
            yield Table(f"Why {name} mentions are not right", ("reason", *rules), rows)
    found = results.get("undefined", {}).get("exact", {})
    for key, part in PARTS.items():
        if found.get(key):
            yield Table.of(f"Undefined mentions {part}, exact", ("",), COLUMNS, found[key].items())
    if found:
        title = "Undefined mentions by threshold, exact"
        tried = ((f"{one['threshold']:.2f}", one) for one in found["thresholds"])
        yield Table.of(title, ("threshold",), THRESHOLD, tried)


def _what(results: Results) -> str:
    return (
        f"{results['data']}, {results['texts']:,} texts in {results['seconds']:,} s, "
        f"{results['mentions_per_second']:,} mentions/s, "
        f"{results['answers_elsewhere']:,} answers on what is not marked. {LEGEND}"
    )
