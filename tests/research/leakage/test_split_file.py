"""Splitting data files: records as they were, what belongs together in one part."""

import json

import pytest

pytest.importorskip("scipy")

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.leakage.formats import read_items
from spacy_gladis.research.leakage.split_file import split_file
from tests.support.corpora import write_lines

HALVES: dict[str, float] = {"one": 1, "other": 1}


def samples(number: int) -> list[dict[str, str]]:
    return [
        {
            "acronym": f"AB{row % 5}",
            "long_form": f"alpha beta {row % 5}",
            "text": f"Line {row} says AB{row % 5}.",
            "document": f"d{row % 4}",
        }
        for row in range(number)
    ]


@pytest.mark.parametrize("by", ["document", "acronym"])
def test_no_document_and_no_acronym_is_in_two_parts(tmp_path, by):
    path = write_lines(tmp_path / "samples.jsonl", samples(20))
    counts = split_file(path, tmp_path / "parts", HALVES, by)
    parts = [read_items(tmp_path / f"parts/{name}.jsonl") for name in HALVES]
    assert [len(part) for part in parts] == list(counts.values())
    owners = [{item.document if by == "document" else item.acronyms for item in p} for p in parts]
    assert not owners[0] & owners[1]
    lines = [
        line
        for name in HALVES
        for line in (tmp_path / f"parts/{name}.jsonl").read_text("utf8").splitlines()
    ]
    assert sorted(lines) == sorted(path.read_text("utf8").splitlines())


def test_sentences_that_share_acronyms_through_others_stay_together(tmp_path):
    def record(number: int, *acronyms: str) -> dict[str, object]:
        labels = ["B-short"] * len(acronyms)
        return {"id": str(number), "tokens": [*acronyms, "."], "labels": [*labels, "O"]}

    chained = [record(0, "AB", "CD"), record(1, "EF", "CD"), record(2, "EF")]
    path = tmp_path / "set.json"
    path.write_text(json.dumps([*chained, *(record(n, f"X{n}") for n in range(3, 6))]), "utf8")
    assert split_file(path, tmp_path, HALVES, "acronym") == {"one": 3, "other": 3}
    ids = {item.id for item in read_items(tmp_path / "one.json")}
    assert ids in ({"0", "1", "2"}, {"3", "4", "5"})


def test_aligned_files_stay_aligned(tmp_path):
    rows = range(10)
    content = {
        "examples": [f"w{n}\t0\tw{n} stands here" for n in rows],
        "definitions": [f"meaning {n}" for n in rows],
        "hypernyms": ["" if n == 3 else f"kind{n}" for n in rows],
        "labels": ["T" if n % 2 else "F" for n in rows],
    }
    for kind, lines in content.items():
        (tmp_path / f"train_{kind}.txt").write_text("\n".join(lines), "utf8")
    split_file(tmp_path / "train_examples.txt", tmp_path / "parts", HALVES, "random", seed=3)
    result = []
    for name in HALVES:
        columns = [
            (tmp_path / f"parts/{name}_{kind}.txt").read_text("utf8").split("\n")[:-1]
            for kind in content
        ]
        assert len(columns[0]) == 5
        result += list(zip(*columns, strict=True))
    assert sorted(result) == sorted(zip(*content.values(), strict=True))


BLOCKS = "\n".join(f"Gene{n}\tB-GENE\nacts\tO\n" for n in range(6))
PUBTATOR = "\n".join(
    f"{n}|t|Title {n}\n{n}|a|An abstract.\n{n}\t0\t5\tTitle\tDisease\tD1\n" for n in range(6)
)
DOCUMENTS = "".join(
    f"<document><id>{n}</id><passage><offset>0</offset><text>text {n}</text></passage></document>"
    for n in range(6)
)
BIOC = f"<collection><source>s</source>{DOCUMENTS}</collection>"
COMETA = "ID,Term,Example\n" + "".join(f'{n},t{n},"one, two {n}"\n' for n in range(6))


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.tsv", BLOCKS), ("a.txt", PUBTATOR), ("a.xml", BIOC), ("a.csv", COMETA)],
)
def test_every_kind_of_record_is_cut_whole(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content, "utf8")
    split_file(path, tmp_path / "parts", HALVES, "random")
    texts = [
        item.text
        for part in HALVES
        for item in read_items(tmp_path / "parts" / f"{part}{path.suffix}")
    ]
    assert sorted(texts) == sorted(item.text for item in read_items(path))


def test_parquet_samples_keep_their_columns(tmp_path):
    parquet, pyarrow = map(pytest.importorskip, ("pyarrow.parquet", "pyarrow"))
    table = pyarrow.Table.from_pylist([{**sample, "extra": 7} for sample in samples(20)])
    parquet.write_table(table, tmp_path / "a.parquet")
    counts = split_file(tmp_path / "a.parquet", tmp_path, {"train": 3, "test": 1}, "document")
    assert counts == {"train": 15, "test": 5}
    assert parquet.read_table(tmp_path / "test.parquet").column_names == table.column_names


def test_what_cannot_be_split_says_why(tmp_path):
    path = write_lines(tmp_path / "plain.jsonl", [{"text": "a text"}, {"text": "another"}])
    for by in ("document", "acronym"):
        with pytest.raises(InputError, match=f"have no {by}"):
            split_file(path, tmp_path, HALVES, by)
    (tmp_path / "x.dat").write_text("?", "utf8")
    with pytest.raises(FormatError, match="unknown extension"):
        split_file(tmp_path / "x.dat", tmp_path, HALVES, "random")


def test_the_command_names_its_parts(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from spacy_gladis.research.cli.dataset import app

    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "samples.jsonl", samples(20))
    arguments = ["split", "samples.jsonl", "--output", "out", "--by", "random"]
    done = CliRunner().invoke(app, [*arguments, "--part", "big=3", "--part", "small=1"])
    assert (done.exit_code, done.stdout) == (0, "big: 15\nsmall: 5\n")
    failed = CliRunner().invoke(app, [*arguments, "--part", "big"])
    assert isinstance(failed.exception, InputError)
    assert "NAME=SIZE" in str(failed.exception)
