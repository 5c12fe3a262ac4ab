"""Words beside a mention: their table, its file, what samples teach, and how it weighs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Dictionary, write_store
from spacy_gladis.errors import FormatError
from spacy_gladis.linking import AcroBERT, Linker
from spacy_gladis.linking.neighbours import Neighbours, collect_neighbours
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.training.memory import fit_neighbours
from spacy_gladis.text import Mention

NAMES = ["gastrointestinal", "gastroenterology"]
BLEEDING = Mention("Acute GI bleeding stopped.", 6, 8)
CLINIC = Mention("Seen in the GI clinic.", 12, 14)


def samples() -> list[Sample]:
    """Two documents show each pair; a third is the first one's again."""
    texts = {"gastrointestinal": "an XX bleeding", "gastroenterology": "the XX clinic"}
    return [
        Sample("XX", name, text, text.index("XX"), text.index("XX") + 2, document=document)
        for document in ("a", "b", "b")
        for name, text in texts.items()
    ]


@pytest.fixture
def dictionary(tmp_path: Path) -> Dictionary:
    path = tmp_path / "small.sqlite"
    write_store([("GI", [(name, {"list": 5}) for name in NAMES])], path, {})
    return Dictionary.open(path)


@pytest.fixture
def neighbours(dictionary: Dictionary) -> Neighbours:
    return fit_neighbours(samples(), dictionary, cells=64, shrink=0.1)


def test_words_are_three_to_a_side_without_their_endings() -> None:
    mention = Mention("one two three four CT five, six (seven) eight", 19, 21)
    assert collect_neighbours(mention) == {"two", "three", "four", "five", "six", "seven"}
    assert collect_neighbours(BLEEDING) == {"acute", "bleedi", "stoppe"}


def test_the_words_beside_a_mention_tell_its_meanings_apart(neighbours: Neighbours) -> None:
    bleeding, clinic = (neighbours.score(NAMES, context) for context in (BLEEDING, CLINIC))
    assert bleeding[0] > bleeding[1] == 0
    assert clinic[1] > clinic[0] == 0
    assert not neighbours.score(["an unknown one"], BLEEDING).any()


def test_one_document_is_no_evidence_and_other_senses_are_not_counted(
    dictionary: Dictionary,
) -> None:
    once = [sample for sample in samples() if sample.document == "a"]
    other = [sample._replace(long_form="ground ice", document=d) for sample in once for d in "cd"]
    assert fit_neighbours(once + other, dictionary, cells=64).pair_count == 0


def test_the_table_is_saved_and_a_damaged_file_is_named(
    neighbours: Neighbours, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    assert not len(Neighbours.load(folder))
    neighbours.save(folder)
    same = Neighbours.load(folder)
    np.testing.assert_array_equal(same.score(NAMES, BLEEDING), neighbours.score(NAMES, BLEEDING))
    Neighbours(np.zeros(63, np.uint16)).save(folder)
    with pytest.raises(FormatError, match="damaged"):
        Neighbours.load(folder)


def test_a_model_keeps_the_words_and_weighs_them(
    neighbours: Neighbours, dictionary: Dictionary, tiny_weights: Path, tmp_path: Path
) -> None:
    model = AcroBERT.load(tiny_weights)
    model.neighbours = neighbours
    calibration = replace(model.settings.calibration, neighbours=5.0)
    model.settings = replace(model.settings, calibration=calibration)
    model.save(tmp_path / "model")
    linker = Linker(AcroBERT.load(tmp_path / "model"), dictionary)
    first = [
        ranking[0][0].long_form for ranking in linker.rank([BLEEDING, CLINIC._replace(document=1)])
    ]
    assert first == NAMES
