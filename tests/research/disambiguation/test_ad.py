"""Training and testing on a small set of its own: splits, costs, report, command line."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from spacy_gladis.dictionary import Dictionary
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.cli.evaluate import app
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.disambiguation.gladis.sets import NO_CANDIDATES, NO_GOLD
from spacy_gladis.research.disambiguation.supervised.run import (
    Plan,
    at_most,
    evaluate,
    measure,
    split,
    tables,
)
from spacy_gladis.research.disambiguation.systems.registry import Resources
from spacy_gladis.research.leakage.predictions import score_predictions

MEANINGS = {"HR": ["heart rate", "human resources"], "AI": ["adequate intake", "art institute"]}
QUICK = Plan(["first", "most-frequent"], ("closed",), resamples=10)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """SDU-22's format: 40 sentences, each of two rows; two acronyms; three rows with a defect."""
    rows = [
        {"sentence": f"Sentence {n} of HR and AI .", "acronym": acronym,
         "label": MEANINGS[acronym][n % 4 == 0], "ID": f"{acronym}{n}"}
        for n in range(40) for acronym in MEANINGS
    ]  # fmt: skip
    rows.append({"sentence": "A gold nobody lists: HR .", "acronym": "HR", "label": "x", "ID": "a"})
    rows.append({"sentence": "No such acronym: ZZ .", "acronym": "ZZ", "label": "y", "ID": "b"})
    rows.append({"sentence": "Not in the sentence .", "acronym": "HR", "label": "x", "ID": "c"})
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "train.json").write_text(json.dumps(rows), "utf8")
    (tmp_path / "set" / "diction.json").write_text(json.dumps(MEANINGS), "utf8")
    return tmp_path / "set"


@pytest.fixture
def dictionary(tiny_dictionary: Path) -> Dictionary:
    return Dictionary.open(tiny_dictionary)


def run(folder: Path, dictionary: Dictionary, plan: Plan = QUICK, **more: Any) -> dict[str, Any]:
    return evaluate([folder], plan, dictionary, Resources(), measure=measure, **more)


@pytest.mark.parametrize(
    ("setting", "key"), [("closed", lambda s: s.text), ("unseen", lambda s: s.acronym)]
)
def test_a_split_keeps_groups_together(setting: str, key: Any) -> None:
    samples = [Sample(f"A{n % 30}", "x", f"text {n // 2}", 0, 1) for n in range(200)]
    parts = split(samples, setting)
    groups = [{key(samples[row]) for row in part} for part in parts]
    assert not groups[0] & groups[1] and not groups[0] & groups[2] and not groups[1] & groups[2]
    with pytest.raises(InputError, match="1 different"):
        split([one._replace(acronym="A", text="text") for one in samples], setting)


def test_at_most_so_many_of_a_long_form() -> None:
    samples = [Sample("A", "xy"[n > 2], f"text {n}", 0, 1) for n in range(20)]
    chosen = at_most(samples, 5)
    assert [one.long_form for one in chosen] == ["x"] * 3 + ["y"] * 5
    assert set(at_most(samples, 2)) < set(chosen)


def test_defects_are_counted_and_scored_wrong(folder: Path, dictionary: Dictionary) -> None:
    results = run(folder, dictionary)
    problems = results["sets"]["train"]["set"]["problems"]
    assert problems[NO_GOLD] == 3 and problems[NO_CANDIDATES] == 1
    rows = results["sets"]["train"]["splits"]["closed"]
    assert sum(rows.values()) == 83
    first, frequent = results["runs"]
    assert first["scores"]["rows"] == rows["test"]
    assert first["scores"]["accuracy"] <= frequent["scores"]["accuracy"] < 1
    assert frequent["train_cpu_seconds"] >= 0 and frequent["peak_memory_megabytes"] > 10


def test_known_runs_are_taken_over(folder: Path, dictionary: Dictionary) -> None:
    kept: list[int] = []
    before = run(folder, dictionary)
    more = Plan(["first", "most-frequent", "popularity"], ("closed",), resamples=10)
    after = run(folder, dictionary, more, known=before, keep=lambda r: kept.append(len(r["runs"])))
    assert kept == [3]
    assert after["runs"][:2] == before["runs"]
    with pytest.raises(InputError, match="of another evaluation"):
        run(folder, dictionary, Plan(["first"], seed=1), known=before)


def test_there_is_a_table_for_each_number_of_samples_and_one_of_the_curve(
    folder: Path, dictionary: Dictionary
) -> None:
    plan = Plan(["first", "most-frequent"], ("closed",), per_long_form=(0, 2), resamples=10)
    few, every, curve = tables(run(folder, dictionary, plan))
    assert "at most 2 of a long form" in few.title and "all of a long form" in every.title
    assert [row[0] for row in few.rows] == [row[0] for row in curve.rows]
    assert curve.columns == ("system", "at most 2", "all")
    assert curve.rows[1] == ("most-frequent", few.rows[1][1], every.rows[1][1])


def test_bad_input_is_named_before_anything_runs(folder: Path, dictionary: Dictionary) -> None:
    with pytest.raises(InputError, match="No set is named like other; there are: train"):
        run(folder, dictionary, only=["other"])
    with pytest.raises(InputError, match="no file or folder"):
        run(folder / "nowhere", dictionary)
    (folder / "diction.json").unlink()
    with pytest.raises(FormatError, match="holds no evaluation set with its dictionary"):
        run(folder / "train.json", dictionary)


def test_the_command_writes_results_and_goes_on_with_them(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "ad.json"
    command = ["ad", "--data", str(folder), "--system", "first", "--setting", "closed"]
    command += ["--resamples", "0", "--output", str(output)]
    command += ["--predictions", str(tmp_path)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "first" in done.output
    written = output.read_bytes()
    rows = json.loads(written)["runs"][0]["scores"]
    test, answers = tmp_path / "train-closed-test.jsonl", tmp_path / "train-closed-first.jsonl"
    score = score_predictions(test, answers)
    assert score(np.arange(rows["rows"]))["accuracy"] == rows["accuracy"]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert output.read_bytes() == written
    output.write_text("[]", "utf8")
    assert isinstance(CliRunner().invoke(app, command).exception, InputError)


def test_a_system_that_fails_leaves_no_predictions(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    command = ["ad", "--data", str(folder), "--system", "retriever", "--setting", "closed"]
    command += ["--model", str(tmp_path / "nowhere"), "--predictions", str(kept)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 1 and "Failed: retriever" in done.output
    assert not kept.exists()
