import json

import pytest

from spacy_gladis.research.datasets.sample import read_samples

pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

TEXT = (
    "The support vector machine (SVM) number {} was trained on the letters of the alphabet, and it "
    "was better than all the others that were tried in the same year by the same people."
)


@pytest.fixture
def shard(tmp_path):
    lines = [json.dumps({"text": TEXT.format(number)}) for number in range(50)]
    path = tmp_path / "letters.jsonl"
    path.write_text("\n".join([*lines, "broken"]), encoding="utf-8")
    return path


@pytest.mark.slow
def test_extract_and_stats(cli, shard, tmp_path):
    code, out, err = cli("corpus", "extract", shard, "--output", "mined", "--buckets", "2")
    assert (code, err.count("extract:")) == (0, 1)
    assert "corpus stats" in out
    code, again, err = cli("corpus", "extract", shard, "--output", "mined", "--buckets", "2")
    assert (code, again, err) == (0, out, "")
    code, _, err = cli("corpus", "extract", shard, "--output", "mined", "--buckets", "3")
    assert code == 2
    assert "buckets 2, now 3" in err

    code, out, _ = cli("corpus", "stats", "mined", "--output", "stats.json")
    assert code == 0
    assert "letters" in out
    assert "1 times: invalid JSON" in out
    figures = json.loads((tmp_path / "stats.json").read_text(encoding="utf-8"))
    assert figures["total"]["definitions"] == 50
    assert figures["command"] == "spacy-gladis corpus stats mined --output stats.json"

    assert len(list(read_samples(tmp_path / "mined"))) == 50


def test_phrases(cli, shard, tmp_path):
    own = {"YR": [["same year", 1]], "PPL": [["same people", 1]]}
    (tmp_path / "own.json").write_text(json.dumps(own), "utf8")
    asked = ("corpus", "phrases", shard, "--dictionary", "own.json", "--output", "phrases.jsonl")
    code, out, _ = cli(*asked, "--each", "1")
    assert (code, out) == (0, "phrases.jsonl: 2 samples\n")
    made = list(read_samples(tmp_path / "phrases.jsonl"))
    assert [one.text[one.start : one.end] for one in made] == ["YR", "PPL"]
    code, out, _ = cli(*asked, "--samples", tmp_path / "phrases.jsonl")
    assert (code, out) == (0, "phrases.jsonl: 0 samples\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["extract", "nowhere", "--output", "out"], "no file or folder"),
        (["extract", "letters.jsonl", "--output", "out", "--memory", "lots"], "is not a size"),
        (["extract", "letters.jsonl", "--output", "out", "--workers", "0"], "Invalid value for"),
        (["extract", "letters.jsonl", "--output", "out", "--rules", "x"], "No rules 'x'"),
        (["stats", "."], "no manifest.json"),
    ],
)
def test_what_cannot_be_done(cli, shard, arguments, message, tmp_path):
    code, _, err = cli("corpus", *arguments)
    assert code == 2
    assert message in err
    assert not (tmp_path / "out").exists()
