"""Settings of the linker that say what the text is, how sure to be, and to tell why."""

import json
from typing import get_args

import pytest
import spacy

from spacy_gladis.errors import InputError
from spacy_gladis.linking.acrobert import Settings
from spacy_gladis.linking.model_folder import PACKAGED
from spacy_gladis.pipeline.learn import linker_of
from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.resolution import AnswerSource, Resolution
from spacy_gladis.settings import FIELDS, THRESHOLD


def pipeline(settings, **more):
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker", config={**settings, **more})
    return nlp


def answers(nlp, text):
    doc = nlp(text)
    return {acronym.text: acronym._.resolution for acronym in doc._.acronyms}


def test_a_wrong_field_names_the_nearest(settings):
    with pytest.raises(InputError, match=r"Did you mean 'clinical'\? The closest of 14"):
        pipeline(settings, field="clinicl")
    nlp = pipeline(settings, field="Clinical")
    assert linker_of(nlp).open().reader.field == "clinical" and "clinical" in FIELDS
    linker_of(nlp).configure(field=None)
    linker = linker_of(nlp)
    assert linker.open().reader.field is None
    assert linker.variant(nlp, linker.dictionary.copy(), field="life").open().reader.field == "life"
    assert linker.open().reader.field is None


def test_offensive_long_forms_are_answers_where_they_are_asked_for():
    def names(**settings):
        result = answers(load_pipeline(top_k=99, **settings), "He c/o SOB and CP.")["SOB"]
        return [name for name, _ in result.candidates]

    assert "son of a bitch" not in names()
    assert "son of a bitch" in names(offensive=True)


@pytest.mark.parametrize("text", ["CA 10.4 mg/dL, albumin 3.8", "Mg 1.9, K 3.2, CA 8.9, PO4 3.0"])
def test_a_laboratory_value_in_capitals_is_its_symbol(text):
    assert answers(load_pipeline(), text)["CA"].long_form == "calcium"


def test_a_precision_needs_a_model_that_was_measured(settings):
    nlp = pipeline(settings, precision=0.9, threshold=THRESHOLD)
    with pytest.raises(InputError, match="Set a threshold"):
        nlp("the AI")
    with pytest.raises(InputError, match="precision must be"):
        pipeline(settings, precision=1.5, threshold=THRESHOLD)


def test_a_threshold_or_a_precision_but_not_both(settings):
    with pytest.raises(InputError, match="not both"):
        pipeline(settings, precision=0.9, threshold=0.7)
    linker = linker_of(pipeline(settings, precision=0.9, threshold=THRESHOLD))  # the default
    with pytest.raises(InputError, match="not both"):
        linker.configure(precision=0.9, threshold=THRESHOLD)
    assert (linker.cfg["precision"], linker.cfg["threshold"]) == (0.9, THRESHOLD)
    linker.configure(threshold=0.7)
    assert (linker.cfg["precision"], linker.cfg["threshold"]) == (None, 0.7)
    linker.configure(precision=0.8)
    assert (linker.cfg["precision"], linker.cfg["threshold"]) == (0.8, THRESHOLD)
    with pytest.raises(InputError, match="not both"):
        load_pipeline(precision=0.9, threshold=THRESHOLD)


def test_the_packaged_model_chooses_a_threshold():
    record = json.loads((PACKAGED / "acrobert.json").read_text())
    packaged = Settings.from_dict(record, "acrobert.json")
    chosen = [packaged.find_threshold(precision) for precision in (0.0, 0.8, 0.9, 0.95)]
    assert chosen == sorted(chosen) and chosen[0] < chosen[-1]
    measured = dict(packaged.precisions)
    assert measured[chosen[2]] >= 0.9 > measured[round(chosen[2] - 0.05, 2)]
    with pytest.raises(InputError, match="best measured precision"):
        packaged.find_threshold(0.999)


@pytest.mark.parametrize("source", get_args(AnswerSource))
@pytest.mark.parametrize("candidates", [(), (("an idea", 0.4),)])
def test_no_resolution_leaves_its_reason_empty(source, candidates):
    long_form = None if source == "nil" else "an idea"
    resolution = Resolution("AI", long_form, 0.4, source, candidates)
    assert resolution.why and all(resolution.why)
    assert resolution._replace(document="a.md").why


def test_every_answer_says_why(settings):
    text = "The AI of XQ. The European Union (EU)."
    nlp = pipeline(settings)
    result = answers(nlp, text)
    assert result["AI"].why
    assert result["XQ"].why == ("the dictionary has no long form for it",)
    assert result["EU"].why == ("the document defines it",)
    counted = answers(pipeline(settings, ranking="popularity", threshold=0.0), text)
    assert counted["AI"].why == ("most frequent in the dictionary",)
    unsure = pipeline(settings, threshold=1.0)
    assert "not likely enough" in answers(unsure, text)["AI"].why[0]
    linker_of(nlp).dictionary.add("XQ", "extra question")
    assert "your own entry" in answers(nlp, text)["XQ"].why
