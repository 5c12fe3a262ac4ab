import json
from pathlib import Path

import pytest

from spacy_gladis.dictionary import Dictionary
from spacy_gladis.errors import FormatError
from spacy_gladis.research.tasks.disambiguation.sets import (
    NO_CANDIDATES,
    NO_GOLD,
    NO_MENTION,
    read_candidates,
    read_set,
    read_sets,
    with_counts,
)

GLADIS_ROWS = [
    ("HR", "heart rate", "her __ABB__ was high ."),
    ("HR", "human resources", "ask HR about leave ."),
    ("HR", "home run", "an HR in the ninth ."),  # no candidate
    ("ECG", "electrocardiogram", "the trace was flat ."),  # no mention
    ("XYZ", "nothing", "XYZ is unknown ."),  # not in the dictionary
]
OWN = {"HR": [["heart rate", 3], ["human resources", 5], ["heart rate", 2]], "ECG": []}


def gladis_line(acronym: str, long_form: str, text: str) -> str:
    record = {"index": 7, "short_term": acronym, "long_term": long_form, "type": "test"}
    return json.dumps({**record, "tokens": text.split()})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    test_set, dictionary = tmp_path / "evaluation/test_set", tmp_path / "evaluation/dict"
    general, sdu = tmp_path / "input/dataset/general", tmp_path / "sdu"
    for path in (test_set, dictionary, general, sdu):
        path.mkdir(parents=True)
    lines = "\n".join(gladis_line(*row) for row in GLADIS_ROWS)
    (test_set / "own_test.json").write_text(lines)
    (dictionary / "own_dict.json").write_text(json.dumps(OWN))
    (general / "dev.json").write_text(gladis_line("HR", "Heart Rates", "HR is up"))
    rows = [
        {"sentence": "The HRT of HR and HRs.", "acronym": "HR", "label": "heart rate", "ID": "1"},
        {"sentence": "Two HRs differ.", "acronym": "HR", "label": "human resources", "ID": "2"},
    ]
    (sdu / "train.json").write_text(json.dumps(rows))
    (sdu / "diction.json").write_text(json.dumps({"HR": ["human resources", "heart rate"]}))
    return tmp_path


@pytest.fixture
def dictionary(tmp_path: Path) -> Dictionary:
    path = tmp_path / "entries.json"
    path.write_text(json.dumps({"HR": [["heart rates", 9], ["hazard ratio", 2]]}))
    return Dictionary.open(path)


def test_every_set_is_found(folder: Path, dictionary: Dictionary) -> None:
    names = [data.name for data in read_sets(folder, dictionary)]
    assert names == ["own", "general/dev", "sdu/train"]
    assert [data.name for data in read_sets(folder)] == ["own", "sdu/train"]


def test_bad_rows_are_kept_and_counted(folder: Path) -> None:
    data = read_sets(folder)[0]
    assert len(data.samples) == 5
    assert data.gold == [0, 1, -1, -1, -1]
    assert data.problems == {NO_MENTION: 1, NO_GOLD: 3, NO_CANDIDATES: 2}
    first = data.samples[0]
    assert first.text[first.start : first.end] == "HR"
    assert data.samples[3].start == data.samples[3].end


def test_a_repeated_candidate_is_one_with_its_largest_count(folder: Path) -> None:
    heart_rate, human_resources = read_sets(folder)[0].candidates[0]
    assert (heart_rate.long_form, heart_rate.total) == ("heart rate", 3)
    assert (human_resources.long_form, human_resources.total) == ("human resources", 5)


def test_sdu22_prefers_the_acronym_as_a_word(folder: Path) -> None:
    sdu = read_sets(folder)[1]
    whole, plural = sdu.samples
    assert (whole.start, whole.end) == (11, 13)
    assert (plural.start, plural.end) == (4, 6)
    assert sdu.gold == [1, 0]


def test_another_dictionary_matches_spellings(folder: Path, dictionary: Dictionary) -> None:
    general = read_sets(folder, dictionary)[1]
    assert not general.own_dictionary
    assert general.gold == [0]


def test_counts_of_another_dictionary_or_none(folder: Path, dictionary: Dictionary) -> None:
    data = read_sets(folder)[0]
    assert with_counts(data, "own", dictionary) is data
    counted = with_counts(data, "dictionary", dictionary)
    assert [candidate.total for candidate in counted.candidates[0]] == [9, 0]
    assert [candidate.long_form for candidate in counted.candidates[0]] == [
        "heart rate",
        "human resources",
    ]
    assert [
        candidate.total for candidate in with_counts(data, "none", dictionary).candidates[0]
    ] == [0, 0]


def test_broken_files_are_named(tmp_path: Path) -> None:
    path, entries = tmp_path / "dev.json", tmp_path / "diction.json"
    with pytest.raises(FormatError, match="no evaluation set"):
        read_sets(tmp_path)
    entries.write_text("[1]")
    with pytest.raises(FormatError, match="not a dictionary of acronyms"):
        read_candidates(entries)
    entries.write_text("{}")
    for content, message in (
        ("", "contains no samples"),
        ('[{"sentence": "x"}]', "row 1 is not a sample"),
    ):
        path.write_text(content)
        with pytest.raises(FormatError, match=message):
            read_set(path, "dev", entries)
