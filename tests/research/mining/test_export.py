from collections import Counter

import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.research.datasets.sample import read_samples
from spacy_gladis.research.mining.export import export
from spacy_gladis.research.mining.mine import MiningSettings, mine
from spacy_gladis.research.mining.stages import ExtractionSettings
from tests.support.corpora import records, write_lines

pytest.importorskip("duckdb")


@pytest.fixture
def mined(tmp_path, shards, pool):
    # Another spelling of one long form, and a shard that repeats another.
    odd = [{"text": "The Support Vector Machines (SVM) of the year were shown to all visitors."}]
    write_lines(shards / "d.jsonl", odd)
    write_lines(shards / "e.jsonl", records(40))
    settings = MiningSettings(ExtractionSettings(buckets=4))
    return mine([shards], tmp_path / "out", pool, settings).root


def test_tsv_is_the_published_form(mined, pool):
    files = export(mined, pool, "tsv")
    assert [path.name for path in files] == [f"00{bucket}.tsv" for bucket in range(4)]
    rows = [
        line.split("\t") for path in files for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert all(len(row) == 3 and row[0] in row[2] for row in rows)
    assert all(row[1].lower() not in row[2].lower() for row in rows)
    [odd] = [row for row in rows if "of the year" in row[2]]
    assert odd[:2] == ["SVM", "support vector machine"]


def test_equal_passages_are_there_once(mined, pool):
    files = export(mined, pool, "parquet")
    samples = [sample for path in files for sample in read_samples(path)]
    passages = Counter((sample.acronym, sample.text, sample.start) for sample in samples)
    assert set(passages.values()) == {1}
    wanted = {(sample.acronym, sample.text, sample.start) for sample in read_samples(mined)}
    assert set(passages) == wanted
    assert len(list(read_samples(mined))) > len(wanted)
    for sample in samples:
        assert sample.text[sample.start : sample.end] == sample.acronym


def test_the_cap_is_kept_and_the_rest_is_the_same_every_time(mined, pool):
    def lines():
        return [path.read_bytes() for path in export(mined, pool, "tsv", cap=5)]

    first = lines()
    assert lines() == first
    for path in (mined / "done/export-tsv").iterdir():
        path.unlink()
    assert lines() == first
    pairs = Counter(tuple(row.split(b"\t")[:2]) for part in first for row in part.splitlines())
    assert len(pairs) == 7
    assert set(pairs.values()) == {5}


def test_what_cannot_be_exported(tmp_path, mined, pool):
    with pytest.raises(InputError, match="No format 'docx'"):
        export(mined, pool, "docx")
    with pytest.raises(InputError, match=r"no manifest\.json"):
        export(tmp_path / "nowhere", pool)
    (mined / "counts/001.parquet").unlink()
    with pytest.raises(InputError, match="not finished or were lost"):
        export(mined, pool)
