"""One sense, one probability: the function and the component."""

import pickle
from typing import Any

import pytest
import spacy
from spacy.tokens import DocBin

import spacy_gladis
from spacy_gladis.errors import InputError
from spacy_gladis.pipeline.verify import Sense, verify_all
from spacy_gladis.text import Mention

TEXT = "the ai for potassium is in grams"


def test_a_sense_has_a_probability_of_its_own(tiny_weights):
    def ask(**sense):
        return spacy_gladis.verify(TEXT, 4, 6, model=str(tiny_weights), **sense)

    shares = [
        ask(long_form="adequate intake"),
        ask(definition="the intake of a diet"),
        ask(hypernyms=["diet", "intake"]),
        ask(long_form="adequate intake", definition="the intake of a diet"),
    ]
    assert all(0 < share < 1 for share in shares)
    assert len(set(shares)) == 4
    assert ask(hypernyms="diet") == ask(hypernyms=("diet",))


def test_many_at_once_are_answered_as_one_by_one(tiny_weights):
    model = str(tiny_weights)
    questions = [
        (Mention(TEXT, 4, 6), Sense("adequate intake")),
        (Mention("the model learns from ai data", 22, 24), Sense("artificial intelligence")),
    ]
    together = verify_all(questions, model)
    alone = [verify_all([question], model)[0] for question in questions]
    assert together == pytest.approx(alone, abs=2e-2)  # bf16 products round by the batch's shape
    assert verify_all([]) == []


def test_questions_without_an_answer(tiny_weights):
    with pytest.raises(InputError, match="Give a long_form, a definition or hypernyms"):
        spacy_gladis.verify(TEXT, 4, 6)
    with pytest.raises(InputError, match="Give a long_form"):
        spacy_gladis.verify(TEXT, 4, 6, definition="  ")
    with pytest.raises(InputError, match=r"offsets \(4, 99\) do not fit"):
        spacy_gladis.verify(TEXT, 4, 99, long_form="x", model=str(tiny_weights))
    with pytest.raises(AttributeError):
        spacy_gladis.no_such_thing  # noqa: B018


SENSES = {
    "ai": {"long_form": "adequate intake", "hypernyms": ["intake"]},
    "ai data": "artificial intelligence",
}


def make(tiny_weights, **settings):
    nlp = spacy.blank("en")
    config = {"senses": SENSES, "model": str(tiny_weights), **settings}
    nlp.add_pipe("sense_verifier", config=config)
    return nlp


def test_the_component_marks_every_mention(tiny_weights):
    nlp = make(tiny_weights, threshold=0.0)
    doc = nlp("the ai model learns from ai data and AI")
    group = doc.spans["senses"]
    result = [(span.text, span.kb_id_, span.label_) for span in group]
    assert result == [("ai", "ai", "SENSE"), ("ai data", "ai data", "SENSE")]
    assert list(group.attrs["probabilities"]) == ["4:6", "25:32"]

    none = make(tiny_weights, threshold=1.0, ignore_case=True)("the ai model and AI")
    assert [(s.text, s.kb_id_) for s in none.spans["senses"]] == [("ai", "NIL"), ("AI", "NIL")]
    assert len(nlp("nothing here").spans["senses"]) == 0


def test_it_survives_bytes_disk_pickle_and_docbin(tiny_weights, tmp_path):
    nlp = make(tiny_weights, threshold=0.0)
    expected = nlp(TEXT).spans["senses"].attrs["probabilities"]
    nlp.to_disk(tmp_path / "saved")
    other = spacy.blank("en")
    verifier: Any = other.add_pipe("sense_verifier")
    verifier.from_bytes(nlp.get_pipe("sense_verifier").to_bytes())
    for pipeline in (spacy.load(tmp_path / "saved"), other, pickle.loads(pickle.dumps(nlp))):
        assert pipeline(TEXT).spans["senses"].attrs["probabilities"] == expected
    [doc] = DocBin(docs=[nlp(TEXT)], store_user_data=True).get_docs(nlp.vocab)
    assert doc.spans["senses"].attrs["probabilities"] == expected


def test_settings_out_of_range(tiny_weights):
    with pytest.raises(InputError, match=r"threshold must be between 0 and 1"):
        make(tiny_weights, threshold=2)
    with pytest.raises(InputError, match="'AI': expected a long form"):
        make(tiny_weights, senses={"AI": {"meaning": "adequate intake"}})
