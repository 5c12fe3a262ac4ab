"""Whitening within concepts: directions in which the names of one concept differ count less.

Within-class covariance normalisation (Hatch, Kajarekar and Stolcke 2006), in closed form.
"""

from collections.abc import Sequence

import numpy as np

from ...arrays import Floats
from ...modeling.concepts.vectors import NameVectors
from .self_alignment import several

TEXTS = 6000
"""Texts that the covariance is of; each has to be encoded. Of fewer, as where an inventory has few
names, it tells more of these texts than of the language."""
RIDGE = 0.3
"""Of the mean variance, which every direction gets in addition."""


def whiten(
    vectors: NameVectors, linked: Sequence[Sequence[str]], others: Sequence[Sequence[str]]
) -> None:
    """Whiten vectors by names and linked phrases, of a concept each; others: names alone.

    Groups are drawn, linked ones first, until there are TEXTS. Where there are fewer the vectors
    stay as they are.
    """
    random = np.random.default_rng(0)
    drawn: list[list[str]] = []
    texts = 0
    for groups in (several(linked), several(others)):
        for one in random.permutation(len(groups)):
            if texts < TEXTS:
                drawn.append(groups[one])
                texts += len(groups[one])
    if texts >= TEXTS:
        vectors(
            [text for group in drawn for text in group]
        )  # all at once, in batches of one length
        vectors.turn(whitening([vectors(group) for group in drawn]))


def whitening(groups: Sequence[Floats]) -> Floats:
    """The inverse square root of the covariance of vectors about the mean of their group."""
    apart = np.concatenate([group - group.mean(0) for group in groups]).astype(np.float64)
    covariance = apart.T @ apart / len(apart)
    variances, directions = np.linalg.eigh(covariance)
    variances += RIDGE * variances.mean()
    matrix: Floats = ((directions * variances**-0.5) @ directions.T).astype(np.float32)
    return matrix
