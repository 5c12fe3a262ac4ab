"""What the packaged pipeline says of the page's example and of the sample document."""

from pathlib import Path

import pytest

from spacy_gladis.pipeline.load import load_pipeline

pytestmark = pytest.mark.slow  # the packaged weights are read
ROOT = Path(__file__).parents[2]
TEXTS = {
    "example": ROOT / "spacy_gladis" / "serve" / "page" / "example.txt",
    "notes": ROOT / "assets" / "demo" / "notes.txt",
}
EXPECTED = {
    "example": {
        "COPD": ["chronic obstructive pulmonary disease"],
        "T2DM": ["type 2 diabetes mellitus"],
        "ED": ["emergency department"],
        "ECG": ["electrocardiogram"],
        "CT": ["computed tomography"],
        "PE": ["pulmonary embolism"] * 2,
        "BMI": ["body mass index"],
        "PCP": ["primary care provider"],
        "CIO": ["chief information officer"],
        "AI": ["artificial intelligence"],
        "EHR": ["electronic health record"],
        "API": ["application programming interface"],
        "GPU": ["graphics processing unit"],
        "HIPAA": ["Health Insurance Portability and Accountability Act"],
        "CFO": ["chief financial officer"],
        "ROI": ["return on investment"],
        "EOD": ["end of day"],
    },
    "notes": {
        "AI": ["adequate intake"] * 2 + ["artificial intelligence"],
        "RDA": ["recommended dietary allowance"] * 2,
        "FDA": ["Food and Drug Administration"],
        "CDC": ["Centers for Disease Control and Prevention"],
        "CNN": ["convolutional neural network"],
        "CNNs": ["convolutional neural network"],
        "LSTM": ["long short-term memory"],
        "GPU": ["graphics processing unit"],
        "SVM": ["support vector machine"],
        "API": ["application programming interface"],
        "COPD": ["chronic obstructive pulmonary disease"],
        "BMI": ["body mass index"],
        "CT": ["computed tomography"],
        "MRI": ["magnetic resonance imaging"],
        "ECG": ["electrocardiogram"],
        "EU": ["European Union"],
        "WHO": ["World Health Organization"],
        "NIST": ["National Institute of Standards and Technology"],
    },
}
COMFORTABLE = 0.6
"""The least probability of an answer that is shown off."""


@pytest.fixture(scope="module")
def resolutions():
    """What each text's acronyms mean, in their order."""
    nlp = load_pipeline()
    docs = {name: nlp(path.read_text("utf8")) for name, path in TEXTS.items()}
    return {
        name: [span._.resolution for span in doc.spans["acronyms"]] for name, doc in docs.items()
    }


@pytest.fixture
def answers(resolutions):
    """The long forms of each text's acronyms, in their order."""
    found: dict[str, dict[str, list[str | None]]] = {}
    for name, given in resolutions.items():
        found[name] = {}
        for answer in given:
            found[name].setdefault(answer.acronym, []).append(answer.long_form)
    return found


@pytest.mark.parametrize("text", EXPECTED)
def test_the_acronyms_are_found_and_no_others(answers, text):
    assert set(answers[text]) == set(EXPECTED[text])


@pytest.mark.parametrize("text", EXPECTED)
def test_each_acronym_has_its_long_form(answers, text):
    wrong = {
        acronym: answers[text][acronym]
        for acronym, meant in EXPECTED[text].items()
        if [one and one.lower() for one in answers[text][acronym]] != [one.lower() for one in meant]
    }
    assert wrong == {}


@pytest.mark.parametrize("text", EXPECTED)
def test_no_answer_is_a_close_call(resolutions, text):
    doubtful = {
        one.acronym: one.probability for one in resolutions[text] if one.probability < COMFORTABLE
    }
    assert doubtful == {}
