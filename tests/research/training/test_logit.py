import numpy as np
import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.linking.calibration import FEATURES, SIGNED, Calibration, compute_probabilities
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.training.logit import fit_calibration, fit_logistic
from spacy_gladis.research.training.sense_calibration import calibrate_sense, fit_sense_calibration
from tests.support.training import tiny_samples


def answered(truth: Calibration) -> tuple[list[np.ndarray], list[list[int]]]:
    """Questions, and answers drawn with the probabilities of these weights."""
    rng = np.random.default_rng(0)
    questions, answers = [], []
    for _ in range(4000):
        features = rng.normal(size=(rng.integers(1, 6), len(FEATURES))).astype(np.float32)
        shares = compute_probabilities(truth.logits(features), truth.nil)
        outcome = int(np.searchsorted(np.cumsum(shares), rng.random()))
        questions.append(features)
        answers.append([] if outcome == len(shares) else [outcome])
    return questions, answers


def test_the_fit_finds_what_matters_and_when_nothing_fits() -> None:
    fitted = fit_calibration(*answered(Calibration(cosine=2.0, overlap=1.0, folder=0.0, nil=1.5)))
    np.testing.assert_allclose(fitted.cosine, 2.0, atol=0.2)
    np.testing.assert_allclose(fitted.overlap, 1.0, atol=0.15)
    np.testing.assert_allclose(fitted.nil, 1.5, atol=0.2)
    assert all(getattr(fitted, name) >= 0 for name in FEATURES if name not in SIGNED)


def test_data_without_overlap_has_finite_odds():
    result = fit_sense_calibration([0.1, 0.2, 0.8, 0.9], [False, False, True, True])
    shares = result.probabilities([0.1, 0.5, 0.9])
    assert np.isfinite(shares).all()
    assert shares[0] < 0.1 < 0.9 < shares[2]


def test_logistic_regression_finds_the_weights_that_made_the_data():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(20_000, 3))
    logits = features @ [1.0, -2.0, 0.0] + 0.5
    labels = rng.random(20_000) < 1 / (1 + np.exp(-logits))
    assert fit_logistic(features, labels.tolist(), 1.0) == pytest.approx([1, -2, 0, 0.5], abs=0.1)
    assert np.abs(fit_logistic(features, labels.tolist(), 1e6)).max() < 0.05


def test_labels_of_one_kind_are_refused() -> None:
    with pytest.raises(InputError, match="examples with both labels"):
        fit_logistic(np.ones((3, 1)), [True] * 3, 1.0)


def test_odds_are_fitted_where_there_is_enough(tiny_weights):
    from spacy_gladis.linking import AcroBERT

    model = AcroBERT.load(tiny_weights)
    assert calibrate_sense(model, tiny_samples(4)) == (
        model.settings.one_sense,
        {"measured_on": 0},
    )
    alone = [Sample("AI", "adequate intake", "the AI", 4, 6)] * 50
    assert calibrate_sense(model, alone)[1] == {"measured_on": 0}  # another long form to ask about
    many = [
        sample._replace(acronym=f"{sample.acronym}{n}", text=sample.text)
        for n in range(5)
        for sample in tiny_samples(4)
    ]
    fitted, figures = calibrate_sense(model, many)
    assert calibrate_sense(model, many) == (fitted, figures)
    assert fitted != model.settings.one_sense
    assert 0 < figures["measured_on"] < 90
    assert 0 <= figures["accuracy"] <= 1
