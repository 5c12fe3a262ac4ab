"""Research's commands as they are typed: corpora, data sets, assembling, reports."""

import json
from typing import Any

import pytest

from spacy_gladis.dictionary import Dictionary, build_dictionary
from spacy_gladis.research.datasets.sample import read_samples
from spacy_gladis.research.tasks.disambiguation.sets import NO_GOLD
from spacy_gladis.research.tasks.results import read_results
from tests.support.tasks import values

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
    code, out, _ = cli("corpus", "extract", shard, "--output", "mined", "--buckets", "2")
    assert code == 0 and "corpus stats" in out
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
    entries = {"YR": [["same year", 1]], "PPL": [["same people", 1]]}
    (tmp_path / "own.json").write_text(json.dumps(entries), "utf8")
    arguments = (
        "corpus",
        "phrases",
        shard,
        "--dictionary",
        "own.json",
        "--output",
        "phrases.jsonl",
    )
    code, out, _ = cli(*arguments, "--each", "1")
    assert (code, out) == (0, "phrases.jsonl: 2 samples\n")
    made = list(read_samples(tmp_path / "phrases.jsonl"))
    assert [sample.text[sample.start : sample.end] for sample in made] == ["YR", "PPL"]
    code, out, _ = cli(*arguments, "--samples", tmp_path / "phrases.jsonl")
    assert (code, out) == (0, "phrases.jsonl: 0 samples\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["extract", "nowhere", "--output", "out"], "does not exist"),
        (["extract", "letters.jsonl", "--output", "out", "--memory", "lots"], "is not a size"),
        (["extract", "letters.jsonl", "--output", "out", "--workers", "0"], "Invalid value for"),
        (["extract", "letters.jsonl", "--output", "out", "--rules", "x"], "Unknown rules 'x'"),
        (["stats", "."], "no manifest.json"),
    ],
)
def test_what_cannot_be_done(cli, shard, arguments, message, tmp_path):
    code, _, err = cli("corpus", *arguments)
    assert code == 2
    assert message in err
    assert not (tmp_path / "out").exists()


def test_build_writes_sets_dictionary_and_statistics(cli, tmp_path):
    build_dictionary([("ESA", "European Space Agency", "Web", 5)], tmp_path / "small.sqlite")
    records = [
        {
            "id": f"TR-{number}",
            "tokens": ["Here", f"AB{number % 20}C", "is", str(number), "."],
            "acronym": 1,
            "expansion": f"alpha beta {number % 20} channel",
        }
        for number in range(200)
    ]
    (tmp_path / "train.json").write_text(json.dumps(records), encoding="utf-8")
    options = ["--source", "sciad", "--output", "sets", "--dictionary", "small.sqlite"]
    code, out, _ = cli("dataset", "build", "train.json", *options)
    assert code == 0

    names = ("train", "dev", "test")
    parts = [list(read_samples(tmp_path / f"sets/{name}.json")) for name in names]
    assert [len(part) for part in parts] == [120, 40, 40]
    acronyms = [{sample.acronym for sample in part} for part in parts]
    assert len(set.union(*acronyms)) == sum(map(len, acronyms)) == 20

    completed = Dictionary.open(tmp_path / "sets/dictionary.sqlite")
    assert len(completed) == 21
    [candidate] = completed.candidates("AB3C")
    assert (candidate.long_form, candidate.total) == ("alpha beta 3 channel", 1)

    statistics = json.loads((tmp_path / "sets/statistics.json").read_text(encoding="utf-8"))
    assert statistics["command"].startswith("spacy-gladis dataset build train.json")
    assert statistics["pairs_added"] == 20
    assert statistics["problems"]["counts"] == {}
    assert statistics["sets"]["train"]["unique_short_forms"] == 12
    assert statistics["sets"]["train"]["overshadowed_ratio"] == 0
    assert json.loads(out) == statistics["sets"]

    arguments = (
        "--dictionary",
        "sets/dictionary.sqlite",
        "--system",
        "popularity",
        "-o",
        "gladis.jsonl",
    )
    code, _, err = cli("evaluate", "gladis", "sets", *arguments)
    assert code == 0, err
    results = {result.data: result for result in read_results(tmp_path / "gladis.jsonl")}
    assert list(results) == ["sets/dev", "sets/test"]
    for result in results.values():
        assert result.details["rows"] == 40 and NO_GOLD not in result.details
        assert values(result)["accuracy"] == 1.0  # each acronym has one long form


def data_folder(tmp_path):
    (tmp_path / "data/corpus").mkdir(parents=True)
    (tmp_path / "data/corpus/00.jsonl").write_text("{}\n", encoding="utf-8")
    (tmp_path / "data/notes.txt").write_text("abc", encoding="utf-8")
    assets = [
        {"dest": "full/notes.txt", "checksum": "900150983cd24fb0d6963f7d28e17f72"},
        {"dest": "full/more.txt", "checksum": "0" * 32},
        {"dest": "full/unknown.txt"},
    ]
    (tmp_path / "project.yml").write_text(json.dumps({"assets": assets}), encoding="utf-8")
    return tmp_path / "data"


def test_verify_tells_published_files_from_others(cli, tmp_path):
    data = data_folder(tmp_path)
    options = ("-o", "found.json", "--published", "full", "--if-different", "fail")
    code, out, _ = cli("dataset", "verify", data, *options)
    assert code == 0
    assert "1 corpus shards. Published files: 1 same, 0 different, 1 absent." in out
    result = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert result["corpus"] == {"00.jsonl": 3}
    assert result["files"] == {"more.txt": "absent", "notes.txt": "same"}

    (tmp_path / "found.json").unlink()
    (data / "notes.txt").write_text("abcd", encoding="utf-8")
    code, _, err = cli("dataset", "verify", data, *options)
    assert code == 2
    assert "notes.txt differs from the published file" in err
    assert not (tmp_path / "found.json").exists()
    code, out, _ = cli("dataset", "verify", data, *options[:-2])
    assert code == 0
    assert "1 different" in out


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda data: (data / "notes.txt").write_bytes(b""), "Empty files: "),
        (lambda data: (data / "corpus/00.jsonl").unlink(), "contains no corpus shard"),
        (lambda data: (data.parent / "project.yml").unlink(), "is not a spaCy project with assets"),
    ],
)
def test_verify_stops_at_what_cannot_be_used(cli, tmp_path, spoil, message):
    data = data_folder(tmp_path)
    spoil(data)
    code, _, err = cli("dataset", "verify", data, "-o", "found.json", "--published", "full")
    assert code == 2
    assert message in err


def test_assemble_makes_a_pipeline_that_spacy_loads(cli, tmp_path, tiny_weights, tiny_dictionary):
    import spacy

    options = ("--dictionary", tiny_dictionary, "-o", "pipeline")
    code, _, err = cli("train", "assemble", tiny_weights, *options)
    assert code == 0, err
    nlp = spacy.load(tmp_path / "pipeline")
    assert nlp.pipe_names == ["acronym_detector", "acrobert_linker"]
    linker: Any = nlp.get_pipe("acrobert_linker")
    assert set(linker.dictionary) == {"AI", "CT", "mRNA", "NASA"}


def test_report_gathers_a_folder(cli, tmp_path):
    (tmp_path / "results").mkdir()
    content = {"command": "spacy-gladis evaluate other data"}
    (tmp_path / "results/other.json").write_text(json.dumps(content), "utf8")
    (tmp_path / "results/broken.json").write_text("{", "utf8")
    code, out, err = cli("evaluate", "report", "results", "-o", "all.md")
    assert code == 0
    assert "Wrote all.md from 1 results files." in out
    assert "Left out broken.json: the file cannot be read as results" in err
    assert "spacy-gladis evaluate other data" in (tmp_path / "all.md").read_text("utf8")
