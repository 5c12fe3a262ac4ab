import json

import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.research.report.papers import markdown, read_results, sections
from spacy_gladis.research.report.tables import Table

SPANS = {"precision": 0.5, "recall": 0.25, "f1": 1 / 3}
PROFILE = {
    "items": 4,
    "mean": 0.25,
    "quartiles": [0.1, 0.2, 0.3],
    "intervals": {"[0, .25)": 1, "[.25, .5)": 1, "[.5, .75)": 2, "[.75, 1]": 0},
    "empty": 0,
}
AUDIT = {
    "test": {"items": 4},
    "texts": {"1": PROFILE, "2": PROFILE, "3": PROFILE},
    "annotations": None,
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
        "mine": {"names": ["a.json", "b.json"], "train": {}, **AUDIT},
        "speed": {"command": "python benchmarks/speed.py <b>", "rate": 1},
        "nobody": {"rate": 2},
    }
    for name, content in contents.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content), "utf8")
    (tmp_path / "broken.json").write_text('{"command": ', "utf8")
    return tmp_path


def test_files_are_known_by_the_command_that_wrote_them(folder):
    results = read_results(folder)
    assert {one.name: one.kind for one in results.found} == {
        "gladis": "gladis",
        "sciai": "sciai",
        "leakage": "leakage",
        "mine": "audit",
        "speed": "speed",
    }
    assert [line.split(":")[0] for line in results.left_out] == ["broken.json", "nobody.json"]


def test_an_empty_folder_is_no_folder_of_results(tmp_path):
    with pytest.raises(InputError, match="holds no results"):
        read_results(tmp_path)


def test_markdown_puts_published_figures_beside_ours(folder):
    results = read_results(folder)
    text = markdown(sections(results), results.left_out)
    assert "| uad | cascade | 75.0 | 50.0 | 25.0 | 25.0 | 80.0 | 12.5 | 20 |" in text
    assert "| uad | *AcroBERT as published* | 93.7 | 88.8 |" in text
    assert "| dev | rules | 50.0 | 25.0 | 33.3 |" in text
    assert "| BC2GM | - | 33.2 | 13.1 | 4.2 | *Table 2, 15,000 training sentences* |" in text
    assert "- `speed`: `python benchmarks/speed.py <b>`" in text
    assert "WiC-TSV" not in text  # nothing was measured, so there is no empty part


def test_the_learning_curve_of_target_sense_verification(tmp_path):
    scores = dict.fromkeys(("accuracy", "accuracy_deviation", "precision", "recall", "f1"), 0.5)
    mean = scores | {"seeds": 3}
    wic_tsv = {
        "command": "spacy-gladis evaluate wic-tsv data",
        "sets": {"dev": {"items": 8}},
        "tasks": {"3": {"cosines-tuned": {"mean": mean, "domains": {}}}},
        "learning_curve": {"3": {"cosines-tuned": {"0.1": mean, "1": mean}}},
    }
    (tmp_path / "curve.json").write_text(json.dumps(wic_tsv), "utf8")
    (tmp_path / "other.json").write_text(json.dumps(wic_tsv | {"tasks": {"3": 1}}), "utf8")
    results = read_results(tmp_path)
    text = markdown(sections(results), results.left_out)
    assert "| share of the training targets | 10 % | 100 % |" in text
    assert "other.json: of another version" in text


def small_table() -> Table:
    table = Table("A [b] title", ("name", "share", "count"))
    table.add("a|b <i>", 0.1234, 12345)
    table.add("two\nlines", None, 0)
    return table


def test_markdown() -> None:
    assert small_table().markdown() == (
        "**A [b] title**\n\n"
        "| name | share | count |\n| --- | --: | --: |\n"
        "| a\\|b <i> | 12.3 | 12,345 |\n| two lines | - | 0 |\n"
    )
