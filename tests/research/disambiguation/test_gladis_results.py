"""GLADIS's systems, what they answer, and what is counted of it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from spacy_gladis.dictionary import Candidate, Dictionary
from spacy_gladis.errors import InputError
from spacy_gladis.research.cli.evaluate import app
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.disambiguation.gladis.run import (
    SYSTEMS,
    ask,
    by_popularity,
    evaluate,
    make_systems,
    report_of,
    tables,
)
from spacy_gladis.research.disambiguation.gladis.sets import EvaluationSet
from spacy_gladis.research.disambiguation.systems.counting import FirstCandidate
from spacy_gladis.research.leakage.predictions import score_predictions

TABLE = {
    "HR": [("heart rate", 5), ("human resources", 9), ("home run", 1)],
    "CT": [("computed tomography", 2), ("Connecticut", 2)],
    "ECG": [("electrocardiogram", 4)],
}


def candidates_of(acronym: str) -> list[Candidate]:
    return [Candidate(name, {"own": n}, n, -1) for name, n in TABLE.get(acronym, [])]


def small_set(*golds: tuple[str, str]) -> EvaluationSet:
    samples = [Sample(name, gold, f"The {name} .", 4, 4 + len(name)) for name, gold in golds]
    return EvaluationSet.of("small", samples, candidates_of)


SMALL = small_set(
    ("HR", "human resources"), ("HR", "heart rate"), ("CT", "Connecticut"), ("HR", "hazard ratio")
)


def test_answers_and_confidence() -> None:
    def scorer(samples: Sequence[Sample], candidates: Sequence[Sequence[Candidate]]) -> list:
        assert all(sample.long_form == "" for sample in samples)  # nothing to look at
        return [np.linspace(0.5, 0.1, len(options)) for options in candidates]

    answers = ask(SMALL, scorer)
    assert answers.predicted == ["heart rate", "heart rate", "computed tomography", "heart rate"]
    assert answers.confidence.tolist() == [0.5] * 4
    assert answers.right.tolist() == [False, True, False, False]
    assert answers.probabilities


def test_equal_scores_keep_the_order_and_logits_are_no_probabilities() -> None:
    answers = ask(SMALL, lambda _, candidates: [np.full(len(one), 7.0) for one in candidates])
    assert answers.right.tolist() == [False, True, False, False]
    assert not answers.probabilities
    report = report_of(SMALL, answers, SMALL, resamples=0)
    assert report["confidence"]["expected_calibration_error"] is None


def test_rows_that_cannot_be_asked_are_wrong() -> None:
    lost = SMALL.samples[0]._replace(start=0, end=0)
    unknown = SMALL.samples[0]._replace(acronym="XYZ", text="XYZ .", start=0, end=3)
    asked = EvaluationSet.of("bad", [lost, unknown, SMALL.samples[1]], candidates_of)
    answers = ask(asked, FirstCandidate().predict)
    assert answers.predicted == [None, None, "heart rate"]
    report = report_of(asked, answers, asked, resamples=0)
    assert report["scores"]["accuracy"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    "scores", [[np.zeros(2)] * 4, [np.full(3, np.nan)] * 4], ids=["shape", "nan"]
)
def test_scores_that_do_not_fit_are_refused(scores: list) -> None:
    with pytest.raises(InputError):
        ask(SMALL, lambda _, __: scores)


def test_popular_and_overshadowed() -> None:
    groups = {name: rows.tolist() for name, rows in by_popularity(SMALL).items()}
    assert groups == {"popular": [0], "overshadowed": [1], "undecided": [2, 3]}


def test_command_writes_results(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    rows = [
        {"sentence": f"Case {n}: the HR rose.", "acronym": "HR", "label": label, "ID": str(n)}
        for n, label in enumerate(["heart rate", "home run"] * 6)
    ]
    (data / "dev.json").write_text(json.dumps(rows))
    (data / "diction.json").write_text(json.dumps({"HR": ["heart rate", "hot | red", "home run"]}))
    entries = tmp_path / "entries.json"
    entries.write_text(json.dumps({"HR": [["home run", 3]]}))
    output = tmp_path / "out" / "results.json"
    arguments = ["gladis", str(data), "--system", "first", "--system", "popularity"]
    arguments += ["--dictionary", str(entries), "--resamples", "20"]
    arguments += ["--output", str(output)]
    answers = tmp_path / "answers"
    arguments += ["--predictions", str(answers)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    results = json.loads(output.read_text())
    systems = results["sets"]["dev"]["systems"]
    assert systems["first"]["scores"]["accuracy"] == pytest.approx(0.5)
    assert systems["popularity"]["by_popularity"]["popular"]["accuracy"] == 1.0
    sets, scores, by_popularity_of_gold = tables(results)
    assert [row[:2] for row in (*sets.rows, *scores.rows)] == [
        ("dev", 12),
        ("dev", "first"),
        ("dev", "popularity"),
    ]
    assert by_popularity_of_gold.rows[1] == ("dev", "popularity", 1.0, 1.0, 0.0, 0.0)
    # What was kept is what an audit reads.
    score = score_predictions(data / "dev.json", answers / "dev-popularity.jsonl")
    assert score(np.arange(12))["accuracy"] == systems["popularity"]["scores"]["accuracy"] == 0.5


def test_results_are_written_as_soon_as_a_set_is_done(tmp_path: Path) -> None:
    for name in ("a", "b"):
        folder = tmp_path / "data" / name
        folder.mkdir(parents=True)
        row = {"sentence": "The HR rose.", "acronym": "HR", "label": "heart rate", "ID": "1"}
        (folder / "dev.json").write_text(json.dumps([row]))
        (folder / "diction.json").write_text(json.dumps({"HR": ["heart rate"]}))
    written: list[list[str]] = []
    evaluate(
        tmp_path / "data",
        {"first": FirstCandidate().predict},
        Dictionary.open(),
        resamples=0,
        finished=lambda so_far: written.append(list(so_far["sets"])),
    )
    assert written == [["a/dev"], ["a/dev", "b/dev"]]


def test_two_cases_of_a_long_form_are_one_meaning() -> None:
    cases = small_set(("HR", "heart rate"), ("HR", "home run"), ("ECG", "electrocardiogram"))
    answers = replace(
        ask(cases, FirstCandidate().predict), predicted=["Heart Rate", "heart rate", None]
    )
    report = report_of(cases, answers, cases, resamples=0)
    assert report["scores"]["accuracy"] == 0
    assert report["by_meaning"]["accuracy"] == pytest.approx(1 / 3)


@pytest.fixture
def ai_set() -> EvaluationSet:
    names = ("artificial intelligence", "adequate intake", "something unheard of")
    options = [Candidate(name, {"own": n}, n, -1) for n, name in enumerate(names)]
    samples = [
        Sample("AI", names[0], "the model learns from data with AI", 32, 34),
        Sample("AI", names[1], "AI of potassium", 0, 2),
    ]
    return EvaluationSet.of("small", samples, lambda _: options)


def test_every_system_answers_with_probabilities(
    tiny_weights: Path, tmp_path: Path, ai_set: EvaluationSet
) -> None:
    path = tmp_path / "entries.json"
    path.write_text('{"AI": [["artificial intelligence", 3], ["adequate intake", 1]]}')
    systems = make_systems(["all"], Dictionary.open(path), tiny_weights)
    assert tuple(systems) == SYSTEMS
    for name, scorer in systems.items():
        answers = ask(ai_set, scorer)
        again = ask(ai_set, scorer)
        assert answers.probabilities, name
        assert answers.predicted == again.predicted
        np.testing.assert_array_equal(answers.confidence, again.confidence)


def test_nsp_scores_every_candidate(
    tiny_weights: Path, tmp_path: Path, ai_set: EvaluationSet
) -> None:
    from spacy_gladis.research.training.next_sentence import NextSentenceBERT

    NextSentenceBERT.load(tiny_weights, start=True).save(tmp_path / "bert")
    (tmp_path / "entries.json").write_text('{"AI": [["artificial intelligence", 3]]}')
    dictionary = Dictionary.open(tmp_path / "entries.json")
    systems = make_systems(["nsp", "popularity"], dictionary, tmp_path / "bert")
    assert list(systems) == ["nsp", "popularity"]
    first, again = (ask(ai_set, systems["nsp"]) for _ in range(2))
    assert first.predicted == again.predicted
    assert 0 <= first.confidence[0] <= 1
    with pytest.raises(InputError, match="--model"):
        make_systems(["nsp"], dictionary)
