"""Samples of long forms that texts write out."""

from spacy_gladis.dictionary import Dictionary
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.mining.phrases import PhraseIndex, phrase_samples, unseen
from spacy_gladis.research.mining.readers import Document
from tests.support.growth import assert_linear

PHRASES = {"hypertension": "HTN", "heart failure": "HF", "heart failure clinic": "HFC"}


def documents(*texts: str, domain: str = "Notes") -> list[Document]:
    return [Document(str(number), text, domain) for number, text in enumerate(texts)]


def test_the_longest_phrases_are_found_in_any_case():
    text = "Heart-failure clinic; a heart failure, and hypertensions."
    result = [(name, text[start:end]) for name, start, end in PhraseIndex(PHRASES).find(text)]
    assert result == [
        ("heart failure clinic", "Heart-failure clinic"),
        ("heart failure", "heart failure"),
    ]


def test_the_acronym_takes_the_phrases_place():
    (sample,) = phrase_samples(documents("A history of hypertension."), PHRASES)
    assert sample == Sample(
        "HTN", "hypertension", "A history of HTN.", 13, 16, "Notes", "phrase", "0"
    )


def test_a_definition_is_passed_over():
    text = "A hypertension (HTN) and a heart failure [HF]."
    assert not list(phrase_samples(documents(text), PHRASES))


def test_a_long_form_is_met_in_few_documents_of_each_source():
    given = documents(*["Hypertension, hypertension."] * 5)
    given += documents(*["By hypertension."] * 5, domain="Papers")
    made = list(phrase_samples(given, PHRASES, each=3, of_one_source=2))
    assert [(sample.domain, sample.document) for sample in made] == [
        ("Notes", "0"),
        ("Notes", "1"),
        ("Papers", "0"),
    ]


def test_long_forms_without_samples(tmp_path):
    entries = tmp_path / "own.json"
    entries.write_text('{"HTN": [["hypertension", 3]], "HF": [["heart failure", 2]]}', "utf8")
    dictionary = Dictionary.open(entries)
    sample = Sample("HF", "Heart Failure", "An HF.", 3, 5)
    assert unseen(dictionary, [sample]) == {"hypertension": "HTN"}
    assert unseen(dictionary, []) == {"hypertension": "HTN", "heart failure": "HF"}


def test_the_time_is_linear():
    text = "A history of hypertension and of failures of the heart. "
    index = PhraseIndex(PHRASES)
    assert_linear(lambda size: list(index.find(text * size)), 500)
