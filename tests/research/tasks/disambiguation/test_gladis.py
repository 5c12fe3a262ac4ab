"""What systems answer to whole sets, and what is counted of it."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from spacy_gladis.dictionary import Candidate, Dictionary
from spacy_gladis.errors import InputError
from spacy_gladis.research.cli.evaluate import app
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.tasks.disambiguation.data import Training, make_data
from spacy_gladis.research.tasks.disambiguation.robustness import (
    by_candidates,
    candidates_for_recall,
)
from spacy_gladis.research.tasks.disambiguation.sets import EvaluationSet
from spacy_gladis.research.tasks.disambiguation.task import choose, measure
from tests.support.tasks import make

TABLE = {
    "HR": [("heart rate", 5), ("human resources", 9), ("home run", 1)],
    "CT": [("computed tomography", 2), ("Connecticut", 2)],
    "ECG": [("electrocardiogram", 4)],
}


def candidates_of(acronym: str) -> list[Candidate]:
    return [Candidate(name, {"own": n}, n, -1) for name, n in TABLE.get(acronym, [])]


def set_of(samples: list[Sample]):
    questions = EvaluationSet.of("small", samples, candidates_of)
    training = Training((), (), questions.table, Dictionary.open(), ())
    return make_data("small", questions, questions, training, {})


def small_set(*golds: tuple[str, str]):
    return set_of([Sample(name, gold, f"The {name} .", 4, 4 + len(name)) for name, gold in golds])


SMALL = small_set(
    ("HR", "human resources"), ("HR", "heart rate"), ("CT", "Connecticut"), ("HR", "hazard ratio")
)


def falling() -> list[np.ndarray]:
    return [np.linspace(0.5, 0.1, len(question.candidates)) for question in SMALL.questions]


def accuracy(data, answers) -> float:
    return measure(data, answers).statistic(np.arange(len(data.texts)))["accuracy"]


def test_answers_and_confidence() -> None:
    assert all(
        question.sample.long_form == "" for question in SMALL.questions
    )  # nothing to look at
    result = choose(SMALL.gold.evaluation_set, falling())
    assert result.predicted == ["heart rate", "heart rate", "computed tomography", "heart rate"]
    assert result.confidence.tolist() == [0.5] * 4
    assert result.right.tolist() == [False, True, False, False]
    assert result.probabilities


def test_equal_scores_keep_the_order_and_logits_are_no_probabilities() -> None:
    answers = [np.full(len(question.candidates), 7.0) for question in SMALL.questions]
    assert choose(SMALL.gold.evaluation_set, answers).right.tolist() == [False, True, False, False]
    assert measure(SMALL, answers).figures == {"expected_calibration_error": None}


def test_rows_that_cannot_be_asked_are_wrong() -> None:
    first, second, *_ = SMALL.gold.evaluation_set.samples
    unknown = first._replace(acronym="XYZ", text="XYZ .", start=0, end=3)
    data = set_of([first._replace(start=0, end=0), unknown, second])
    answers = make("gladis", "first").predict(data.questions)
    assert choose(data.gold.evaluation_set, answers).predicted == [None, None, "heart rate"]
    assert accuracy(data, answers) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    "scores", [[np.zeros(2)] * 4, [np.full(3, np.nan)] * 4], ids=["shape", "nan"]
)
def test_scores_that_do_not_fit_are_refused(scores: list) -> None:
    with pytest.raises(InputError, match="scores of shape"):
        measure(SMALL, scores)


def test_popular_and_overshadowed() -> None:
    groups = measure(SMALL, falling()).groups["popularity"]
    assert {name: group.rows for name, group in groups.items()} == {
        "popular": 1,
        "overshadowed": 1,
        "undecided": 2,
    }
    assert groups["overshadowed"].metrics["accuracy"] == 1.0


def test_rows_are_divided_evenly_by_their_candidates() -> None:
    questions = small_set(
        *[("HR", "home run")] * 3, *[("ECG", "x")] * 2, *[("CT", "x")] * 2
    ).gold.evaluation_set
    groups = by_candidates(questions, 3)
    assert {name: rows.tolist() for name, rows in groups.items()} == {
        "1": [3, 4, 5],
        "2": [0, 6],
        "3": [1, 2],
    }
    assert len(by_candidates(questions)) == 7
    by_size = measure(SMALL, falling()).groups["number of candidates"]
    assert [group.rows for group in by_size.values()] == [1, 1, 1, 1]


def test_candidates_that_must_be_kept() -> None:
    golds = [("HR", "human resources")] * 8 + [("HR", "heart rate"), ("HR", "home run")]
    questions = small_set(*golds).gold.evaluation_set
    assert candidates_for_recall(questions, 0.8) == 1
    assert candidates_for_recall(questions) == 2
    assert candidates_for_recall(questions, 1) == 3
    assert candidates_for_recall(small_set(("HR", "none"), *golds).gold.evaluation_set) == 2
    assert candidates_for_recall(small_set(("HR", "none")).gold.evaluation_set) is None
    assert (
        candidates_for_recall(small_set(("CT", "Connecticut")).gold.evaluation_set) == 2
    )  # equal counts


def test_two_cases_of_a_long_form_are_one_meaning() -> None:
    data = small_set(("HR", "Heart Rate"), ("HR", "home run"))
    result = measure(data, make("gladis", "first").predict(data.questions))
    assert result.statistic(np.arange(2))["accuracy"] == 0
    assert result.groups["what counts"]["any spelling is right"].metrics["accuracy"] == 0.5


def test_the_command_writes_results_and_answers(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    rows = [
        {"sentence": f"Case {n}: the HR rose.", "acronym": "HR", "label": label, "ID": str(n)}
        for n, label in enumerate(["heart rate", "home run"] * 6)
    ]
    (data / "dev.json").write_text(json.dumps(rows))
    (data / "diction.json").write_text(json.dumps({"HR": ["heart rate", "hot | red", "home run"]}))
    entries, output = tmp_path / "entries.json", tmp_path / "out" / "results.jsonl"
    entries.write_text(json.dumps({"HR": [["home run", 3]]}))
    arguments = ["gladis", str(data), "--system", "first", "--system", "popularity"]
    arguments += ["--dictionary", str(entries), "--resamples", "20"]
    arguments += ["--output", str(output), "--predictions", str(tmp_path / "answers")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    first, popularity = map(json.loads, output.read_text().splitlines())
    assert first["metrics"]["accuracy"]["value"] == pytest.approx(0.5)
    assert first["details"]["counts"] == "dictionary" and first["details"]["rows"] == 12
    assert popularity["groups"]["popularity"]["popular"]["metrics"]["accuracy"] == 1.0
    answers = (tmp_path / "answers/dev-popularity.jsonl").read_text().splitlines()
    assert [json.loads(answer)["prediction"] for answer in answers] == ["home run"] * 12


def test_the_retriever_answers_with_probabilities(tiny_weights: Path, parts, questions) -> None:
    system = make("gladis", "retriever", model=tiny_weights)
    system.fit(parts)
    scores, again = system.predict(questions), system.predict(questions)
    np.testing.assert_array_equal(scores, again)
    assert all(0 < score.sum() <= 1.0001 and score.min() >= 0 for score in scores)


def test_nsp_scores_every_candidate(tiny_weights: Path, tmp_path: Path, parts, questions) -> None:
    from spacy_gladis.research.training.next_sentence import NextSentenceBERT

    NextSentenceBERT.load(tiny_weights, start=True).save(tmp_path / "bert")
    system = make("gladis", "nsp", checkpoint=str(tmp_path / "bert"))
    system.fit(parts)
    (scores, _), (again, _) = system.predict(questions), system.predict(questions)
    np.testing.assert_array_equal(scores, again)
    assert scores.shape == (3,) and scores.min() >= 0 and scores.max() <= 1
    with pytest.raises(InputError, match="--checkpoint"):
        make("gladis", "nsp")
