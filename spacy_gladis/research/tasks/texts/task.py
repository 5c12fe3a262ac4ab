"""Acronyms of whole texts: found, answered, right, and why not."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ....arrays import Ints
from ..results import Group
from ..task import Measured, Task
from .data import Answers, LabelledTexts, TextsData
from .rows import (
    Row,
    Same,
    answers_elsewhere,
    as_record,
    by_threshold,
    count,
    equalities,
    make_rows,
    shares,
)
from .system import SYSTEMS


def measure(data: TextsData, answers: Sequence[Answers]) -> Measured:
    """Measure the answers to undefined mentions; what a text defines itself is a group apart.

    Long forms of equal merge keys are the same ("exact"); so are, in a group, long forms that say
    the same in other words ("by sense"). Intervals are drawn from texts.
    """
    rows = list(make_rows(data.gold, answers))
    undefined = [row for row in rows if not row.mention.defined]
    exact, by_sense = equalities().values()
    counts = count(undefined, exact)
    of_text = np.zeros((len(data.gold.texts), counts.shape[1]), dtype=np.int64)
    np.add.at(of_text, [row.number for row in undefined], counts)
    whole = shares(counts)

    def statistic(texts: Ints) -> dict[str, float]:
        drawn = shares(of_text[texts])
        return {name: drawn[name] or 0.0 for name, value in whole.items() if value is not None}

    groups = {
        **_groups(undefined, exact, by_sense),
        "defined in the text": _equalities([row for row in rows if row.mention.defined]),
    }
    figures = {
        "no_acronym": sum(not row.mention.long_forms for row in undefined),
        "false_answers": int(counts[:, -1].sum()),
        "answers_elsewhere": answers_elsewhere(data.gold, answers),
    }
    records = [as_record(row, by_sense) for row in rows]
    kept = {name: found for name, found in groups.items() if found}
    return Measured(len(of_text), statistic, records, kept, figures)


def _groups(rows: Sequence[Row], exact: Same, by_sense: Same) -> dict[str, dict[str, Group]]:
    reasons = Counter(why for row in rows if (why := row.reason(exact)))
    gold = [row for row in rows if row.mention.long_forms]
    of_one = [row for row in rows if row.repository]
    return {
        "equality": _equalities(rows),
        "reason": {why: Group(rows=n, metrics={}) for why, n in reasons.most_common()},
        "case": _parts(gold, [row.mention.case for row in gold], exact),
        "field": _parts(rows, [row.field for row in rows], exact),
        "repository": _parts(of_one, [row.repository for row in of_one], exact),
        "threshold": _thresholds(rows, exact),
        "threshold, by sense": _thresholds(rows, by_sense),
    }


def _equalities(rows: Sequence[Row]) -> dict[str, Group]:
    if not rows:
        return {}
    return {
        name: Group(rows=len(rows), metrics=shares(count(rows, same)))
        for name, same in equalities().items()
    }


def _parts(rows: Sequence[Row], keys: Sequence[str], same: Same) -> dict[str, Group]:
    counts, names = count(rows, same), np.array(keys, dtype=object)
    chosen = {name: counts[names == name] for name in sorted(set(keys))}
    return {name: Group(rows=len(one), metrics=shares(one)) for name, one in chosen.items()}


def _thresholds(rows: Sequence[Row], same: Same) -> dict[str, Group]:
    found = by_threshold(rows, same)
    return {name: Group(rows=len(rows), metrics=metrics) for name, metrics in found.items()}


TEXTS = Task(
    "texts",
    LabelledTexts,
    measure,
    SYSTEMS,
    {
        "right": "right",
        "wrong": "wrong",
        "NIL": "nil",
        "missed": "not_found",
        "precision": "precision",
        "known": "in_dictionary",
        "choice": "among_candidates",
        "first": "ranked_first",
    },
)

TASKS = {one.name: one for one in (TEXTS,)}
