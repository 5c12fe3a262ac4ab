"""A probability from one cosine."""

import pytest

from spacy_gladis.modeling.calibration import SenseCalibration
from spacy_gladis.rules import Mention


def test_the_model_gives_the_probability_of_its_cosine(model):
    contexts = [Mention("the ai model learns", 4, 6)] * 2
    senses = ["artificial intelligence", "adequate intake " * 20]
    cosines = model.compare(contexts, senses)
    expected = model.encode_contexts(contexts)[0] @ model.encode_long_forms(senses[:1])[0]
    assert cosines[0] == pytest.approx(expected, abs=1e-5)
    # A sense is read further than a long form is.
    assert cosines[1] != pytest.approx(
        float(model.encode_contexts(contexts)[1] @ model.encode_long_forms(senses[1:])[0]),
        abs=1e-5,
    )
    shares = model.verify(contexts, senses)
    assert shares == pytest.approx(model.settings.one_sense.probabilities(cosines), abs=1e-6)


def test_odds_are_saved_with_the_weights(model, tmp_path):
    from dataclasses import replace

    from spacy_gladis.modeling import AcroBERT

    model.settings = replace(model.settings, one_sense=SenseCalibration(3.0, -1.0))
    model.save(tmp_path)
    assert AcroBERT.load(tmp_path).settings.one_sense == SenseCalibration(3.0, -1.0)
