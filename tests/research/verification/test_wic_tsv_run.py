"""The protocol: tasks, seeds, learning curve, kept runs and the competition's files."""

import json
from typing import ClassVar

import numpy as np
import pytest
from typer.testing import CliRunner

from spacy_gladis.errors import InputError
from spacy_gladis.research.cli.evaluate import app
from spacy_gladis.research.datasets.wic_tsv import Question, read_splits
from spacy_gladis.research.leakage.predictions import score_predictions
from spacy_gladis.research.verification.registry import make_systems
from spacy_gladis.research.verification.run import evaluate, for_task, tables
from spacy_gladis.research.verification.systems.protocol import AlwaysTrue, Verifier
from tests.support.paths import CONFIGS
from tests.support.wic_tsv import write_tiny


def markdown(results) -> str:
    return "\n".join(table.markdown() for table in tables(results))


class Remembers(Verifier):
    """Answers yes to senses seen as true in training, and counts how often it was trained."""

    fits: ClassVar[list[tuple[int, int]]] = []

    def fit(self, senses, labels, seed):
        self.fits.append((len(senses), seed))
        self.known = {one.sense for one, label in zip(senses, labels, strict=True) if label}

    def predict(self, senses):
        return np.array([float(one.sense in self.known) for one in senses])


@pytest.fixture
def splits(tmp_path):
    Remembers.fits = []
    return read_splits(write_tiny(tmp_path))


def test_tasks_show_their_part_of_the_sense(splits):
    one = splits["train"][0]
    assert [for_task([one], task)[0].sense for task in (1, 2, 3)] == [
        "an island of indonesia",
        "island, land mass",
        "island, land mass: an island of indonesia",
    ]


def test_scores_by_hand_and_the_mean_of_seeds(splits):
    results, answers = evaluate(
        splits, {"always-true": AlwaysTrue, "bert": Remembers}, tasks=[1], seeds=range(3)
    )
    systems = results["tasks"]["1"]
    always = systems["always-true"]["mean"]
    assert (always["accuracy"], always["recall"], always["f1"]) == (0.5, 1.0, pytest.approx(2 / 3))
    assert always["seeds"] == 1  # nothing in it depends on a seed
    assert [one["seed"] for one in systems["bert"]["seeds"]] == [0, 1, 2]
    assert systems["bert"]["mean"]["recall"] == 0  # no development sense is in training
    assert answers["task1-bert"].tolist() == [1, 1, 0, 0]  # two test items are


def test_domains_are_told_apart_where_labels_are(splits):
    labelled = [
        Question(one.word, one.sense, label, one.domain)
        for one, label in zip(splits["test"], (True, True, False, True), strict=True)
    ]
    results, _ = evaluate({**splits, "dev": labelled}, {"always-true": AlwaysTrue}, tasks=[3])
    domains = results["tasks"]["3"]["always-true"]["domains"]
    accuracies = {name: one["accuracy"] for name, one in domains.items()}
    assert accuracies == {"general": 1, "medical": 1, "cocktails": 0, "computing": 1}
    assert "Task 3 by domain" in markdown(results)


def test_the_learning_curve_trains_on_parts_of_the_targets(splits):
    results, _ = evaluate(splits, {"bert": Remembers}, tasks=[3], seeds=[0], curve=[0.34])
    assert sorted(Remembers.fits) == [(2, 0), (6, 0)]  # one target of three has two items
    curve = results["learning_curve"]["3"]["bert"]
    assert list(curve) == ["0.34", "1"]
    assert "| share of the training targets | 34 % | 100 % |" in markdown(results)


def test_an_interrupted_evaluation_goes_on(splits, tmp_path):
    systems = {"bert": Remembers, "bert-cls": Remembers}
    work = tmp_path / "work"
    first, _ = evaluate(splits, {"bert": Remembers}, tasks=[1], seeds=[0], work=work)
    whole, answers = evaluate(splits, systems, tasks=[1], seeds=[0], mean=True, work=work)
    assert len(Remembers.fits) == 2
    assert whole["tasks"]["1"]["bert"] == first["tasks"]["1"]["bert"]
    assert whole["tasks"]["1"]["mean"]["mean"] == whole["tasks"]["1"]["bert"]["mean"]
    assert answers["task1-mean"].tolist() == [1, 1, 0, 0]
    evaluate(splits, systems, tasks=[1], seeds=[0], work=work, settings="others")
    assert len(Remembers.fits) == 4


def test_without_a_development_set_targets_are_held_out(splits):
    train = splits["train"]
    questions = [one._replace(word=f"{one.word}{row // 2}") for row, one in enumerate(train * 4)]
    results, _ = evaluate({"train": questions}, {"always-true": AlwaysTrue}, tasks=[1])
    sizes = {name: one["items"] for name, one in results["sets"].items()}
    assert sum(sizes.values()) == 24 and sizes["dev"] in (4, 6)


def test_what_cannot_be_asked_is_said_before_work(splits):
    with pytest.raises(InputError, match="no task 4"):
        evaluate(splits, {"always-true": AlwaysTrue}, tasks=[4])
    with pytest.raises(InputError, match=r"between 0 and 1, got 2"):
        evaluate(splits, {"always-true": AlwaysTrue}, curve=[2.0])
    with pytest.raises(InputError, match=r"No system 'brt'\. Did you mean 'bert'\?"):
        make_systems(["brt"], splits["train"])
    unlabelled = {**splits, "dev": splits["test"]}
    with pytest.raises(InputError, match="no labels"):
        evaluate(unlabelled, {"always-true": AlwaysTrue})


def test_the_command_writes_results_and_predictions(splits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = ["--system", "always-true", "--task", "1", "--output", "r.json"]
    done = CliRunner().invoke(app, ["wic-tsv", ".", *options, "--predictions", "answers"])
    assert done.exit_code == 0, done.output
    results = json.loads((tmp_path / "r.json").read_text("utf8"))
    assert results["tasks"]["1"]["always-true"]["mean"]["accuracy"] == 0.5
    assert results["sets"]["test"]["items"] == 4
    assert (tmp_path / "answers/task1-always-true.txt").read_text("utf8") == "T\n" * 4
    development = tmp_path / "answers/dev-task1-always-true.txt"
    score = score_predictions(tmp_path / "Development/dev_examples.txt", development)
    assert score(np.arange(4))["accuracy"] == 0.5


def test_options_come_from_a_settings_file_unless_they_are_typed(splits, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.cfg").write_text('[wic-tsv]\nsystem = ["always-true"]\ntask = [1, 2]\n')
    asked = ["wic-tsv", ".", "--output", "r.json", "--config", "few.cfg"]
    for typed, tasks in (([], {"1", "2"}), (["--task", "3"], {"3"})):
        done = CliRunner().invoke(app, [*asked, *typed])
        assert done.exit_code == 0, done.output
        results = json.loads((tmp_path / "r.json").read_text("utf8"))
        assert {task: list(of) for task, of in results["tasks"].items()} == {
            task: ["always-true"] for task in tasks
        }
    for content, message in (("[other]\n", r"\[wic-tsv\]"), ("[wic-tsv]\ntsk = 1\n", "'task'")):
        (tmp_path / "few.cfg").write_text(content)
        with pytest.raises(InputError, match=message):
            CliRunner().invoke(app, asked, catch_exceptions=False)
    with pytest.raises(InputError, match=r"none\.cfg: no settings"):
        CliRunner().invoke(app, [*asked[:-1], "none.cfg"], catch_exceptions=False)
    base = ["--config", str(CONFIGS / "wic_tsv_mpnet.cfg"), "--base", "package:no_such_package"]
    with pytest.raises(InputError, match="'no_such_package' is not installed"):
        CliRunner().invoke(app, ["wic-tsv", ".", *base], catch_exceptions=False)
