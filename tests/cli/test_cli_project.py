"""Commands that the project strings together and no other file tests."""

import json
from typing import Any


def test_assemble_makes_a_pipeline_that_spacy_loads(cli, tmp_path, tiny_weights, tiny_dictionary):
    import spacy

    options = ("--dictionary", tiny_dictionary, "-o", "pipeline")
    code, _, err = cli("train", "assemble", tiny_weights, *options)
    assert code == 0, err
    nlp = spacy.load(tmp_path / "pipeline")
    assert nlp.pipe_names == ["acronym_detector", "acrobert_linker"]
    linker: Any = nlp.get_pipe("acrobert_linker")
    assert set(linker.dictionary) == {"AI", "CT", "mRNA", "NASA"}


def test_assemble_needs_weights(cli):
    code, _, err = cli("train", "assemble", "absent", "-o", "pipeline")
    assert code == 2
    assert "absent" in err


def test_report_gathers_a_folder(cli, tmp_path):
    (tmp_path / "results").mkdir()
    content = {"command": "spacy-gladis evaluate other data"}
    (tmp_path / "results/other.json").write_text(json.dumps(content), "utf8")
    (tmp_path / "results/broken.json").write_text("{", "utf8")
    code, out, err = cli("evaluate", "report", "results", "-o", "all.md")
    assert code == 0
    assert "Wrote all.md: 1 results, 1 parts." in out
    assert "Left out broken.json: no JSON file" in err
    assert "spacy-gladis evaluate other data" in (tmp_path / "all.md").read_text("utf8")
