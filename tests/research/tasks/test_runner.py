"""The runner, the registry, options, records and tables, on a task of numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
import typer

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.cli.evaluate_task import choose_systems
from spacy_gladis.research.tasks.registry import Registry
from spacy_gladis.research.tasks.results import Result, ResultsFile, read_results
from spacy_gladis.research.tasks.runner import Chosen, Plan, run_plan
from spacy_gladis.research.tasks.system import System
from spacy_gladis.research.tasks.tables import result_tables
from spacy_gladis.research.tasks.task import DataSet, Measured, Reader, Task, group_rows
from tests.support.tasks import values

SYSTEMS: Registry[System[Sequence[int], int, bool]] = Registry("tests.support")
SYSTEMS._loaded = True  # no module of a package registers more


@SYSTEMS.register("always", "Yes.", "baseline")
@dataclass
class Always(System[Sequence[int], int, bool]):
    def predict(self, questions: Sequence[int]) -> list[bool]:
        return [True] * len(questions)


@SYSTEMS.register("fam.chance", "A coin.", "baseline")
@dataclass
class Chance(System[Sequence[int], int, bool]):
    seed: int = 0

    def predict(self, questions: Sequence[int]) -> Iterator[bool]:
        return iter((np.random.default_rng(self.seed).random(len(questions)) < 0.5).tolist())


@SYSTEMS.register("fam.limit", "Above a limit.", "ours")
@SYSTEMS.register("fam.zero", "Above zero.", "ours", limit=0)
@dataclass
class Limit(System[Sequence[int], int, bool]):
    limit: Annotated[int, typer.Option(help="What a number must be above.")]
    fits = 0

    def fit(self, training: Sequence[int]) -> None:
        Limit.fits += 1
        if not training:
            raise InputError("It learns from numbers.")

    def predict(self, questions: Sequence[int]) -> list[bool]:
        return [question > self.limit for question in questions]


@SYSTEMS.register("broken", "Fails.", "ours")
@dataclass
class Broken(System[Sequence[int], int, bool]):
    def predict(self, questions: Sequence[int]) -> list[bool]:
        raise ZeroDivisionError("by nothing")


@SYSTEMS.register("table", "Reads a file.", "ours")
@dataclass
class Table(System[Sequence[int], int, bool]):
    table: Path

    def predict(self, questions: Sequence[int]) -> list[bool]:
        return [len(self.table.read_text()) > 1] * len(questions)


@dataclass
class Numbers(Reader[Sequence[int], int, Sequence[bool]]):
    train: int = 1

    def read(self, paths: Sequence[Path]) -> Iterator[DataSet[Sequence[int], int, Sequence[bool]]]:
        training = [1] * self.train
        for name, questions in (("small", [-1, 0, 1]), ("large", list(range(-9, 10)))):
            gold = [question > 0 for question in questions]
            texts = [f"number {question}" for question in questions]
            yield DataSet(name, training, questions, gold, {"rows": len(gold)}, texts, ["number"])


def measure(data: DataSet[Sequence[int], int, Sequence[bool]], answers: Sequence[bool]) -> Measured:
    right = np.array(answers) == np.array(data.gold)

    def statistic(rows: np.ndarray) -> dict[str, float]:
        return {"accuracy": float(right[rows].mean())}

    groups = {"sign": group_rows(statistic, {"positive": np.flatnonzero(data.gold)})}
    return Measured(
        len(right), statistic, [{"yes": answer} for answer in answers], groups, {"n": 1}
    )


TASK = Task("numbers", Numbers, measure, SYSTEMS, {"accuracy": "accuracy"})


def run(names: list[str], output: Path | None = None, **plan: object) -> tuple[list[Result], list]:
    chosen = choose_systems(TASK, names, {"limit": 2} if "fam.limit" in names else {})
    return run_plan(TASK, Numbers(), [], Plan(chosen, **plan), ResultsFile(output))  # type: ignore[arg-type]


def test_a_result_says_all_of_its_run(tmp_path):
    (small, large), _ = run(["fam.limit"], resamples=50, command="evaluate numbers")
    assert (small.data, small.system, small.settings) == ("small", "fam.limit", {"limit": 2})
    accuracy: Any = large.metrics["accuracy"]
    assert accuracy.value == 17 / 19 and accuracy.low <= accuracy.value <= accuracy.high
    assert large.metrics["n"].low is None
    assert large.groups["sign"]["positive"].metrics == {"accuracy": 7 / 9}
    assert large.cost.questions == 19 and large.cost.fit_seconds is not None
    assert large.command == "evaluate numbers" and "numpy" in large.versions


def test_data_sets_with_one_training_part_share_a_fitted_system():
    Limit.fits = 0
    run(["fam.limit", "fam.zero"])
    assert Limit.fits == 2


def test_runs_that_are_there_are_not_repeated(tmp_path):
    output = tmp_path / "results.jsonl"
    run(["always"], output, only=["small"])
    written = output.read_text()
    results, _ = run(["always", "fam.zero"], output)
    assert output.read_text().startswith(written)
    assert [(result.data, result.system) for result in results] == [
        (data, system) for system in ("always", "fam.zero") for data in ("small", "large")
    ]
    Limit.fits = 0
    run(["fam.zero"], output)
    assert Limit.fits == 0
    run(["fam.limit"], output)  # another setting is another run
    assert Limit.fits == 1
    assert list(read_results(output)) == ResultsFile(output).results


def test_a_result_is_written_as_soon_as_its_run_ends(tmp_path):
    output = tmp_path / "results.jsonl"
    written: list[list[str]] = []

    def say(_: str) -> None:
        there = read_results(output) if output.exists() else ()
        written.append([result.data for result in there])

    chosen = choose_systems(TASK, ["always"], {})
    run_plan(TASK, Numbers(), [], Plan(chosen), ResultsFile(output), say)
    assert written == [[], ["small"]]


def test_a_run_whose_files_changed_is_repeated(tmp_path):
    output, table = tmp_path / "results.jsonl", tmp_path / "table"
    chosen = [Chosen(SYSTEMS.entries["table"], {"table": table})]
    result: list[Result] = []
    for content in ("1", "1", "23"):
        table.write_text(content)
        run_plan(TASK, Numbers(), [], Plan(chosen, only=["small"]), ResultsFile(output))
        result += read_results(output)
    first, again, third = result  # the file holds one at a time
    assert first == again != third
    assert values(third)["accuracy"] == 1 / 3


def test_what_fails_costs_no_result_and_the_others_go_on(tmp_path, caplog):
    output = tmp_path / "results.jsonl"
    results, failures = run(["always", "broken", "fam.zero"], output)
    assert len(results) == len(list(read_results(output))) == 4
    assert [(failure.system, failure.reason, failure.expected) for failure in failures] == [
        ("broken", "by nothing", False)
    ] * 2
    assert "ZeroDivisionError" in caplog.text


def test_systems_of_a_family_that_the_data_does_not_suit_are_expected_to_fail():
    for name, expected in (("fam", True), ("fam.zero", False)):
        chosen = choose_systems(TASK, [name], {})
        _, failures = run_plan(TASK, Numbers(train=0), [], Plan(chosen), ResultsFile(None))
        assert {(failure.system, failure.expected) for failure in failures} == {
            ("fam.zero", expected)
        }


def test_a_seeded_system_runs_once_for_each_seed_and_its_rows_are_one_in_the_table():
    results, _ = run(["always", "fam.chance"], seeds=(0, 1, 2), only=["large"])
    assert [(result.system, result.seed) for result in results] == [
        ("always", 0),
        *(("fam.chance", seed) for seed in (0, 1, 2)),
    ]
    scores, groups = result_tables(results, TASK.columns)
    assert [row[0] for row in scores.rows] == ["always", "fam.chance"]
    mean = np.mean([values(result)["accuracy"] for result in results[1:]])
    assert scores.rows[1][1] == pytest.approx(mean) and scores.columns[2] == "± (seeds)"
    assert groups.columns == ["system", "positive (9)"]


def test_settings_that_differ_are_named_in_tables(tmp_path):
    result, _ = run(["fam.limit"], only=["small"])
    other = result[0].model_copy(update={"settings": {"limit": 7}})
    scores, *_ = result_tables([*result, other], TASK.columns)
    assert [row[0] for row in scores.rows] == ["fam.limit (limit 2)", "fam.limit (limit 7)"]


def test_answers_are_kept_and_similarities_added(tmp_path):
    results, _ = run(["always"], only=["small"], predictions=tmp_path, by_similarity=True)
    assert (tmp_path / "small-always.jsonl").read_text() == '{"yes": true}\n' * 3
    groups = results[0].groups["similarity of unigrams"]
    assert [group.rows for group in groups.values()] == [0, 0, 0, 3]
    assert results[0].metrics["mean similarity of unigrams"].value == 1.0


def test_names_families_and_options():
    assert [entry.name for entry, _ in SYSTEMS.select(["fam", "always"]).values()] == [
        *("fam.chance", "fam.limit", "fam.zero"),
        "always",
    ]
    with pytest.raises(InputError, match="Did you mean 'always'"):
        SYSTEMS.select(["alway"])
    with pytest.raises(
        InputError, match=r"'fam\.limit' needs --limit: What a number must be above"
    ):
        choose_systems(TASK, ["fam.limit"], {})
    assert [system.entry.name for system in choose_systems(TASK, ["fam"], {})] == [
        "fam.chance",
        "fam.zero",
    ]
    with pytest.raises(InputError, match="None of the selected systems has the option --limit"):
        choose_systems(TASK, ["always"], {"limit": 1})
    with pytest.raises(InputError, match=r"contains other\. Available data sets: small, large"):
        run(["always"], only=["other"])
    with pytest.raises(ValueError, match="Two systems"):
        SYSTEMS.register("always", "", "")(Always)


def test_a_file_of_anything_else_is_refused(tmp_path):
    (tmp_path / "r.jsonl").write_text('{"task": "x"}\n')
    with pytest.raises(FormatError, match=r"r\.jsonl:1 is not a result"):
        ResultsFile(tmp_path / "r.jsonl")
