"""Fitting of the calibration that gives the probability that a mention has a given sense.

Users ask this question if, for example, their knowledge graph has only one sense of a word. Each
sample gives two examples: one with its own long form, and one with another long form of the same
acronym.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...arrays import Doubles
from ...linking.acrobert import AcroBERT
from ...linking.calibration import SenseCalibration
from ...text import merge_key
from ..datasets.sample import Sample
from ..metrics.scores import expected_calibration_error
from .logit import fit_logistic

EACH = 3
"""Maximum number of samples of an acronym on which the calibration of a given sense is fitted."""

FEWEST = 20
"""Minimum number of samples for a fit. With fewer samples, a model keeps its calibration."""

DECAY = 1e-3
"""Strength of the L2 penalty. It is small, and keeps the weights finite even if the data is
separable."""


def calibrate_sense(
    model: AcroBERT, samples: Iterable[Sample], *, limit: int = 2000, seed: int = 0
) -> tuple[SenseCalibration, dict[str, Any]]:
    """Fit a calibration that turns a cosine into the probability that a mention has a given sense.

    The calibration is fitted on half of the acronyms and evaluated on the other half. With fewer
    than `FEWEST` samples of ambiguous acronyms, the existing calibration of the model is returned.

    Args:
        model: Model that computes the cosines of mentions and senses.
        samples: Samples of held-out acronyms; see `run.samples_of`.
        limit: Maximum number of samples to use.
        seed: Random seed of the draw of samples.

    Returns:
        The calibration, and its scores as returned by `measure`. If nothing was fitted, the only
        score is `measured_on` with the value 0.
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
        labels: Whether each context has its sense, [n].

    Returns:
        The calibration, with weights rounded to four decimals.
    """
    cosine, bias = fit_logistic(np.asarray(cosines)[:, None], labels, DECAY).round(4).tolist()
    return SenseCalibration(cosine, bias)


def measure(fitted: SenseCalibration, cosines: Doubles, labels: list[bool]) -> dict[str, Any]:
    """Measure how accurate and how well calibrated the probabilities of a sense calibration are.

    A mention counts as having the sense if the probability is at least 0.5.

    Args:
        fitted: Calibration to evaluate.
        cosines: Cosines of contexts and senses, [n].
        labels: Whether each context has its sense, [n].

    Returns:
        The `accuracy` and the `expected_calibration_error`, both in 0..1, and the number of
        examples as `measured_on`.
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
    """Pair samples of ambiguous acronyms with another long form of the same acronym."""
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
