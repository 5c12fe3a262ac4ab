"""Pipelines that version 0.1 saved; `support/pipeline_v0_1` is one with a network of toy size."""

import shutil
from pathlib import Path

import pytest
import spacy

from spacy_gladis.errors import InputError
from spacy_gladis.pipeline.learn import linker_of
from tests.support.paths import ROOT

SAVED = ROOT / "tests/support/pipeline_v0_1"
TEXT = "the AI of potassium and the XQ"


def test_it_answers_learns_and_is_saved_anew(tmp_path: Path) -> None:
    nlp = spacy.load(SAVED)
    assert linker_of(nlp).cfg["ranking"] == "retriever"  # saved as "cascade"
    doc = nlp(TEXT)
    answers = {span.text: span._.resolution for span in doc._.acronyms}
    names = [name for name, _ in answers["AI"].candidates]
    assert sorted(names) == ["adequate intake", "artificial intelligence"]
    assert answers["XQ"].long_form == "extra quota"  # an own entry
    nlp.to_disk(tmp_path / "now")
    again = spacy.load(tmp_path / "now")(TEXT)
    assert [span._.resolution for span in again._.acronyms] == list(answers.values())


def test_one_that_linked_concepts_says_what_to_do(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    shutil.copytree(SAVED, saved)
    dictionary = saved / "acrobert_linker/dictionary"
    (dictionary / "dictionary.gladis").rename(dictionary / "dictionary.concepts")
    with pytest.raises(InputError, match="concept_linker"):
        spacy.load(saved)
