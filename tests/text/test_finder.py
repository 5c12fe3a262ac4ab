"""The model that finds abbreviations which rules miss, and its training."""

from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Dictionary, build_dictionary
from spacy_gladis.dictionary.spellings import DictionarySpellings
from spacy_gladis.errors import FormatError
from spacy_gladis.research.datasets.training_labels import Label, LabelledPassage
from spacy_gladis.research.training.finder import (
    cross_validate,
    fit_finder,
    gather_examples,
    small_spellings,
)
from spacy_gladis.text.detect import abbreviations
from spacy_gladis.text.finder import Finder, Lexicon, candidate_spans
from spacy_gladis.text.shapes import find_acronyms

COUNTS = {"MRI": 90, "SHA": 20}
LEXICON = Lexicon(lambda spelling: COUNTS.get(spelling, 0), frozenset())


def spelled(text: str, spans: list[tuple[int, int]]) -> list[str]:
    return [text[slice(*span)] for span in spans]


def test_tokens_and_their_parts_are_candidates() -> None:
    text = "SDS-PAGE, SHA256 and 5mg."
    assert set(spelled(text, [*candidate_spans(text)])) >= {
        *("SDS-PAGE", "SDS", "PAGE", "SHA256", "SHA", "mg"),
    }


def passages(number: int) -> list[LabelledPassage]:
    """Return passages in which "msa" is an abbreviation, and passages in which it is a town."""
    made = []
    for index in range(number):
        text = f"In room {index} the msa of the sea was read, and the msa is done."
        spans = tuple((i, i + 3) for i in range(len(text)) if text.startswith("msa", i))
        label = Label(spans, "msa", "multiple sequence alignment")
        made.append(LabelledPassage(f"p{index}", "notes", f"source {index}", text, (label,)))
        town = f"He lives in msa town, at number {index}."
        made.append(LabelledPassage(f"t{index}", "notes", f"town {index}", town, ()))
    return made


@pytest.fixture
def dictionary(tmp_path: Path) -> Dictionary:
    rows = [("MSA", "multiple sequence alignment", "", 9), ("SEA", "South East Asia", "", 9)]
    build_dictionary(rows, tmp_path / "d.sqlite")
    return Dictionary.open(tmp_path / "d.sqlite")


def test_a_finder_learns_shorthand_from_labels(tmp_path: Path, dictionary: Dictionary) -> None:
    labelled = passages(40)
    small = small_spellings(labelled)
    assert small == {"msa"}
    examples = gather_examples(labelled, dictionary, small)
    scores = cross_validate(examples)["by_threshold"]["0.5"]
    assert scores == {"recall": 100.0, "precision": 100.0}
    fit_finder(examples, small).save(tmp_path / "finder.safetensors")
    finder = Finder.load(tmp_path / "finder.safetensors")
    text = "Later the msa of the sea was read. They live in msa town."
    assert finder.find(text, [], LEXICON) == [(10, 13)]


def test_a_finder_only_adds_to_what_rules_find() -> None:
    """A model that takes every candidate is offered only what no rule found."""
    finder = Finder(np.full(64, 9.0, np.float32), frozenset({"msa"}))
    text = "The MRI and SHA256 of the msa."
    found = [(4, 7), (12, 18)]
    assert spelled(text, finder.find(text, found, LEXICON, found)) == ["msa"]
    assert "SHA" in spelled(text, finder.find(text, found, LEXICON))


def test_the_detector_uses_a_finder(
    dictionary: Dictionary, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "The GFAP of the msa was read."
    finder = Finder(np.full(64, 9.0, np.float32), frozenset({"msa"}))
    monkeypatch.setattr(DictionarySpellings, "finder", property(lambda self: finder))
    spellings = DictionarySpellings(dictionary)
    assert spelled(text, abbreviations(text, find_acronyms(text), spellings)) == ["GFAP", "msa"]
    monkeypatch.setattr(DictionarySpellings, "finder", None)
    assert spelled(text, abbreviations(text, find_acronyms(text), spellings)) == ["GFAP"]


def test_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "finder.safetensors"
    path.write_bytes(b"nothing")
    with pytest.raises(FormatError, match=r"no finder, or a damaged file"):
        Finder.load(path)
