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
def readable_files(tmp_path_factory):
    pytest.importorskip("zstandard")
    return readables(tmp_path_factory.mktemp("formats"))


def test_every_format_is_tried(readable_files):
    assert set(FORMATS) == set(readable_files)


@pytest.mark.parametrize("name", FORMATS)
def test_damage_is_told(readable_files, name, tmp_path):
    readable = readable_files[name]
    path, data, whole = (
        tmp_path / readable.path.name,
        readable.path.read_bytes(),
        readable.read(readable.path),
    )
    failures = 0
    for what, content in damaged(data, random.Random(name), EACH):
        path.write_bytes(content)
        try:
            result = readable.read(path)
        except GladisError as error:
            failures += 1
            assert str(error), what
        else:
            assert not readable.checked or result == whole, f"{what}: a wrong answer"
    assert failures or not readable.checked


@pytest.mark.parametrize(("name", "place", "part"), PAST)
def test_past_failures(readable_files, name, place, part, tmp_path):
    readable = readable_files[name]
    data = readable.path.read_bytes()
    path = tmp_path / readable.path.name
    path.write_bytes(data[:place] + part + data[place + len(part) :])
    try:
        readable.read(path)
    except GladisError as error:
        assert str(error)


@pytest.mark.parametrize("content", [b"", b"\0" * 64, b"\xff" * 64, b"[" * 100_000, b"{}"])
@pytest.mark.parametrize("name", FORMATS)
def test_foreign_files(readable_files, name, content, tmp_path):
    readable = readable_files[name]
    path = tmp_path / readable.path.name
    path.write_bytes(content)
    try:
        readable.read(path)
    except GladisError as error:
        assert str(error)
