"""The page of a case study."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spacy_gladis.errors import InputError
from spacy_gladis.research.cli.evaluate import app
from spacy_gladis.research.report.cases import case_study
from tests.support.paths import ROOT

ROWS = [("HR", "heart rate", "The HR rose ."), ("HR", "human resources", "Ask HR first .")]


def test_answers_stand_side_by_side(tmp_path: Path) -> None:
    data = tmp_path / "few" / "dev.json"
    data.parent.mkdir()
    lines = (
        {"index": 0, "short_term": name, "long_term": long, "type": "", "tokens": text.split()}
        for name, long, text in ROWS
    )
    data.write_text("\n".join(map(json.dumps, lines)), "utf8")
    entries, answers, page = tmp_path / "d.json", tmp_path / "answers", tmp_path / "cases.md"
    entries.write_text('{"HR": [["Heart rates", 3], ["human resources", 1]]}', "utf8")
    arguments = ["gladis", str(data), "--system", "first", "--dictionary", str(entries)]
    done = CliRunner().invoke(app, [*arguments, "--resamples", "0", "--predictions", str(answers)])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(app, ["cases", str(data), str(answers), "-o", str(page)])
    assert done.exit_code == 0, done.output
    text = page.read_text("utf8")
    assert "| The **HR** rose . | heart rate | **heart rate** |" in text
    assert "| Ask **HR** first . | human resources | Heart rates |" in text
    assert "| right | - | 1 |" in text
    (answers / "few-dev-short.jsonl").write_text('{"prediction": null}\n', "utf8")
    with pytest.raises(InputError, match="1 answers, but the evaluation set has 2"):
        case_study(data, answers)
    with pytest.raises(InputError, match="no answers"):
        case_study(data, tmp_path / "few")


def test_the_page_has_the_contexts_of_the_repository() -> None:
    page = (ROOT / "docs" / "explanation" / "case_study.md").read_text("utf8")
    rows = (ROOT / "assets" / "case_study" / "dev.json").read_text("utf8").splitlines()
    assert len(rows) == 10
    for record in map(json.loads, rows):
        text = " ".join(record["tokens"]).replace(
            record["short_term"], f"**{record['short_term']}**", 1
        )
        assert f"| {text} | {record['long_term']} |" in page
