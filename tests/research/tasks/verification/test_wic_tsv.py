"""WiC-TSV's tasks, parts, learning curve and the competition's files."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from spacy_gladis.errors import InputError
from spacy_gladis.research.cli.evaluate import app
from spacy_gladis.research.datasets.wic_tsv import read_splits
from spacy_gladis.research.tasks.verification.data import Gold, WiCTSV, for_task, with_development
from spacy_gladis.research.tasks.verification.task import measure
from tests.support.paths import CONFIGS
from tests.support.tasks import run, values
from tests.support.wic_tsv import write_tiny


@pytest.fixture
def folder(tmp_path):
    return write_tiny(tmp_path / "en")


def test_tasks_show_their_part_of_the_sense(folder):
    question = read_splits(folder)["train"][0]
    assert [for_task([question], task)[0].sense for task in (1, 2, 3)] == [
        "an island of indonesia",
        "island, land mass",
        "island, land mass: an island of indonesia",
    ]


def test_scores_by_hand(folder):
    results = run("wic-tsv", [folder], ["always-true"])
    assert list(results) == [f"en task {task} dev: always-true" for task in (1, 2, 3)]
    scores = values(results["en task 1 dev: always-true"])
    assert (scores["accuracy"], scores["recall"]) == (0.5, 1.0)
    assert scores["f1"] == pytest.approx(2 / 3)


def test_a_labelled_test_set_is_scored_by_domain(folder):
    lines = (folder / "Test/test_labels.txt", "T\nT\nF\nT")
    lines[0].write_text(lines[1])
    result = run("wic-tsv", [folder], ["always-true"], only=["task 3 test"])
    domains = result["en task 3 test: always-true"].groups["domain"]
    accuracies = {name: domain.metrics["accuracy"] for name, domain in domains.items()}
    assert accuracies == {"general": 1, "medical": 1, "cocktails": 0, "computing": 1}


def test_the_learning_curve_trains_on_parts_of_the_targets(folder):
    sets = list(WiCTSV(task=(3,), share=(0.34,)).read([folder]))
    assert [(data.name, len(data.training.senses)) for data in sets] == [
        ("en task 3 dev, 34% of the targets", 2),  # one target of three has two items
        ("en task 3 dev", 6),
    ]


def test_without_a_development_set_targets_are_held_out(folder):
    train = read_splits(folder)["train"]
    questions = [
        question._replace(word=f"{question.word}{row // 2}")
        for row, question in enumerate(train * 4)
    ]
    sizes = {name: len(part) for name, part in with_development({"train": questions}).items()}
    assert sum(sizes.values()) == 24 and sizes["dev"] in (4, 6)


def test_what_cannot_be_asked_is_said_before_work(folder):
    with pytest.raises(InputError, match="Unknown subtask 4"):
        run("wic-tsv", [folder], ["always-true"], reader={"task": (4,)})
    with pytest.raises(InputError, match=r"between 0 and 1, got 2"):
        run("wic-tsv", [folder], ["always-true"], reader={"share": (2.0,)})
    with pytest.raises(InputError, match=r"Unknown system 'brt'\. Did you mean 'bert'\?"):
        run("wic-tsv", [folder], ["brt"])
    (folder / "Development/dev_labels.txt").unlink()
    with pytest.raises(InputError, match="no labels"):
        run("wic-tsv", [folder], ["always-true"])


def test_answers_without_labels_are_kept_and_not_scored(folder):
    (data,) = WiCTSV(task=(1,)).read([folder])
    unknown = replace(data, gold=Gold([None] * 4, [None] * 4))
    measured = measure(unknown, [1.0, 0.2, 0.5, 0.1])
    assert (measured.rows, measured.answers) == (0, ["T", "F", "T", "F"])


def test_the_command_writes_results_and_answers(folder, tmp_path):
    options = ["--system", "always-true", "--task", "1", "--test", "--resamples", "5"]
    files = ["--output", str(tmp_path / "r.jsonl"), "--predictions", str(tmp_path / "answers")]
    done = CliRunner().invoke(app, ["wic-tsv", str(folder), *options, *files])
    assert done.exit_code == 0, done.output
    dev, test = map(json.loads, (tmp_path / "r.jsonl").read_text("utf8").splitlines())
    assert dev["metrics"]["accuracy"]["value"] == 0.5 and test["metrics"] == {}
    for part in ("dev", "test"):
        path = tmp_path / f"answers/en-task-1-{part}-always-true.txt"
        assert path.read_text("utf8") == "T\n" * 4


def test_options_come_from_a_settings_file_unless_they_are_typed(folder, tmp_path):
    config, output = tmp_path / "few.cfg", tmp_path / "r.jsonl"
    config.write_text('[wic-tsv]\nsystem = ["always-true"]\ntask = [1, 2]\nseeds = 2\n')
    arguments = ["wic-tsv", str(folder), "--output", str(output), "--config", str(config)]
    for typed, tasks in (([], [1, 2]), (["--task", "3"], [1, 2, 3])):
        done = CliRunner().invoke(app, [*arguments, *typed])
        assert done.exit_code == 0, done.output
        names = [json.loads(line)["data"] for line in output.read_text("utf8").splitlines()]
        assert names == [f"en task {task} dev" for task in tasks]
    for content, message in (("[other]\n", r"\[wic-tsv\]"), ("[wic-tsv]\ntsk = 1\n", "'task'")):
        config.write_text(content)
        with pytest.raises(InputError, match=message):
            CliRunner().invoke(app, arguments, catch_exceptions=False)
    with pytest.raises(InputError, match=r"none\.cfg has no readable section"):
        CliRunner().invoke(app, [*arguments[:-1], "none.cfg"], catch_exceptions=False)
    base = ["--config", str(CONFIGS / "wic_tsv_mpnet.cfg"), "--base", "package:no_such_package"]
    done = CliRunner().invoke(app, ["wic-tsv", str(folder), *base])
    assert done.exit_code == 1 and "'no_such_package' is not installed" in done.output
