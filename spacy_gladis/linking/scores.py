"""Logits of candidates, from their features and from what was learnt of their senses.

The second stage needs them for the topics of a document, and the third one for the ranking.
"""

from collections.abc import Sequence

import numpy as np

from ..arrays import Floats
from .acrobert import AcroBERT
from .candidates import Question
from .sense_vectors import sense_key


def compute_logits(
    model: AcroBERT, question: Question, tables: Sequence[Floats], queries: Floats
) -> list[Floats]:
    """Compute the logits of a question's candidates in each encoded context.

    Args:
        model: The model with the weights of the features.
        question: The question.
        tables: Features of its candidates in each context, [candidates, FEATURES].
        queries: Vectors of the contexts, [contexts, width].

    Returns:
        Logits for each context, float32 [candidates].
    """
    weights = model.settings.select_weights(question.is_alone)
    names = [candidate.long_form for candidate in question.candidates]
    return [
        weights.logits(table) + score_adapted(model, names, query)
        for table, query in zip(tables, queries, strict=True)
    ]


def score_adapted(model: AcroBERT, long_forms: Sequence[str], query: Floats) -> Floats:
    """Compute the part of the logits that comes from fine-tuning on labelled texts.

    Args:
        model: The model with the senses that were fine-tuned.
        long_forms: Long forms of the candidates.
        query: Vector of the context, [width].

    Returns:
        Logits to add, float32 [long forms]; 0 for senses that were not fine-tuned.
    """
    if not len(model.adapted_senses):
        return np.zeros(len(long_forms), np.float32)
    return model.adapted_senses.compare([sense_key(name) for name in long_forms], query)
