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


@pytest.mark.parametrize("text", EXPECTED)
def test_each_acronym_is_found_with_its_long_form_and_no_other(resolutions, text):
    answers: dict[str, list[str]] = {}
    for resolution in resolutions[text]:
        answers.setdefault(resolution.acronym, []).append((resolution.long_form or "").lower())
    expected = EXPECTED[text].items()
    assert answers == {
        acronym: [long_form.lower() for long_form in meant] for acronym, meant in expected
    }


@pytest.mark.parametrize("text", EXPECTED)
def test_no_answer_is_a_close_call(resolutions, text):
    doubtful = {
        resolution.acronym: resolution.probability
        for resolution in resolutions[text]
        if resolution.probability < COMFORTABLE
    }
    assert doubtful == {}
