"""A probability from one cosine."""

import numpy as np
import pytest

from spacy_gladis.modeling.odds import Odds, fit_logistic, fit_odds
from spacy_gladis.rules import Mention


def test_the_fit_finds_the_odds_that_made_the_data():
    rng = np.random.default_rng(0)
    cosines = rng.uniform(-0.2, 0.9, 20_000)
    labels = rng.random(20_000) < Odds(6.0, -2.0).probabilities(cosines)
    found = fit_odds(cosines, labels.tolist())
    assert found.cosine == pytest.approx(6.0, abs=0.3)
    assert found.bias == pytest.approx(-2.0, abs=0.15)


def test_data_without_overlap_has_finite_odds():
    found = fit_odds([0.1, 0.2, 0.8, 0.9], [False, False, True, True])
    shares = found.probabilities([0.1, 0.5, 0.9])
    assert np.isfinite(shares).all()
    assert shares[0] < 0.1 < 0.9 < shares[2]


def test_logistic_regression_finds_the_weights_that_made_the_data():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(20_000, 3))
    logits = features @ [1.0, -2.0, 0.0] + 0.5
    labels = rng.random(20_000) < 1 / (1 + np.exp(-logits))
    assert fit_logistic(features, labels.tolist(), 1.0) == pytest.approx([1, -2, 0, 0.5], abs=0.1)
    assert np.abs(fit_logistic(features, labels.tolist(), 1e6)).max() < 0.05


def test_the_model_gives_the_probability_of_its_cosine(model):
    contexts = [Mention("the ai model learns", 4, 6)] * 2
    senses = ["artificial intelligence", "adequate intake " * 20]
    cosines = model.compare(contexts, senses)
    expected = model.encode_contexts(contexts).vectors[0] @ model.encode_long_forms(senses[:1])[0]
    assert cosines[0] == pytest.approx(expected, abs=1e-5)
    # A sense is read further than a long form is.
    assert cosines[1] != pytest.approx(
        float(model.encode_contexts(contexts).vectors[1] @ model.encode_long_forms(senses[1:])[0]),
        abs=1e-5,
    )
    shares = model.verify(contexts, senses)
    assert shares == pytest.approx(model.settings.odds.probabilities(cosines), abs=1e-6)


def test_odds_are_saved_with_the_weights_and_older_weights_have_the_default(model, tmp_path):
    import json
    from dataclasses import replace

    from spacy_gladis.modeling import AcroBERT

    model.settings = replace(model.settings, odds=Odds(3.0, -1.0))
    model.save(tmp_path)
    assert AcroBERT.load(tmp_path).settings.odds == Odds(3.0, -1.0)
    path = tmp_path / "acrobert.json"
    record = json.loads(path.read_text("utf8"))
    del record["odds"]
    path.write_text(json.dumps(record), "utf8")
    assert AcroBERT.load(tmp_path).settings.odds == Odds()
