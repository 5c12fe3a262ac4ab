"""Scores grouped by the similarity of test texts to training texts (Elangovan et al. 2021)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...arrays import Doubles
from ...errors import InputError
from ..leakage.run import GRAMS, nearest_by_ngrams
from ..metrics.scores import by_interval, by_quartile
from .task import Measured, group_rows


def similarities(texts: Sequence[str], training: Sequence[str]) -> dict[str, Doubles]:
    """Compute each text's similarity to the most similar training text (section 3).

    Args:
        texts: Test texts.
        training: Training texts.

    Returns:
        A mapping from "unigrams", "bigrams" and "trigrams" to similarities in 0..1, float64
        [texts].

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
    """Add scores grouped by similarity (in intervals and quarters), and the mean similarities.

    Args:
        measured: The scores of a system.
        by_grams: Similarities of the rows, as `similarities` returns them.

    Returns:
        A copy with more groups and figures.
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
