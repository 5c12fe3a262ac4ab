"""Questions with evidence, made without a model."""

from collections.abc import Sequence

import numpy as np

from spacy_gladis.arrays import Floats
from spacy_gladis.dictionary import Candidate
from spacy_gladis.linking.candidates import Question, compute_nil_features
from spacy_gladis.linking.features import Evidence

NO_TOPICS = np.zeros(0, np.float32)


def evidence_for(
    candidates: Sequence[Candidate],
    table: Floats,
    *,
    acronym: str = "AI",
    document: int = 0,
    topics: Floats = NO_TOPICS,
) -> Evidence:
    """Return evidence for an acronym with these candidates and features."""
    nothing = np.zeros(len(candidates), np.float32)
    nil = compute_nil_features(len(candidates), 8, 1)
    key = document, acronym.casefold()
    question = Question(
        document, acronym, (0,), tuple(candidates), nothing, nothing, nothing, nil, key
    )
    return Evidence(question, (table,), table, np.zeros((1, 0), np.float32), topics, topics)
