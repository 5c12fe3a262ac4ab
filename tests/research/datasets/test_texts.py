"""Passages, documents and collected texts are read, and what is none is named."""

import json
from typing import Any

import pytest

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.datasets.texts import GoldMention, case_of, read_texts

PASSAGE: dict[str, Any] = {
    "id": "p1",
    "field": "clinic",
    "genre": "note",
    "text": "CT of HIS head",
    "mentions": [
        {"start": 0, "end": 2, "acronym": "CT", "long_forms": ["scan"], "case": "capitals"},
        {"start": 6, "end": 9, "acronym": "HIS", "long_forms": [], "case": "none"},
    ],
}
DOCUMENT = {
    "repo": "some/one",
    "path": "a.md",
    "part": 0,
    "field": "software",
    "text": "an API",
    "mentions": [
        {"start": 3, "end": 6, "acronym": "API", "long_form": "interface", "defined": True}
    ],
}


COLLECTED = {
    "text": "MR CT",
    "field": "imaging",
    "source": "some/two:notes/1.txt",
    "mentions": [
        {"start": 0, "end": 2, "acronym": "MR", "long_forms": []},
        {"start": 3, "end": 5, "acronym": "CT", "long_forms": ["scan"]},
    ],
}


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf8")
    return path


def test_both_kinds_are_read(tmp_path):
    passage, document = read_texts(write(tmp_path / "dev.jsonl", PASSAGE, DOCUMENT))
    assert (passage.name, passage.field, passage.repository) == ("p1", "clinic", "")
    assert passage.mentions == (
        GoldMention(0, 2, "CT", ("scan",), "capitals", False),
        GoldMention(6, 9, "HIS", (), "none", False),
    )
    assert (document.name, document.repository) == ("some/one/a.md/0", "some/one")
    assert document.mentions == (GoldMention(3, 6, "API", ("interface",), "capitals", True),)


def test_collected_texts_are_of_their_source(tmp_path):
    (text,) = read_texts(write(tmp_path / "dev.jsonl", COLLECTED))
    assert (text.name, text.repository) == ("some/two:notes/1.txt", "some/two")
    assert [mention.case for mention in text.mentions] == ["none", "capitals"]


@pytest.mark.parametrize(
    ("acronym", "case"),
    [
        ("CT", "capitals"),
        ("R&D", "capitals"),
        ("HbA", "mixed"),
        ("yo", "lower"),
        ("c/o", "slashed"),
        ("b.i.d.", "dotted"),
        ("URLs", "plural"),
        ("iPSCs", "plural"),
        ("T2DM", "digits"),
    ],
)
def test_case_is_told_by_shape(acronym, case):
    assert case_of(acronym) == case


@pytest.mark.parametrize(
    "change",
    [
        {"text": "MR of HIS head"},
        {"mentions": [{"start": 0}]},
        {"mentions": [{**PASSAGE["mentions"][0], "case": "none"}]},
        {"mentions": [{**PASSAGE["mentions"][1], "case": "capitals"}]},
        {"mentions": None},
    ],
)
def test_a_bad_line_is_named(tmp_path, change):
    path = write(tmp_path / "dev.jsonl", PASSAGE, {**PASSAGE, **change})
    with pytest.raises(FormatError, match=r"dev\.jsonl:2"):
        read_texts(path)


def test_a_file_that_is_missing_or_empty(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        read_texts(tmp_path / "dev.jsonl")
    with pytest.raises(FormatError, match="empty"):
        read_texts(write(tmp_path / "dev.jsonl"))
