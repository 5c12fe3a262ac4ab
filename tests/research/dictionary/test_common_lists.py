"""The common lists and the list of sources: form, order, no entry twice."""

import json

import pytest

from spacy_gladis.research.dictionary.rows import COMMON_COLUMNS
from tests.support.paths import ROOT

FOLDER = ROOT / "assets" / "dictionary"
LISTS = sorted((FOLDER / "common").glob("*.tsv"))


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_a_common_list_is_well_formed(path):
    text = path.read_text("utf8")
    header, *lines = text.splitlines()
    assert tuple(header.split("\t")) == COMMON_COLUMNS
    assert text.endswith("\n")
    rows = [line.split("\t") for line in lines]
    for row in rows:
        acronym, long_form, grade, small, spellings = row
        assert all(" ".join(cell.split()) == cell for cell in row), row
        assert acronym and long_form and acronym != long_form, row
        assert grade in {"1", "2", "3", "4", "5"} and small in {"", "yes"}, row
        assert all(spellings.split(" ; ")) or not spellings, row
    acronyms = [row[0].casefold() for row in rows]
    assert acronyms == sorted(acronyms), "sort the lines by acronym, whatever its case"
    entries = [(row[0], row[1].casefold()) for row in rows]
    assert len(set(entries)) == len(entries), "an entry stands twice"


def test_every_common_list_is_a_source_and_has_a_field():
    sources = json.loads((FOLDER / "sources.json").read_text("utf8"))
    common = sources["common"]["sources"]
    assert {path.stem for path in LISTS} == set(common)
    assert all(1 <= len(said["fields"]) <= 3 for said in common.values())


def test_every_source_states_a_licence():
    sources = json.loads((FOLDER / "sources.json").read_text("utf8"))
    for kind in ("text", "glossary", "concepts"):
        assert all(said["licence"] for said in sources[kind]["sources"].values())
    assert sources["common"]["licence"] == "CC0 1.0"
