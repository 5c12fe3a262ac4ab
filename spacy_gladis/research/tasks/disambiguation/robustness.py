"""Groups of test rows that differ in difficulty (GLADIS, section 5.2.2)."""

import numpy as np

from ....arrays import Ints
from .sets import EvaluationSet, informative

GROUPS = 10
"""Number of groups in figures 3 and A1 of the GLADIS paper."""

RECALL = 0.9
"""Share of the rows that must keep their gold candidate when unpopular candidates are dropped."""


def by_popularity(rows: EvaluationSet) -> dict[str, Ints]:
    """Group the rows of an evaluation set by the popularity of their gold long form.

    A gold long form is popular if it has a larger count than all other candidates of the acronym.
    It is overshadowed if another candidate has a larger count (GLADIS, section 5.2.2, Table 7).

    Args:
        rows: Evaluation set whose candidates have counts.

    Returns:
        A mapping from "popular", "overshadowed" and "undecided" to the indices of the rows. A row
        is undecided if its gold long form shares the largest count, if it is not among the
        candidates, or if all counts are equal.
    """
    kinds = []
    for options, gold in zip(rows.candidates, rows.gold, strict=True):
        counts = [candidate.total for candidate in options]
        if gold < 0 or not informative(options):
            kinds.append("undecided")
        elif counts[gold] < max(counts):
            kinds.append("overshadowed")
        else:
            kinds.append("popular" if counts.count(max(counts)) == 1 else "undecided")
    names = ("popular", "overshadowed", "undecided")
    return {name: np.flatnonzero(np.array(kinds) == name) for name in names}


def by_candidates(rows: EvaluationSet, groups: int = GROUPS) -> dict[str, Ints]:
    """Divide the rows of an evaluation set into groups of equal size by their number of candidates.

    The scores of the groups show whether a system can handle many candidates (GLADIS, figures 3 and
    A1).

    Args:
        rows: Evaluation set with the candidates of each row.
        groups: Number of groups. If there are fewer rows, each row is a group.

    Returns:
        A mapping from the name of each group to the indices of its rows, in ascending order. The
        names are numbers, and the rows of group "1" have the fewest candidates.
    """
    order = np.argsort([len(options) for options in rows.candidates], kind="stable")
    parts = np.array_split(order, min(groups, len(order)))
    return {str(number): np.sort(part) for number, part in enumerate(parts, 1)}


def candidates_for_recall(rows: EvaluationSet, share: float = RECALL) -> int | None:
    """Find how many candidates of an acronym are enough to contain the right one in most rows.

    The candidates are ranked by their counts, and only the most popular ones are kept (GLADIS,
    section 5.2.1). Rows whose gold long form is not among the candidates are ignored.

    Args:
        rows: Evaluation set whose candidates have counts.
        share: Share of the rows, 0..1, in which the gold candidate must be kept.

    Returns:
        The smallest sufficient number of candidates per acronym. None if no row has a gold
        candidate.
    """
    ranks = []
    for options, gold in zip(rows.candidates, rows.gold, strict=True):
        if gold >= 0:
            # Of equally popular candidates, the first ones are kept.
            counts = np.array([candidate.total for candidate in options])
            before = (counts > counts[gold]).sum() + (counts[:gold] == counts[gold]).sum()
            ranks.append(1 + int(before))
    return sorted(ranks)[int(np.ceil(share * len(ranks))) - 1] if ranks else None
