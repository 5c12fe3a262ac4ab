"""The dictionary without what a text's own source taught it."""

from pathlib import Path

import pytest

from spacy_gladis.dictionary import Dictionary, Row, build_dictionary
from spacy_gladis.research.datasets.texts import GoldMention, LabelledText
from spacy_gladis.research.evidence.held_out import (
    GLOSSARIES,
    PASSAGES,
    HeldOutDictionary,
    TaughtPairs,
    TrainingText,
)

LABELS = "common: science/labelled_texts"


def make_text(source: str, acronym: str, long_form: str) -> TrainingText:
    mention = GoldMention(4, 4 + len(acronym), acronym, (long_form,), "", False)
    text = LabelledText(source, "notes", "", f"The {acronym} was done.", (mention,))
    return TrainingText(text, source, PASSAGES)


@pytest.fixture
def dictionary(tmp_path: Path) -> HeldOutDictionary:
    """CT is taught by one source and one text, MRI by two, US by a glossary alone."""
    rows = [
        Row("CT", "computed tomography", LABELS, 6),
        Row("CT", "clinical trial", "PubMed abstracts", 9),
        Row("CT", "clinical trial", LABELS, 6),
        Row("MRI", "magnetic resonance imaging", LABELS, 6),
        Row("US", "ultrasound", GLOSSARIES, 1),
    ]
    build_dictionary(rows, tmp_path / "d.sqlite")
    opened = Dictionary.open(tmp_path / "d.sqlite")
    texts = [
        make_text("a", "CT", "computed tomography"),
        make_text("a", "CT", "clinical trial"),
        make_text("a", "MRI", "magnetic resonance imaging"),
        make_text("b", "MRIs", "magnetic resonance imaging"),
    ]
    glossaries = tmp_path / "glossaries.tsv"
    glossaries.write_text("acronym\tlong_form\tfield\trepository\nUS\tultrasound\thealth\tc\n")
    return HeldOutDictionary(opened, TaughtPairs(texts, glossaries))


def names(dictionary: HeldOutDictionary, acronym: str, source: str) -> dict[str, int]:
    dictionary.held_out = source
    return {candidate.long_form: candidate.total for candidate in dictionary.lookup(acronym)}


def test_a_pair_that_only_the_source_taught_is_left_out(dictionary: HeldOutDictionary) -> None:
    assert names(dictionary, "CT", "a") == {"clinical trial": 9}
    assert names(dictionary, "US", "c") == {}


def test_other_sources_see_the_pair(dictionary: HeldOutDictionary) -> None:
    assert names(dictionary, "CT", "b") == {"clinical trial": 15, "computed tomography": 6}
    assert names(dictionary, "US", "a") == {"ultrasound": 1}


def test_a_pair_that_another_source_taught_stays(dictionary: HeldOutDictionary) -> None:
    assert names(dictionary, "MRI", "a") == {"magnetic resonance imaging": 6}


def test_a_left_out_pair_loses_its_gloss_and_its_stored_vector(
    dictionary: HeldOutDictionary,
) -> None:
    dictionary.held_out = "a"
    (candidate,) = dictionary.lookup("CT")
    assert (candidate.gloss, candidate.index) == ("", -1)
    dictionary.held_out = "b"
    assert all(candidate.index >= 0 for candidate in dictionary.lookup("CT"))
