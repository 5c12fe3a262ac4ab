import json
from pathlib import Path

import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.research.report.papers import kind_of, markdown, read_results
from spacy_gladis.research.report.tables import Table

SPANS = {"precision": 0.5, "recall": 0.25, "f1": 1 / 3}
PROFILE = {
    "items": 4,
    "mean": 0.25,
    "quartiles": [0.1, 0.2, 0.3],
    "intervals": {"[0, .25)": 1, "[.25, .5)": 1, "[.5, .75)": 2, "[.75, 1]": 0},
    "empty": 0,
}
SIDE = {"items": 4, "annotations": 0}
AUDIT = {
    "train": SIDE,
    "test": SIDE,
    "texts": {"1": PROFILE, "2": PROFILE, "3": PROFILE},
    "annotations": None,
    "duplicate_texts": 1,
    "acronyms": None,
    "pairs": None,
    "closest": [],
}


def gladis():
    """A results file of `evaluate gladis` with one system on one set."""
    names = ("sdu_macro_f1", "sklearn_macro_f1")
    scores = {"accuracy": 0.75, "gladis_macro_f1": 0.5, **dict.fromkeys(names, 0.25)}
    one = {
        "scores": scores,
        "covered": {"accuracy": 0.8},
        "by_popularity": {"popular": scores, "overshadowed": None},
        "confidence": {"expected_calibration_error": 0.125},
        "rows_per_second": 20.0,
    }
    about = {"rows": 8, "acronyms": 4, "candidates_mean": 2.5, "covered": 1.0, "problems": {}}
    return {
        "command": "spacy-gladis evaluate gladis data",
        "counts": "own",
        "sets": {"uad": {"set": about, "systems": {"cascade": one}}},
    }


def sciai():
    one = {
        "short": SPANS,
        "long": SPANS,
        "macro": SPANS,
        "words_per_second": 10,
    }
    return {
        "command": "spacy-gladis evaluate sciai data",
        "measure": "exact spans",
        "sets": {"dev": {"systems": {"rules": one}}},
    }


@pytest.fixture
def folder(tmp_path):
    contents = {
        "gladis": gladis(),
        "sciai": sciai(),
        "leakage": {"command": "python benchmarks/leakage.py", "audits": {"BC2GM": AUDIT}},
        "mine": {"names": ["a.json", "b.json"], **AUDIT},
        "speed": {"command": "python benchmarks/speed.py <b>", "rate": 1},
        "nobody": {"rate": 2},
    }
    for name, content in contents.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content), "utf8")
    (tmp_path / "broken.json").write_text('{"command": ', "utf8")
    return tmp_path


def test_files_are_known_by_the_command_that_wrote_them(folder):
    results, left_out = read_results(folder)
    assert {name: kind_of(one) for name, one in results.items()} == {
        "gladis": "gladis",
        "sciai": "sciai",
        "leakage": "leakage",
        "mine": "audit",
        "speed": "speed",
    }
    assert [line.split(":")[0] for line in left_out] == ["broken.json", "nobody.json"]


def test_an_empty_folder_is_no_folder_of_results(tmp_path):
    with pytest.raises(InputError, match="holds no results"):
        read_results(tmp_path)


def test_markdown_puts_published_figures_beside_ours(folder):
    text = markdown(*read_results(folder))
    assert "| uad | cascade | 75.0 | 50.0 | 25.0 | 25.0 | 80.0 | 12.5 | 20 |" in text
    assert "| uad | *AcroBERT as published* | 93.7 | 88.8 |" in text
    assert "| uad | cascade | 75.0 | 50.0 | - | - |" in text  # popular, overshadowed
    assert "| dev | rules | 50.0 | 25.0 | 33.3 |" in text
    assert "| texts | 33.2 | 13.1 | 4.2 | *Table 2, 15,000 training sentences* |" in text
    assert "| BC2GM | 25.0 | 25.0 | 25.0 |" in text
    assert "- `speed`: `python benchmarks/speed.py <b>`" in text
    assert "WiC-TSV" not in text  # nothing was measured, so there is no empty part


def test_a_file_of_another_version_is_left_out_and_told_of(folder):
    for one in folder.glob("*.json"):
        if one.stem != "sciai":
            one.unlink()
    (folder / "other.json").write_text(json.dumps(sciai() | {"sets": 1}), "utf8")
    text = markdown(*read_results(folder))
    assert "| dev | rules | 50.0" in text and "other.json: of another version" in text


def test_the_repository_s_own_results_are_shown():
    results = Path(__file__).parents[3] / "benchmarks" / "results"
    found, left_out = read_results(results)
    text = markdown(found, left_out)
    assert not [line for line in left_out if "another version" in line]
    for name in ("gladis", "ad", "bioc", "linking_ncbi_disease", "wic_tsv_zero_shot", "leakage"):
        assert f"### {name}\n" in text


def test_a_table_in_markdown():
    table = Table("A [b] title", ("name", "share", "count"))
    table.add("a|b <i>", 0.1234, 12345)
    table.add("two\nlines", None, 0)
    assert table.markdown() == (
        "**A [b] title**\n\n"
        "| name | share | count |\n| --- | --: | --: |\n"
        "| a\\|b <i> | 12.3 | 12,345 |\n| two lines | - | 0 |\n"
    )
