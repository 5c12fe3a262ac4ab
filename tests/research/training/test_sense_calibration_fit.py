"""Odds are fitted on some acronyms and measured on others."""

from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.training.sense_calibration import calibrate_sense
from tests.support.training import tiny_samples


def test_odds_are_fitted_where_there_is_enough(tiny_weights):
    from spacy_gladis.modeling import AcroBERT

    model = AcroBERT.load(tiny_weights)
    assert calibrate_sense(model, tiny_samples(4)) == (
        model.settings.one_sense,
        {"measured_on": 0},
    )
    alone = [Sample("AI", "adequate intake", "the AI", 4, 6)] * 50
    assert calibrate_sense(model, alone)[1] == {"measured_on": 0}  # another long form to ask about
    many = [
        one._replace(acronym=f"{one.acronym}{n}", text=one.text)
        for n in range(5)
        for one in tiny_samples(4)
    ]
    fitted, figures = calibrate_sense(model, many)
    assert calibrate_sense(model, many) == (fitted, figures)
    assert fitted != model.settings.one_sense
    assert 0 < figures["measured_on"] < 90
    assert 0 <= figures["accuracy"] <= 1
