"""Training of the model that finds the abbreviations in a text (`text/finder.py`)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ...arrays import Floats
from ...dictionary import Dictionary
from ...dictionary.spellings import DictionarySpellings
from ...errors import InputError, require
from ...text import find_acronyms
from ...text.detect import abbreviations
from ...text.finder import CELLS, Finder, Lexicon, hash_features
from ...text.mention import cover
from ..datasets.training_labels import NOT_ONE, LabelledPassage

RIDGE = 0.4
"""Inverse strength of the L2 penalty: the parameter C of scikit-learn's `LogisticRegression`."""

FOLDS = 4
"""Number of folds of the cross-validation, which divides the passages by source."""
THRESHOLD = 0.35
"""Minimum probability of a match in a trained finder. Matches without a likely meaning are still
answered with NIL."""

_CACHED = 1 << 18
"""Number of spellings whose dictionary counts are cached."""


class Examples(NamedTuple):
    """Candidate spellings from labelled passages, with their features and labels.

    Attributes:
        features: Hashed features of the candidates, a sparse matrix [candidates, cells].
        labels: Whether each candidate is an abbreviation, bool [candidates].
        sources: Hash of the source of each candidate's passage, uint32 [candidates].
        missed: Number of labelled abbreviations that are not among the candidates.
    """

    features: Any
    labels: NDArray[np.bool_]
    sources: NDArray[np.uint32]
    missed: int


def small_spellings(passages: Iterable[LabelledPassage]) -> frozenset[str]:
    """Collect the lower-case spellings that annotators labelled as abbreviations.

    Args:
        passages: Passages with labels for all abbreviations.

    Returns:
        The spellings without full stops, such as "eg" for "e.g.".
    """
    return frozenset(
        label.spelling.replace(".", "")
        for passage in passages
        for label in passage.labels
        if label.meaning != NOT_ONE and label.spelling.islower()
    )


def gather_examples(
    passages: Sequence[LabelledPassage], dictionary: Dictionary, spellings: frozenset[str]
) -> Examples:
    """Collect the candidate spellings of labelled passages, with their features and labels.

    Args:
        passages: Passages with labels for all abbreviations.
        dictionary: Dictionary whose counts are features of the candidates.
        spellings: Abbreviations in lower case that become candidates; see `small_spellings`.

    Returns:
        The candidates of all passages, and the number of abbreviations that are not among them.
    """
    sparse = require("scipy.sparse", "train", "scipy")
    lexicon = Lexicon(lru_cache(_CACHED)(dictionary.count), dictionary.abbreviations)
    rules = DictionarySpellings(dictionary, has_finder=False)
    finder = Finder(np.zeros(CELLS, np.float32), spellings)
    cells: list[NDArray[np.int64]] = []
    values: list[Floats] = []
    rows: list[NDArray[np.int64]] = []
    labels: list[bool] = []
    sources: list[int] = []
    missed = 0
    for passage in passages:
        acronyms = find_acronyms(passage.text)
        found = abbreviations(passage.text, acronyms, rules)
        spans = finder.candidates(passage.text, acronyms, lexicon, found)
        taken = cover(passage.text, found)
        right = {
            span
            for label in passage.labels
            if label.meaning != NOT_ONE
            for span in label.spans
            if taken.find(1, *span) < 0
        }
        missed += len(right.difference(spans))
        where, value, owner = hash_features(passage.text, spans, acronyms, lexicon)
        cells.append(where)
        values.append(value)
        rows.append(owner + len(labels))
        labels += [span in right for span in spans]
        sources += [crc32(passage.source.encode())] * len(spans)
    matrix = sparse.csr_matrix(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(cells))),
        shape=(len(labels), CELLS),
    )
    return Examples(matrix, np.array(labels), np.array(sources, np.uint32), missed)


def fit_finder(examples: Examples, spellings: frozenset[str]) -> Finder:
    """Fit a finder on all examples.

    Args:
        examples: Candidate spellings with their features and labels.
        spellings: Abbreviations in lower case that the finder accepts as candidates.

    Returns:
        A finder whose threshold is `THRESHOLD`.
    """
    weights = _fit(examples.features, examples.labels)
    return Finder(weights, spellings, THRESHOLD)


def cross_validate(examples: Examples) -> dict[str, Any]:
    """Measure the recall and precision of a finder by cross-validation over sources.

    All passages of a source are in the same fold. Abbreviations that are not among the candidates
    lower the recall.

    Args:
        examples: Candidate spellings with their features and labels.

    Returns:
        The numbers of `candidates` and `abbreviations`, and under `by_threshold` the `recall` and
        `precision` at each of seven thresholds, in percent.
    """
    odds = np.zeros(len(examples.labels), np.float32)
    for fold in range(FOLDS):
        held_out = examples.sources % FOLDS == fold
        weights = _fit(examples.features[~held_out], examples.labels[~held_out])
        odds[held_out] = examples.features[held_out] @ weights
    probabilities = 1 / (1 + np.exp(-odds))
    total = int(examples.labels.sum()) + examples.missed
    figures = {}
    for threshold in (0.2, 0.3, THRESHOLD, 0.4, 0.5, 0.6, 0.7):
        predicted = probabilities >= threshold
        right = int((predicted & examples.labels).sum())
        figures[f"{threshold:g}"] = {
            "recall": round(100 * right / total, 1),
            "precision": round(100 * right / max(1, int(predicted.sum())), 1),
        }
    return {"candidates": len(odds), "abbreviations": total, "by_threshold": figures}


def _fit(features: Any, labels: NDArray[np.bool_]) -> Floats:
    if labels.all() or not labels.any():
        raise InputError(
            "The passages cannot train a finder, because "
            f"{'all' if labels.any() else 'none'} of the spellings that the rules miss are "
            "abbreviations. Label more passages."
        )
    linear = require("sklearn.linear_model", "train", "scikit-learn")
    model = linear.LogisticRegression(
        C=RIDGE, solver="liblinear", tol=1e-3, fit_intercept=False, random_state=0
    )
    weights: Floats = model.fit(features, labels).coef_[0].astype(np.float32)
    return weights
