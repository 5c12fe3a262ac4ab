"""The common lists and the list of sources: form, order, no entry twice."""

import json

import pytest

from spacy_gladis.research.dictionary.sources import COMMON_COLUMNS
from tests.support.paths import ROOT

FOLDER = ROOT / "assets" / "dictionary"
COMMON = FOLDER / "common"
SOURCES = json.loads((FOLDER / "sources.json").read_text("utf8"))
BRANCHES = SOURCES["common"]["branches"]


@pytest.mark.parametrize("branch", BRANCHES, ids=str)
def test_the_lists_of_a_branch_are_well_formed(branch):
    lists = sorted((COMMON / branch).glob("*.tsv"))
    assert lists
    for path in lists:
        text = path.read_text("utf8")
        header, *lines = text.splitlines()
        assert tuple(header.split("\t")) == COMMON_COLUMNS, path
        assert text.endswith("\n"), path
        rows = [line.split("\t") for line in lines]
        for row in rows:
            acronym, long_form, grade, small, spellings = row
            assert all(" ".join(cell.split()) == cell for cell in row), (path, row)
            assert acronym and long_form and acronym != long_form, (path, row)
            assert grade in {"1", "2", "3", "4", "5"} and small in {"", "yes"}, (path, row)
            assert all(spellings.split(" ; ")) or not spellings, (path, row)
        acronyms = [row[0].casefold() for row in rows]
        assert acronyms == sorted(acronyms), f"{path}: sort by acronym, whatever its case"
        entries = [(row[0], row[1].casefold()) for row in rows]
        assert len(set(entries)) == len(entries), f"{path}: an entry stands twice"


def test_every_common_list_is_in_a_branch_and_every_branch_has_fields():
    lists = {path.relative_to(COMMON).with_suffix("").as_posix() for path in COMMON.rglob("*.tsv")}
    assert {name.rpartition("/")[0] for name in lists} <= set(BRANCHES)
    assert set(SOURCES["common"]["sources"]) <= lists
    assert all(1 <= len(fields) <= 3 for fields in BRANCHES.values())


def test_every_source_states_a_licence():
    for kind in ("text", "glossary", "concepts"):
        assert all(said["licence"] for said in SOURCES[kind]["sources"].values())
    assert SOURCES["common"]["licence"] == "CC0 1.0"
