"""Calibration of the probabilities of a given sense and of first answers, on held-out acronyms.

For the first, each sample gives two questions, one with its own long form and one with another long
form of the same acronym. Users ask this question if their knowledge graph has only one sense of a
word.

The confidence of first answers (`linking/calibration.py`) is fitted by gradient boosting (Friedman
2001).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...arrays import Doubles, Flags, Floats
from ...errors import require
from ...linking.acrobert import AcroBERT
from ...linking.calibration import Confidence, SenseCalibration
from ...text import merge_key
from ..datasets.sample import Sample
from ..metrics.scores import expected_calibration_error
from .logit import fit_logistic

EACH = 3
"""Maximum number of samples of an acronym."""

FEWEST = 20
"""Minimum number of samples for a fit."""

DECAY = 1e-3
"""Small L2 penalty, so that the weights are finite even if the data is separable."""


def calibrate_sense(
    model: AcroBERT, samples: Iterable[Sample], *, limit: int = 2000, seed: int = 0
) -> tuple[SenseCalibration, dict[str, Any]]:
    """Fit a calibration that turns a cosine into the probability that a mention has a given sense.

    It is fitted on half of the acronyms and evaluated on the other half. With fewer than FEWEST
    samples of ambiguous acronyms, the model's existing calibration is returned.

    Args:
        model: Model that computes the cosines.
        samples: Samples of held-out acronyms; see `run.samples_of`.
        limit: Maximum number of samples to use.
        seed: Random seed of the draw.

    Returns:
        The calibration, and its accuracy and calibration error.
    """
    questions = _questions(samples, limit, seed)
    if len(questions) < FEWEST:
        return model.settings.one_sense, {"measured_on": 0}
    tested, alternatives = zip(*questions, strict=True)
    contexts = [sample.mention for sample in tested]
    senses = [*(sample.long_form for sample in tested), *alternatives]
    cosines: Doubles = model.compare(contexts * 2, senses).astype(np.float64)
    labels = np.repeat([True, False], len(questions))
    number = {name: n for n, name in enumerate(sorted({sample.acronym for sample in tested}))}
    half = np.array([number[sample.acronym] % 2 == 0 for sample in tested] * 2)
    fitted = fit_sense_calibration(cosines[half], labels[half].tolist())
    return fitted, measure(fitted, cosines[~half], labels[~half].tolist())


def fit_sense_calibration(
    cosines: Sequence[float] | Doubles, labels: Sequence[bool]
) -> SenseCalibration:
    """Fit a sense calibration by maximum likelihood (Platt 1999).

    Args:
        cosines: Cosines of contexts and senses, [n].
        labels: Whether each sense is right, [n].

    Returns:
        The calibration.
    """
    cosine, bias = fit_logistic(np.asarray(cosines)[:, None], labels, DECAY).round(4).tolist()
    return SenseCalibration(cosine, bias)


def measure(fitted: SenseCalibration, cosines: Doubles, labels: list[bool]) -> dict[str, Any]:
    """Measure how accurate and how well calibrated the probabilities of a calibration are.

    Args:
        fitted: The calibration.
        cosines: Cosines of contexts and senses, [n].
        labels: Whether each sense is right, [n].

    Returns:
        Accuracy and expected calibration error, 0..1.
    """
    probabilities = fitted.probabilities(cosines)
    right = ((probabilities >= 0.5) == np.array(labels)).tolist()
    sure = np.maximum(probabilities, 1 - probabilities).tolist()
    return {
        "measured_on": len(labels),
        "accuracy": round(float(np.mean(right)), 4),
        "expected_calibration_error": round(expected_calibration_error(sure, right), 4),
    }


def _questions(samples: Iterable[Sample], limit: int, seed: int) -> list[tuple[Sample, str]]:
    """Pair each sample with its own and with another long form of its acronym."""
    rng = np.random.default_rng(seed)
    by_acronym: defaultdict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_acronym[sample.acronym].append(sample)
    questions = []
    for acronym in sorted(by_acronym):
        group = by_acronym[acronym]
        forms = {merge_key(sample.long_form): sample.long_form for sample in group}
        if len(forms) < 2:
            continue
        for index in rng.permutation(len(group))[:EACH]:
            own_key = merge_key(group[index].long_form)
            alternatives = [form for key, form in sorted(forms.items()) if key != own_key]
            questions.append((group[index], alternatives[rng.integers(len(alternatives))]))
    return [questions[index] for index in rng.permutation(len(questions))[:limit]]


TREES, DEPTH = 120, 3
RATE = 0.06
LEAST = 30
"""Minimum number of answers in a leaf of a tree."""

SAMPLE = 0.5
"""Share of the answers that each tree is fitted on."""


def fit_confidence(rows: Floats, right: Flags, weights: Floats, seed: int = 0) -> Confidence:
    """Fit boosted trees that predict whether the linker's first answer is right.

    Args:
        rows: Features of each answer (`compute_confidence_features`), [answers, COLUMNS].
        right: Whether each answer is right, [answers].
        weights: Weight of each answer, [answers].
        seed: Random seed of the         ubsamples.

    Returns:
        TREES trees of depth DEPTH. No trees if fewer than LEAST answers are right, or fewer than
        LEAST are wrong.
    """
    if min(right.sum(), (~right).sum()) < LEAST:
        return Confidence.empty()
    ensemble = require("sklearn.ensemble", "train", "scikit-learn")
    boosted = ensemble.GradientBoostingClassifier(
        n_estimators=TREES,
        learning_rate=RATE,
        max_depth=DEPTH,
        min_samples_leaf=LEAST,
        subsample=SAMPLE,
        random_state=seed,
    ).fit(rows, right, sample_weight=weights / weights.mean())
    columns = np.zeros((TREES, 2**DEPTH - 1), np.int64)
    thresholds = np.full(columns.shape, np.inf, np.float32)
    values = np.zeros((TREES, 2**DEPTH), np.float32)
    for number, (grown,) in enumerate(boosted.estimators_):
        # Pairs of a grown tree's node and its place in the full tree. Leaves extend leftwards.
        waiting = [(0, 0)]
        for node, position in waiting:
            inner = grown.tree_.children_left[node] >= 0
            if position >= columns.shape[1]:
                values[number, position - columns.shape[1]] = RATE * grown.tree_.value[node].item()
            elif inner:
                columns[number, position] = grown.tree_.feature[node]
                thresholds[number, position] = grown.tree_.threshold[node]
                left, right_child = grown.tree_.children_left, grown.tree_.children_right
                waiting += [(left[node], 2 * position + 1), (right_child[node], 2 * position + 2)]
            else:
                waiting.append((node, 2 * position + 1))
    share = np.average(right, weights=weights)
    return Confidence(float(np.log(share / (1 - share))), columns, thresholds, values)
