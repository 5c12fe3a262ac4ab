"""The task `texts`: find and resolve all acronyms in whole texts.

It measures the shares of acronyms that are found and resolved correctly, and the reasons for
errors.
"""

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
    calibration_error,
    count,
    equalities,
    make_rows,
    shares,
)
from .system import SYSTEMS


def measure(data: TextsData, answers: Sequence[Answers]) -> Measured:
    """Measure how well a system resolves the acronyms that their text does not define.

    Acronyms that the text defines are easier, and are scored in a separate group. An answer is
    right if it differs from a gold long form only in spelling ("exact"). Some groups also accept
    other wordings of the same sense ("by sense").

    Args:
        data: Data set with the gold mentions of each text.
        answers: Mentions that the system found in each text, with their resolutions.

    Returns:
        The scores, with texts as rows, and scores on groups of mentions, such as subject fields.
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
    figures: dict[str, float] = {
        "no_acronym": sum(not row.mention.long_forms for row in undefined),
        "false_answers": int(counts[:, -1].sum()),
        "answers_elsewhere": answers_elsewhere(data.gold, answers),
    }
    error = calibration_error(undefined, by_sense)
    if error is not None:
        figures["calibration_error"] = round(error, 4)
    records = [as_record(row, by_sense) for row in rows]
    nonempty = {name: scored for name, scored in groups.items() if scored}
    return Measured(len(of_text), statistic, records, nonempty, figures)


def _groups(rows: Sequence[Row], exact: Same, by_sense: Same) -> dict[str, dict[str, Group]]:
    reasons = Counter(reason for row in rows if (reason := row.reason(exact)))
    gold = [row for row in rows if row.mention.long_forms]
    in_repository = [row for row in rows if row.repository]
    return {
        "equality": _equalities(rows),
        "reason": {reason: Group(rows=n, metrics={}) for reason, n in reasons.most_common()},
        "case": _parts(gold, [row.mention.case for row in gold], exact),
        "field": _parts(rows, [row.field for row in rows], exact),
        "repository": _parts(in_repository, [row.repository for row in in_repository], exact),
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
    parts = {name: counts[names == name] for name in sorted(set(keys))}
    return {name: Group(rows=len(part), metrics=shares(part)) for name, part in parts.items()}


def _thresholds(rows: Sequence[Row], same: Same) -> dict[str, Group]:
    scores = by_threshold(rows, same)
    return {name: Group(rows=len(rows), metrics=metrics) for name, metrics in scores.items()}


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

TASKS = {task.name: task for task in (TEXTS,)}
