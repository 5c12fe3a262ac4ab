"""Which candidates of one acronym are spellings of one meaning.

Mined dictionaries hold "computed tomography", "computed tomographic", "computed tomography scan".
Each would take its share of the probability, and the right meaning would look unsure. So a
resolution speaks of meanings: the shares of the spellings are added, and the most frequent
spelling stands for them.
"""

from collections.abc import Sequence

from ..dictionary import Candidate
from ..dictionary.spellings import group_spellings


def meanings(candidates: Sequence[Candidate]) -> list[int]:
    """For each candidate the index of the one that stands for its meaning.

    Candidates come in the order of preference: a later one joins the first earlier one that it
    is a spelling of. The one that stands for a meaning is its most frequent.
    """
    found = group_spellings(tuple(candidate.long_form for candidate in candidates))
    best: dict[int, int] = {}
    for index, group in enumerate(found):
        if group not in best or candidates[index].total > candidates[best[group]].total:
            best[group] = index
    return [best[group] for group in found]
