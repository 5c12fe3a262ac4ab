"""Groups of rows of different difficulty (GLADIS, section 5.2.2)."""

import numpy as np

from ....arrays import Ints
from .sets import EvaluationSet, informative

GROUPS = 10
"""Number of groups in figures 3 and A1."""

RECALL = 0.9
"""Share of the rows whose gold long form must stay a candidate when rare candidates are dropped."""


def by_popularity(rows: EvaluationSet) -> dict[str, Ints]:
    """Group rows by whether the gold long form has the largest count (section 5.2.2, Table 7).

    Args:
        rows: The set.

    Returns:
        Row numbers by "popular", "overshadowed" and "undecided". A row is undecided if the gold
        long form shares the largest count or is not a candidate, or if all counts are equal.
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
    """Divide rows into equally large groups by their number of candidates (figures 3 and A1).

    Rows with equally many candidates stay in the order of the set.

    Args:
        rows: The set.
        groups: The number of groups, limited to the number of rows.

    Returns:
        A mapping from each group's name to its row numbers. Group "1" has the fewest candidates.
    """
    order = np.argsort([len(options) for options in rows.candidates], kind="stable")
    parts = np.array_split(order, min(groups, len(order)))
    return {str(number): np.sort(part) for number, part in enumerate(parts, 1)}


def candidates_for_recall(rows: EvaluationSet, share: float = RECALL) -> int | None:
    """Find how many of an acronym's most popular candidates must be kept (section 5.2.1).

    Args:
        rows: The evaluation set, whose candidates have different counts.
        share: Share of the rows, 0..1, whose gold candidate must be among those kept.

    Returns:
        The smallest sufficient number of candidates. None if no row has a gold candidate.
    """
    ranks = []
    for options, gold in zip(rows.candidates, rows.gold, strict=True):
        if gold >= 0:
            # Equally popular candidates before it are kept first.
            counts = np.array([candidate.total for candidate in options])
            before = (counts > counts[gold]).sum() + (counts[:gold] == counts[gold]).sum()
            ranks.append(1 + int(before))
    return sorted(ranks)[int(np.ceil(share * len(ranks))) - 1] if ranks else None
