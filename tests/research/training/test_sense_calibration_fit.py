"""Odds are fitted on some acronyms and measured on others."""

from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.training.sense_calibration import _questions, calibrate_sense
from tests.support.training import MEANINGS, tiny_samples


def test_each_sample_asks_about_its_own_and_another_long_form():
    questions = _questions(tiny_samples(4), limit=100, seed=0)
    assert len(questions) == 9  # three samples of each of three acronyms
    for sample, other in questions:
        assert other in MEANINGS[sample.acronym]
        assert other != sample.long_form
    assert questions == _questions(tiny_samples(4), limit=100, seed=0)


def test_acronyms_with_one_long_form_ask_nothing():
    assert _questions([Sample("AI", "adequate intake", "the AI", 4, 6)] * 5, 10, 0) == []


def test_odds_are_fitted_where_there_is_enough(tiny_weights):
    from spacy_gladis.modeling import AcroBERT

    model = AcroBERT.load(tiny_weights)
    assert calibrate_sense(model, tiny_samples(4)) == (
        model.settings.one_sense,
        {"measured_on": 0},
    )
    many = [
        one._replace(acronym=f"{one.acronym}{n}", text=one.text)
        for n in range(5)
        for one in tiny_samples(4)
    ]
    fitted, figures = calibrate_sense(model, many)
    assert fitted != model.settings.one_sense
    assert 0 < figures["measured_on"] < 90
    assert 0 <= figures["accuracy"] <= 1
