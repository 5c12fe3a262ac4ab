"""The examples of the papers' figures, by the packaged pipeline as it is."""

import pytest

POTASSIUM = "In the United States, the AI for potassium for adults is 4.7 grams a day."


@pytest.fixture(scope="module")
def nlp(packaged):
    return packaged


def test_the_meaning_that_the_context_wants(nlp):
    """GLADIS, figure 1."""
    (mention,) = nlp(POTASSIUM)._.acronyms
    assert mention._.long_form.lower() == "adequate intake"


def test_a_definition_without_brackets(nlp):
    """SciAI, the example of its shared task."""
    text = "The main key performance indicator, herein referred to as KPI, is the E2E throughput"
    result = {span.text: span._.resolution for span in nlp(text)._.acronyms}
    assert result["KPI"].long_form == "key performance indicator"
    assert result["KPI"].source == "definition"
