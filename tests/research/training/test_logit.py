import numpy as np

from spacy_gladis.modeling.calibration import FEATURES, SIGNED, Calibration
from spacy_gladis.research.training.logit import fit_calibration, sharpen


def test_what_probabilities_lack_to_one_is_nil() -> None:
    calibration = Calibration(nil=0.0)
    shares = calibration.probabilities(np.zeros(3, np.float32))
    np.testing.assert_allclose(shares, 0.25)
    assert calibration.probabilities(np.zeros(0, np.float32)).shape == (0,)


def test_large_logits_stay_numbers() -> None:
    shares = Calibration().probabilities(np.array([1e4, -1e4], np.float32))
    np.testing.assert_allclose(shares, [1, 0])


def test_the_fit_finds_what_matters_and_when_nothing_fits() -> None:
    rng = np.random.default_rng(0)
    truth = Calibration(cosine=2.0, overlap=1.0, folder=0.0, nil=1.5)
    questions, answers = [], []
    for _ in range(4000):
        features = rng.normal(size=(rng.integers(1, 6), len(FEATURES))).astype(np.float32)
        shares = truth.probabilities(truth.logits(features))
        outcome = int(np.searchsorted(np.cumsum(shares), rng.random()))
        questions.append(features)
        answers.append([] if outcome == len(shares) else [outcome])
    fitted = fit_calibration(questions, answers)
    np.testing.assert_allclose(fitted.cosine, 2.0, atol=0.2)
    np.testing.assert_allclose(fitted.overlap, 1.0, atol=0.15)
    np.testing.assert_allclose(fitted.nil, 1.5, atol=0.2)
    assert all(getattr(fitted, name) >= 0 for name in FEATURES if name not in SIGNED)


def test_sharpening_keeps_the_order_and_finds_how_sure_to_be() -> None:
    rng = np.random.default_rng(0)
    truth = Calibration(cosine=2.0, overlap=1.0, folder=0.0, nil=1.0)
    flat = Calibration(cosine=0.5, overlap=0.25, folder=0.0, nil=-3.0)
    questions, answers = [], []
    for _ in range(4000):
        features = rng.normal(size=(rng.integers(1, 6), len(FEATURES))).astype(np.float32)
        shares = truth.probabilities(truth.logits(features))
        outcome = int(np.searchsorted(np.cumsum(shares), rng.random()))
        questions.append(features)
        answers.append([] if outcome == len(shares) else [outcome])
    found = sharpen(questions, answers, flat)
    np.testing.assert_allclose(found.cosine, 2.0, atol=0.2)
    np.testing.assert_allclose(found.overlap / found.cosine, 0.5, atol=1e-3)
    np.testing.assert_allclose(found.nil, 1.0, atol=0.2)
