"""Scores by how similar a test text is to the training texts (Elangovan et al. 2021)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...arrays import Doubles
from ...errors import InputError
from ..leakage.run import GRAMS, nearest_by_ngrams
from ..metrics.scores import by_interval, by_quartile
from .task import Measured, group_rows


def similarities(texts: Sequence[str], training: Sequence[str]) -> dict[str, Doubles]:
    """Find each text's similarity to the most similar training text, by "unigrams" and so on.

    Raises:
        InputError: If there is nothing to compare.
    """
    if not texts or not training:
        raise InputError(
            "There is no training text to compare with: name a file of training data with "
            "--similar-to."
        )
    matches = nearest_by_ngrams(texts, training)
    return {GRAMS[str(n)]: found.similarity for n, found in matches.items()}


def with_similarity(measured: Measured, found: Mapping[str, Doubles]) -> Measured:
    """Add scores by interval and by quarter of similarity, and the mean similarities."""
    groups = dict(measured.groups)
    for grams, similarity in found.items():
        intervals, quarters = by_interval(similarity), by_quartile(similarity)
        groups[f"similarity of {grams}"] = group_rows(measured.statistic, intervals)
        groups[f"quarter by {grams}"] = group_rows(measured.statistic, quarters)
    means = {f"mean similarity of {name}": float(one.mean()) for name, one in found.items()}
    return replace(measured, groups=groups, figures={**measured.figures, **means})
