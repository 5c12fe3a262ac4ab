"""Scores on groups of test texts by their similarity to the training texts.

The method is that of Elangovan et al. (2021). It shows how much a system relies on test texts that
resemble training texts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...arrays import Doubles
from ...errors import InputError
from ..leakage.run import GRAMS, nearest_by_ngrams
from ..metrics.scores import by_interval, by_quartile
from .task import Measured, group_rows


def similarities(texts: Sequence[str], training: Sequence[str]) -> dict[str, Doubles]:
    """Compute how similar each test text is to the most similar training text.

    The similarity is that of Elangovan et al. (2021, section 3), a cosine of n-gram counts.

    Args:
        texts: The test texts.
        training: The training texts.

    Returns:
        A mapping from "unigrams", "bigrams" and "trigrams" to the similarities of the test texts in
        0..1, float64 [texts].

    Raises:
        InputError: If there are no test texts or no training texts.
    """
    if not texts or not training:
        raise InputError(
            "There are no training texts to compare with. Name a file with --similar-to."
        )
    matches = nearest_by_ngrams(texts, training)
    return {GRAMS[str(n)]: nearest.similarity for n, nearest in matches.items()}


def with_similarity(measured: Measured, by_grams: Mapping[str, Doubles]) -> Measured:
    """Add scores on groups of rows that differ in their similarity to the training texts.

    For each n-gram size, rows are grouped by intervals of the similarity, and once more into
    quarters of equal size. The mean similarity is added as a figure.

    Args:
        measured: The scores of a system on a data set.
        by_grams: Similarities of the rows by n-gram size, as `similarities` returns them.

    Returns:
        A copy of the scores with the additional groups and figures.
    """
    groups = dict(measured.groups)
    for grams, similarity in by_grams.items():
        intervals, quarters = by_interval(similarity), by_quartile(similarity)
        groups[f"similarity of {grams}"] = group_rows(measured.statistic, intervals)
        groups[f"quarter by {grams}"] = group_rows(measured.statistic, quarters)
    means = {
        f"mean similarity of {name}": float(values.mean()) for name, values in by_grams.items()
    }
    return replace(measured, groups=groups, figures={**measured.figures, **means})
