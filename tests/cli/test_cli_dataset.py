import json

from spacy_gladis.corpus import read_samples
from spacy_gladis.dictionary import Dictionary, build_dictionary


def test_build_writes_sets_dictionary_and_statistics(cli, tmp_path):
    build_dictionary([("ESA", "European Space Agency", "Web", 5)], tmp_path / "small.gladis")
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
    options = ["--source", "sciad", "--output", "sets", "--dictionary", "small.gladis"]
    code, out, err = cli("dataset", "build", "train.json", *options)
    assert code == 0
    assert "train.json:201: no sample" in err

    names = ("train", "dev", "test")
    parts = [list(read_samples(tmp_path / f"sets/{name}.json")) for name in names]
    assert [len(part) for part in parts] == [120, 40, 40]
    acronyms = [{one.acronym for one in part} for part in parts]
    assert len(set.union(*acronyms)) == sum(map(len, acronyms)) == 20

    completed = Dictionary.open(tmp_path / "sets/dictionary.gladis")
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
