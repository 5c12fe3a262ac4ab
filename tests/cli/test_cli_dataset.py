import json

from spacy_gladis.dictionary import Dictionary, build_dictionary
from spacy_gladis.research.datasets.sample import read_samples


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
    (tmp_path / "train.json").write_text(json.dumps([*records, {"id": "bad"}]), encoding="utf-8")
    options = ["--source", "sciad", "--output", "sets", "--dictionary", "small.sqlite"]
    code, out, err = cli("dataset", "build", "train.json", *options)
    assert code == 0
    assert "train.json:201: no sample" in err

    names = ("train", "dev", "test")
    parts = [list(read_samples(tmp_path / f"sets/{name}.json")) for name in names]
    assert [len(part) for part in parts] == [120, 40, 40]
    acronyms = [{one.acronym for one in part} for part in parts]
    assert len(set.union(*acronyms)) == sum(map(len, acronyms)) == 20

    completed = Dictionary.open(tmp_path / "sets/dictionary.sqlite")
    assert len(completed) == 21
    [candidate] = completed.candidates("AB3C")
    assert (candidate.long_form, candidate.total) == ("alpha beta 3 channel", 1)

    statistics = json.loads((tmp_path / "sets/statistics.json").read_text(encoding="utf-8"))
    assert statistics["command"].startswith("spacy-gladis dataset build train.json")
    assert statistics["pairs_added"] == 20
    assert statistics["problems"]["counts"] == {"no sample": 1}
    assert statistics["sets"]["train"]["unique_short_forms"] == 12
    assert statistics["sets"]["train"]["overshadowed_ratio"] == 0
    assert json.loads(out) == statistics["sets"]


def test_a_source_without_its_reference(cli, tmp_path):
    (tmp_path / "dev.json").write_text("{}", encoding="utf-8")
    code, _, err = cli("dataset", "build", "dev.json", "--source", "wikilinks", "--output", "sets")
    assert code == 2
    assert "needs a --reference: a Wikidata dump" in err
    assert not (tmp_path / "sets").exists()


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
    assert "1 corpus shards; published files: 1 same, 0 different, 1 absent." in out
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert found["corpus"] == {"00.jsonl": 3}
    assert found["files"] == {"more.txt": "absent", "notes.txt": "same"}

    (tmp_path / "found.json").unlink()
    (data / "notes.txt").write_text("abcd", encoding="utf-8")
    code, _, err = cli("dataset", "verify", data, *options)
    assert code == 2
    assert "notes.txt: not the published file" in err
    assert not (tmp_path / "found.json").exists()
    code, out, _ = cli("dataset", "verify", data, *options[:-2])
    assert code == 0
    assert "1 different" in out


def test_verify_stops_at_empty_files_and_without_a_corpus(cli, tmp_path):
    data = data_folder(tmp_path)
    (data / "notes.txt").write_bytes(b"")
    code, _, err = cli("dataset", "verify", data, "-o", "found.json", "--published", "full")
    assert code == 2
    assert "Empty: " in err and "notes.txt" in err
    (data / "corpus/00.jsonl").unlink()
    code, _, err = cli("dataset", "verify", data, "-o", "found.json", "--published", "full")
    assert code == 2
    assert "holds no shard" in err


def test_verify_needs_a_project(cli, tmp_path):
    data = data_folder(tmp_path)
    code, _, err = cli("dataset", "verify", data, "-o", "x.json", "--project", "absent.yml")
    assert code == 2
    assert "absent.yml is not a project with assets" in err
