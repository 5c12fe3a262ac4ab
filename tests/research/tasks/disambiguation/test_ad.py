"""Sets divided into parts: splits, defects, the command."""

import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.cli.evaluate import app
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.tasks.disambiguation.data import at_most, split
from spacy_gladis.research.tasks.disambiguation.sets import NO_CANDIDATES, NO_GOLD
from tests.support.tasks import run, values

MEANINGS = {"HR": ["heart rate", "human resources"], "AI": ["adequate intake", "art institute"]}


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


@pytest.mark.parametrize(
    ("setting", "key"),
    [("random", id), ("closed", lambda s: s.text), ("unseen", lambda s: s.acronym)],
)
def test_a_split_keeps_groups_together(setting: str, key: Any) -> None:
    samples = [Sample(f"A{n % 30}", "x", f"text {n // 2}", 0, 1) for n in range(200)]
    parts = split(samples, setting)
    groups = [{key(samples[row]) for row in part} for part in parts]
    assert not groups[0] & groups[1] and not groups[0] & groups[2] and not groups[1] & groups[2]
    assert sorted(chain(*parts)) == list(range(200))
    if setting == "random":
        assert list(map(len, parts)) == [160, 20, 20] and parts != split(samples, setting, seed=1)
        return
    with pytest.raises(InputError, match="1 different"):
        split([sample._replace(acronym="A", text="text") for sample in samples], setting)


def test_at_most_so_many_of_a_long_form() -> None:
    samples = [Sample("A", "xy"[n > 2], f"text {n}", 0, 1) for n in range(20)]
    chosen = at_most(samples, 5)
    assert [sample.long_form for sample in chosen] == ["x"] * 3 + ["y"] * 5
    assert set(at_most(samples, 2)) < set(chosen)


def test_defects_are_counted_and_scored_wrong(folder: Path) -> None:
    (whole,) = run("gladis", [folder], ["first"]).values()
    assert whole.details["rows"] == 83
    assert (whole.details[NO_GOLD], whole.details[NO_CANDIDATES]) == (3, 1)
    right = sum(
        MEANINGS[acronym][0] == MEANINGS[acronym][n % 4 == 0]
        for acronym in MEANINGS
        for n in range(40)
    )
    assert values(whole)["accuracy"] == right / 83


def test_some_rows_of_a_set_are_always_the_same(folder: Path) -> None:
    (some,) = run("gladis", [folder], ["first"], reader={"rows": 20}).values()
    (again,) = run("gladis", [folder], ["first"], reader={"rows": 20}).values()
    (whole,) = run("gladis", [folder], ["first"], reader={"rows": 500}).values()
    assert (some.details["rows"], whole.details["rows"]) == (20, 83)
    assert some.metrics == again.metrics


def test_parts_and_a_curve_of_training_samples(folder: Path) -> None:
    reader = {"setting": ("closed",), "per_long_form": (0, 2)}
    results = run("ad", [folder], ["first", "most-frequent"], reader=reader)
    few = "train closed, at most 2 of a long form"
    assert list(results) == [
        f"{name}: {system}"
        for name in ("train closed", few)
        for system in ("first", "most-frequent")
    ]
    every, limited = (
        dict[str, Any](results[f"{name}: first"].details) for name in ("train closed", few)
    )
    assert every["training rows"] > 40 > limited["training rows"] >= 8
    assert every["rows"] == limited["rows"]
    assert (
        values(results["train closed: first"])["accuracy"]
        <= values(results["train closed: most-frequent"])["accuracy"]
    )


def test_bad_input_is_named(folder: Path) -> None:
    with pytest.raises(
        InputError, match=r"contains other\. Available data sets: train closed, train unseen"
    ):
        run("ad", [folder], ["first"], only=["other"], reader={"setting": ("closed", "unseen")})
    with pytest.raises(InputError, match="Unknown setting 'open'"):
        run("ad", [folder], ["first"], reader={"setting": ("open",)})
    with pytest.raises(InputError, match="does not exist"):
        run("ad", [folder / "nowhere"], ["first"])
    (folder / "diction.json").unlink()
    with pytest.raises(FormatError, match="contains no evaluation set"):
        run("ad", [folder / "train.json"], ["first"])


def test_a_system_that_fails_leaves_no_answers(folder: Path, tmp_path: Path) -> None:
    kept, output = tmp_path / "kept", tmp_path / "ad.jsonl"
    command = ["ad", str(folder), "--system", "first", "--system", "retriever"]
    command += ["--setting", "closed", "--model", str(tmp_path / "nowhere"), "--resamples", "0"]
    command += ["--output", str(output), "--predictions", str(kept)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 1 and "Failed: retriever on train closed" in done.output
    assert [path.name for path in kept.iterdir()] == ["train-closed-first.jsonl"]
    assert len(output.read_text().splitlines()) == 1


def test_the_systems_are_listed() -> None:
    listed = CliRunner().invoke(app, ["ad", "--list"]).output.splitlines()
    assert any(line.split()[0] == "gad" and line.endswith("section 3") for line in listed)
