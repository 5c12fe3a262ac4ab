"""Damaged files give a clear error, reported problems or another content; nothing else escapes."""

import random

import pytest

from spacy_gladis.errors import GladisError
from tests.support.damage import damaged
from tests.support.formats import readables

EACH = 6  # of each kind of damage; benchmarks/fuzz.py does as many as one likes

FORMATS = [
    *("pile", "wikidata", "umls", "obo", "wikilinks", "medmentions", "pubtator", "sciad"),
    *("samples", "sciai", "sdu22", "bioc", "cometa", "gladis set", "gladis dictionary"),
    *("audit of sciai", "audit of sdu22", "audit of samples", "audit of pubtator", "audit of bioc"),
    *("dictionary, verified", "dictionary, looked up", "published dictionary", "overlay"),
    *("inventory", "settings"),
]

# What once escaped: (format, place, bytes put there).
PAST = [
    ("cometa", 698, b"C\xae\xdf\xd0E\xd8\xeb\x0f\rj"),
    ("cometa", 37, b"\xdb\x80t\x17\x9fg\x84\xfa\x85\x80\r\xdd"),
    ("inventory", 3274, b"\xd9\xd4eO\x19"),
    ("inventory", 161, b"\x00"),
    ("audit of sciai", 3155, b'"'),
]


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    pytest.importorskip("zstandard")
    return readables(tmp_path_factory.mktemp("formats"))


def test_every_format_is_tried(known):
    assert set(FORMATS) == set(known)


@pytest.mark.parametrize("name", FORMATS)
def test_damage_is_told(known, name, tmp_path):
    one = known[name]
    path, data, whole = tmp_path / one.path.name, one.path.read_bytes(), one.read(one.path)
    told = 0
    for what, content in damaged(data, random.Random(name), EACH):
        path.write_bytes(content)
        try:
            found = one.read(path)
        except GladisError as error:
            told += 1
            assert str(error), what
        else:
            assert not one.checked or found == whole, f"{what}: a wrong answer"
    assert told or not one.checked


@pytest.mark.parametrize(("name", "place", "part"), PAST)
def test_past_failures(known, name, place, part, tmp_path):
    one = known[name]
    data = one.path.read_bytes()
    path = tmp_path / one.path.name
    path.write_bytes(data[:place] + part + data[place + len(part) :])
    try:
        one.read(path)
    except GladisError as error:
        assert str(error)


@pytest.mark.parametrize("content", [b"", b"\0" * 64, b"\xff" * 64, b"[" * 100_000, b"{}"])
@pytest.mark.parametrize("name", FORMATS)
def test_foreign_files(known, name, content, tmp_path):
    one = known[name]
    path = tmp_path / one.path.name
    path.write_bytes(content)
    try:
        one.read(path)
    except GladisError as error:
        assert str(error)
