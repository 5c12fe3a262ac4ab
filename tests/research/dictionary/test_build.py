"""From sources to a file: the same bytes each time, and what its metadata say."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from spacy_gladis.cli import app
from spacy_gladis.dictionary import Dictionary
from spacy_gladis.dictionary.candidate import SourceInfo
from spacy_gladis.dictionary.store import write_store
from spacy_gladis.errors import InputError
from spacy_gladis.research.dictionary.build import build
from spacy_gladis.research.dictionary.known import general_words, known_spellings
from spacy_gladis.research.dictionary.sources import read_sources

SOURCES: dict[str, Any] = {
    "known": {"path": "known.txt"},
    "words": {"paths": ["words.jsonl"], "documents": 10},
    "text": {
        "path": "counts.tsv",
        "sources": {
            "Papers": {"licence": "CC0", "fields": {"clinical": 3.0, "life": 1.0}},
            "Web": {"licence": "CC0", "fields": {}},
        },
    },
    "glossary": {
        "path": "glossaries",
        "sources": {
            "ward": {"licence": "MIT", "fields": {"clinical": 1.0}, "flags": ["clinical"]},
        },
    },
    "common": {
        "path": "common",
        "licence": "CC0 1.0",
        "sources": {"cardiology": {"fields": {"clinical": 1.0}}},
    },
    "concepts": {"sources": {"diseases": {"path": "d.obo", "licence": "CC0", "fields": {}}}},
}
COUNTS = """domain\tacronym\tlong_form\tdocuments
Papers\tMI\tmyocardial infarction\t40
Web\tMI\tMyocardial Infarctions\t2
Web\tMI\tMichigan Institute\t1
Papers\tCT\tcomputed tomography\t9
Papers\tCT\tcomputerised tomography\t3
Papers\tCTs\tcomputed tomographies\t1
Papers\tSE\tSchr\\"odinger equation\t2
"""
COMMON = """acronym\tlong_form\tcommon\tsmall\tspellings
HTN\thypertension\t5\tyes\t
MI\tmyocardial infarction\t4\t\theart attack
us\tultrasound\t2\tyes\t
"""
OBO = """format-version: 1.2

[Term]
id: D:1
name: multiple sclerosis
synonym: "MS" EXACT []
"""


@pytest.fixture
def folder(tmp_path):
    for name, text in {
        "sources.json": json.dumps(SOURCES),
        "counts.tsv": COUNTS,
        "known.txt": "us\nrepo\n",
        "words.jsonl": json.dumps({"text": "it gave us all the facts " * 20}) + "\n",
        "glossaries/ward.tsv": "acronym\tlong_form\tfrequency\nc/o\tcomplains of\t0.5\n"
        "MI\theart attack\t0.25\n",
        "common/cardiology.tsv": COMMON,
        "d.obo": OBO,
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def built(folder, name="made.sqlite", without=()):
    build(read_sources(folder / "sources.json", folder, without), folder / name)
    return folder / name


def test_sources_are_merged_and_counted_by_kind(folder):
    made = Dictionary.open(built(folder))
    first, second = made.candidates("MI")
    assert first.long_form == "myocardial infarction"
    assert first.counts == {
        "Papers": 40, "Web": 2, "common: cardiology": 60, "glossary: ward": 6,
    }  # fmt: skip
    assert second.counts == {"Web": 1}
    assert [(candidate.long_form, candidate.total) for candidate in made.candidates("CT")] == [
        ("computed tomography", 13)
    ]
    assert made.candidates("SE")[0].long_form == "Schrödinger equation"
    assert made.candidates("htn")[0].counts == {"common: cardiology": 200}
    assert made.candidates("MS")[0].counts == {"concepts: diseases": 1}


def test_metadata_say_what_the_sources_are(folder):
    made = Dictionary.open(built(folder))
    assert made.sources["Papers"] == SourceInfo("text", {"clinical": 0.75, "life": 0.25}, "CC0")
    assert made.sources["common: cardiology"].kind == "common"
    assert made.metadata["known"] == ["c/o", "htn", "repo", "us"]
    assert made.metadata["words"] == []
    assert Dictionary.open().sources == {} or "known" in Dictionary.open().metadata


def test_a_source_is_left_out(folder):
    made = Dictionary.open(built(folder, without=["Papers"]))
    assert "Papers" not in made.sources and not made.candidates("CT")
    assert set(Dictionary.open(built(folder, without=["Pa*rs"])).sources) == set(made.sources)
    with pytest.raises(InputError, match="no source 'Paper'"):
        read_sources(folder / "sources.json", folder, ["Paper"])
    (folder / "glossaries/ward.tsv").unlink()
    with pytest.raises(InputError, match="ward"):
        read_sources(folder / "sources.json", folder)


def test_a_small_file_keeps_the_lists(folder):
    rare = "".join(f"Web\tR{n}\trare wording of {n}\t1\n" for n in range(2_000))
    (folder / "counts.tsv").write_text(COUNTS + rare)
    path, sources = folder / "small.sqlite", read_sources(folder / "sources.json", folder)
    made = build(sources, path, size=60_000)
    assert path.stat().st_size <= 60_000 and made.long_forms > 100
    assert made.unchosen and Dictionary.open(path).candidates("HTN")
    with pytest.raises(InputError, match="too small for a dictionary"):
        build(sources, path, size=1_200)


def test_a_file_that_is_slightly_too_large_is_written_a_few_times(folder, monkeypatch):
    rare = "".join(f"Web\tR{n}\trare wording of {n}\t1\n" for n in range(2_000))
    (folder / "counts.tsv").write_text(COUNTS + rare)
    path, sources = folder / "small.sqlite", read_sources(folder / "sources.json", folder)
    build(sources, path)
    size, written = path.stat().st_size - 1, []

    def write(groups, *arguments):
        written.append(len(groups))
        return write_store(groups, *arguments)

    monkeypatch.setattr("spacy_gladis.research.dictionary.build.write_store", write)
    build(sources, path, size=size)
    assert path.stat().st_size <= size and len(written) < 10


def test_the_command_builds_from_sources(folder):
    arguments = [str(folder / "sources.json"), "--shared", str(folder)]
    output = ["-o", str(folder / "cli.sqlite")]
    result = CliRunner().invoke(app, ["corpus", "dictionary", *arguments, *output])
    assert result.exit_code == 0, result.output
    assert "long forms" in result.output
    assert (folder / "cli.sqlite").read_bytes() == built(folder).read_bytes()


def test_of_spellings_the_one_that_most_lists_give_stands_for_all(folder):
    """The third list takes the word of the first two for another spelling of its own."""
    rows = ["GI\tgastrointestinal\t4\t\t", "GI\tgastrointestinal\t3\t\t"]
    lists = [*rows, "GI\tgastroenterology\t4\t\tgastrointestinal"]
    common = {**SOURCES["common"], "sources": {}}
    for number, row in enumerate(reversed(lists)):
        (folder / "common" / f"list{number}.tsv").write_text(COMMON.splitlines()[0] + f"\n{row}\n")
        common["sources"][f"list{number}"] = {"fields": {"clinical": 1.0}}
    (folder / "sources.json").write_text(json.dumps({**SOURCES, "common": common}))
    [candidate] = Dictionary.open(built(folder)).candidates("GI")
    assert candidate.long_form == "gastrointestinal" and len(candidate.counts) == 3


def test_ordinary_words_are_not_known():
    lists = {"us": 2, "pt": 2, "bl": 1, "HTN": 2, "MRIs": 2, "b.i.d.": 1, "k8s": 2, "k": 2}
    assert known_spellings(lists, {"us": 300.0, "pt": 0.1}) == ["b.i.d.", "k8s", "pt"]
    assert known_spellings({"approx": 3, "a.m.": 2}, {"approx": 2.5, "a.m.": 30.0}) == [
        "a.m.",
        "approx",
    ]
    assert not known_spellings({"approx": 2}, {"approx": 2.5})


def test_acronyms_that_are_words_in_small_letters() -> None:
    rates = {"age": 300.0, "ct": 0.1, "ed": 6.0, "ED": 6.0}
    assert general_words(["AGE", "CT", "ED", "Age", "A1"], rates) == ["age"]
