"""Reranking: boosted trees score the best candidates of a question by all their features.

The logit of `calibration.py` adds up weighted features, so it can't use interactions between them,
such as a cosine that counts for less where a common list names another candidate. The trees
(Friedman 2001) see each feature of a candidate, its lead over the best other candidate, and what
is known about the acronym and its document. They estimate the log odds that the candidate is
right, so their scores also say how sure an answer is.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..dictionary import USER_SOURCE
from .features import Evidence
from .sense_vectors import AdaptedSenses, sense_key
from .trees import USED, BoostedTrees

MOST_RERANKED = 12
"""Number of candidates, the best by their logits, that the trees score."""


def can_rerank(evidence: Evidence, adapted: AdaptedSenses) -> bool:
    """Return whether the trees apply to a question.

    They were fitted without user entries, definitions of other documents and senses that were
    fine-tuned on labelled texts, so questions with such candidates keep their logits.

    Args:
        evidence: Evidence for the candidates.
        adapted: Senses that were fine-tuned on labelled texts.
    """
    candidates = evidence.question.candidates
    return bool(
        candidates
        and not evidence.question.folder.any()
        and not any(USER_SOURCE in candidate.counts for candidate in candidates)
        and not adapted.has_any(sense_key(candidate.long_form) for candidate in candidates)
    )


def rerank(
    trees: BoostedTrees, evidence: Evidence, logits: Sequence[Floats], nil: float
) -> list[Floats]:
    """Replace the logits of a question's best candidates by the scores of the trees.

    Args:
        trees: The trees.
        evidence: Evidence for the candidates.
        logits: Logits in each context, float32 [candidates].
        nil: Logit of NIL. Scores are shifted by it, because the log odds of NIL are 0.

    Returns:
        New logits in each context, float32 [candidates]. Contexts differ as much as before.
        Candidates that were not scored rank below the others, in their old order.
    """
    mean: Floats = np.mean(logits, axis=0)
    rows, features = compute_features(evidence, mean)
    scores = trees.log_odds(features)
    reranked = mean - mean.max() + scores.min() - 1
    reranked[rows] = scores
    return [(reranked + of_context - mean + nil).astype(np.float32) for of_context in logits]


def compute_features(evidence: Evidence, logits: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Compute the features from which the trees score candidates.

    The columns are, in order: the candidate's logit and its features; how far each of these is
    above the highest value of the other candidates; the number of candidates, the acronym's
    length, whether it is in capitals or in lower case, and the features of NIL.

    Args:
        evidence: Evidence for the candidates of the question; at least one.
        logits: Logits of the candidates, [candidates].

    Returns:
        Rows of the scored candidates, int [scored], and their features, float32 [scored, COLUMNS].
    """
    rows = np.argsort(-logits, kind="stable")[:MOST_RERANKED]
    table = np.hstack([logits[rows, None], evidence.mean_table[rows][:, USED]])
    lead = table.copy()
    if len(rows) > 1:
        second, best = np.partition(table, -2, axis=0)[-2:]
        lead = table - np.where(table == best, second, best)
    acronym = evidence.question.acronym
    of_question = (len(logits), len(acronym), acronym.isupper(), acronym.islower())
    shared = np.tile([*of_question, *evidence.question.nil[1:]], (len(rows), 1))
    return rows, np.hstack([table, lead, shared]).astype(np.float32)
