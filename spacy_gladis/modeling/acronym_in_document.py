"""An acronym in one document, with all that speaks for its candidates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..arrays import Floats
from ..dictionary import Candidate, same_key


@dataclass
class AcronymInDocument:
    """An acronym in one document: its mentions' indices, its candidates and the evidence for them.

    phrases: [candidates], how likely a phrase of the document spells each; folder: [candidates],
    how much the definitions of other documents say so. surroundings: what speaks for NIL,
    [NIL_FEATURES]. features: [candidates, FEATURES] of each context that was read. queries:
    [contexts read, width], their vectors. own_words: what the words around the mentions tell of the
    document's topics, [topics]. alone: whether it is its document's only acronym, and the
    document short. topics: the document's, as this acronym sees them, [topics].
    """

    document: int
    acronym: str
    indices: list[int]
    candidates: list[Candidate]
    phrases: Floats
    folder: Floats
    surroundings: Floats
    features: list[Floats] = field(default_factory=list)
    own_words: Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    alone: bool = False
    topics: Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    queries: Floats = field(default_factory=lambda: np.zeros((0, 0), np.float32))


def with_phrases(
    candidates: Sequence[Candidate], phrases: Mapping[str, float]
) -> tuple[list[Candidate], Floats]:
    """The candidates, and the phrases that are none of them; how likely a phrase spells each.

    phrases: of the document, with how likely they are meant, 0..1. A candidate that is a phrase
    alone has no counts.
    """
    found = list(candidates)
    if not phrases:  # as for most acronyms, whose candidates need no keys then
        return found, np.zeros(len(found), np.float32)
    likely = [0.0] * len(found)
    indices = {same_key(candidate.long_form): i for i, candidate in enumerate(found)}
    for written, probability in phrases.items():
        phrase = " ".join(written.split())
        index = indices.setdefault(same_key(phrase), len(found))
        if index == len(found):
            found.append(Candidate(phrase, {}, 0, -1))
            likely.append(0.0)
        likely[index] = max(likely[index], probability)
    return found, np.array(likely, np.float32)
