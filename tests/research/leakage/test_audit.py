import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

pytest.importorskip("scipy")
pytest.importorskip("sklearn")

from spacy_gladis.research.cli.audit import app
from spacy_gladis.research.leakage.readers import Item
from spacy_gladis.research.leakage.run import audit, tables


def item(text: str, acronym: str, long_form: str) -> Item:
    return Item(text, (long_form,), (acronym,), ((acronym, long_form),), text)


TRAIN = [
    item("heart rate rose exercising daily", "HR", "heart rate"),
    item("managers hired staff", "HR", "human resources"),
    item("managers hired staff", "HR", "human resources"),
]
TEST = [
    item("Managers hired  staff", "HR", "human resources"),  # equal but for case and blanks
    item("heart rate rose sharply", "HR", "heart rhythm"),  # 3 of 5 and 3 of 4 words
    item("it was the", "CT", "computed tomography"),  # stop words alone
]


def test_every_figure_of_a_small_audit() -> None:
    report = audit(TRAIN, TEST)
    expected = [1.0, 3 / np.sqrt(20), 0.0]
    unigrams = report["texts"]["1"]
    assert unigrams["mean"] == pytest.approx(np.mean(expected))
    assert unigrams["quartiles"] == pytest.approx(np.quantile(expected, (0.25, 0.5, 0.75)))
    assert list(unigrams["intervals"].values()) == [1, 0, 1, 1]
    assert [report["texts"][n]["empty"] for n in "123"] == [1, 1, 1]
    assert report["annotations"]["1"]["mean"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert (report["duplicate_texts"], report["duplicate_annotations"]) == (1, 1)
    assert report["acronyms"] == {"test": 2, "shared": 1, "items_with_shared": 2}
    assert report["pairs"] == {"test": 3, "shared": 1, "items_with_shared": 1}
    assert report["train"] == {"items": 3, "distinct_texts": 2, "annotations": 3, "documents": None}
    # Equal texts are counted, not shown.
    (closest,) = report["closest"]
    assert closest["test"]["text"] == "heart rate rose sharply"
    assert closest["train"]["text"] == TRAIN[0].text
    json.dumps(report)


def sdu22_rows(answers: list[str]) -> str:
    rows = [
        {"sentence": f"Case {n} of HR.", "acronym": "HR", "label": answer, "ID": str(n)}
        for n, answer in enumerate(answers)
    ]
    return json.dumps(rows)


@pytest.fixture
def test_file(tmp_path: Path) -> Path:
    path = tmp_path / "dev.json"
    path.write_text(sdu22_rows(["heart rate", "home run", "heart rate"]))
    return path


def test_command_writes_every_report(tmp_path: Path, test_file: Path) -> None:
    train = tmp_path / "train.json"
    train.write_text(sdu22_rows(["heart rate", "<b>hazard</b> ratio"]).replace("Case", "A case"))
    outputs = [tmp_path / "out" / f"audit{suffix}" for suffix in (".md", ".json")]
    arguments = [str(train), str(test_file)]
    for output in outputs:
        arguments += ["--output", str(output)]
    result = CliRunner().invoke(app, arguments)  # no sub-command: the default one
    assert result.exit_code == 0, result.output
    markdown, report = (output.read_text(encoding="utf-8") for output in outputs)
    assert json.loads(report)["acronyms"] == {"test": 1, "shared": 1, "items_with_shared": 3}
    assert "| unigrams | 100.0 |" in markdown


def test_similarity_by_label_and_the_number_of_pairs_shown() -> None:
    train = [Item("red green blue", label="0"), Item("north south", label="1")]
    test = [Item("red green", label="0"), Item("black", label="0"), Item("north", label="1")]
    report = audit(train, test, closest=1)
    black, red = 0.0, 2 / (2**0.5 * 3**0.5)
    assert report["labels"]["0"]["1"] == pytest.approx(
        {
            "count": 2,
            "mean": red / 2,
            "std": red / 2,
            "min": black,
            "25%": red / 4,
            "50%": red / 2,
            "75%": 3 * red / 4,
            "max": red,
        }
    )
    assert report["labels"]["1"]["1"]["count"] == 1
    assert [pair["test"]["text"] for pair in report["closest"]] == ["red green"]
    assert any("label 1" in table.title for table in tables({"names": ["a", "b"], **report}))
