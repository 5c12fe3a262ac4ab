"""Counting on a small set by hand; the pipeline's answers to it; the command."""

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spacy_gladis.linking.model_folder import PACKAGED
from spacy_gladis.research.cli.evaluate import app
from spacy_gladis.research.datasets.texts import GoldMention, LabelledText
from spacy_gladis.research.tasks.results import read_results
from spacy_gladis.research.tasks.texts.rows import (
    Row,
    as_record,
    by_threshold,
    calibration_error,
    count,
    shares,
)
from spacy_gladis.resolution import Resolution
from tests.support.tasks import make, run, values


def row(gold, answer=None, listed=(), repository="one", acronym="AB", case="capitals"):
    mention = GoldMention(0, 2, acronym, tuple(gold), case, False)
    return Row(0, "text", "field", repository, mention, answer, tuple(listed))


def said(long_form, *candidates, source="dictionary"):
    best = candidates[0][1] if candidates else 0.0
    source = source if long_form else "nil"
    return Resolution("AB", long_form, best, source, tuple(candidates))


ROWS = [
    row(["a b"], said("A B", ("A B", 0.9), ("c", 0.05)), ["A B", "c"]),
    row(["a b", "d"], said("c", ("c", 0.8), ("d", 0.1)), ["c", "d"], "two"),
    row(["a b"], said(None, ("a b", 0.4)), ["a b"]),
    row(["a b"], said(None, ("c", 0.3)), ["c"]),
    row(["a b"], said("a c", ("a c", 1.0), source="definition"), ["a b"]),
    row(["a b"], None, ["a b"]),
    row(["a b"], None, []),
    row(["a b"], said(None), []),
    row([], said("c", ("c", 0.7)), ["c"], case="none"),
    row([], None, case="none"),
]


def exact(first, other):
    return first.lower() == other.lower()


def test_every_figure_by_hand():
    assert shares(count(ROWS, exact)) == {
        "found": 6 / 8,
        "right": 1 / 8,
        "wrong": 2 / 8,
        "nil": 3 / 8,
        "not_found": 2 / 8,
        "in_dictionary": 5 / 8,
        "among_candidates": 3 / 8,
        "ranked_first": 2 / 8,
        "precision": 1 / 4,  # the answer on what is not an acronym is wrong
    }
    assert shares(count([row(["a"])], exact))["precision"] is None  # no answer was given


def test_the_thresholds():
    at = by_threshold(ROWS, exact)
    assert at["0"] == {"answered": 6 / 8, "right": 2 / 8, "precision": 2 / 6}
    assert at["0.85"] == {"answered": 2 / 8, "right": 1 / 8, "precision": 1 / 2}


def test_first_candidates_are_as_sure_as_they_are_right():
    sure = [row(["a"], said("a", ("a", 1.0))), row(["a"], said(None, ("b", 0.0)))]
    assert calibration_error(sure, exact) == 0
    assert calibration_error([*sure, row(["a"], said("b", ("b", 1.0)))], exact) == pytest.approx(
        1 / 3
    )
    assert calibration_error([row(["a"]), row([], said(None))], exact) is None


def test_every_mistake_has_a_reason():
    assert Counter(row.reason(exact) for row in ROWS) == {
        None: 2,
        "not in the dictionary": 2,
        "another candidate comes first": 1,
        "right, but withheld": 1,
        "taken as defined in the text": 1,
        "not found": 1,
        "not found, nor in the dictionary": 1,
        "it is no acronym": 1,
    }
    record = as_record(ROWS[1], exact)
    assert (record["gold"], record["answer"], record["rank"]) == (["a b", "d"], "c", 2)


TEXTS = [
    {
        "id": "p1",
        "field": "clinic",
        "text": "The AI of potassium. CT scan, AI again, HIS.",
        "mentions": [
            {"start": 4, "end": 6, "acronym": "AI", "long_forms": ["adequate intake"]},
            {"start": 21, "end": 23, "acronym": "CT", "long_forms": ["computed tomography"]},
            {"start": 40, "end": 43, "acronym": "HIS", "long_forms": [], "case": "none"},
        ],
    },
    {"id": "p2", "field": "none", "text": "", "mentions": []},
]


@pytest.fixture
def data(tmp_path):
    (tmp_path / "notes").mkdir()
    path = tmp_path / "notes" / "dev-2.jsonl"
    path.write_text("".join(json.dumps(text) + "\n" for text in TEXTS), "utf8")
    return path


def test_all_candidates_are_counted(data, tiny_weights, tiny_dictionary):
    settings = {"model": tiny_weights, "dictionary": tiny_dictionary, "threshold": 0.0}
    reader = {"dictionary": tiny_dictionary}
    (result,) = run("texts", [data], ["pipeline"], settings, reader=reader).values()
    assert result.data == "notes 2" and result.details["mentions"] == 3
    scores = values(result)
    assert scores["among_candidates"] == scores["in_dictionary"] == 1.0
    assert scores["answers_elsewhere"] == 1  # the second AI has no gold
    assert scores["no_acronym"] == 1
    assert {name: group.rows for name, group in result.groups["case"].items()} == {"capitals": 2}
    assert "defined in the text" not in result.groups


def test_the_command_writes_figures_and_answers(data, tmp_path, tiny_weights, tiny_dictionary):
    output, answers = tmp_path / "texts.jsonl", tmp_path / "answers"
    options = ["--model", tiny_weights, "--dictionary", tiny_dictionary, "--threshold", 1]
    options += ["--system", "pipeline", "--resamples", 5, "--cache", tmp_path / "vectors"]
    files = ["--output", output, "--predictions", answers]
    done = CliRunner().invoke(app, ["texts", str(data), *map(str, [*options, *files])])
    assert done.exit_code == 0, done.output
    (result,) = read_results(output)
    assert result.metrics["nil"].value == 1.0
    assert result.groups["equality"]["by sense"].metrics["among_candidates"] == 1.0
    kept = (answers / "notes-2-pipeline.jsonl").read_text("utf8").splitlines()
    assert [bool(json.loads(line)["reason"]) for line in kept] == [True, True, False]


def test_texts_of_a_repository_explain_one_another(tiny_weights, tiny_dictionary):
    texts = [
        LabelledText(f"{repository}/{n}", "", repository, text, ())
        for repository, n, text in (
            ("one", "a", "The external query (EQ) is here."),
            ("one", "b", "It has EQ here."),
            ("two", "b", "It has EQ here."),
        )
    ]
    settings = {"model": tiny_weights, "dictionary": tiny_dictionary, "threshold": 0.0}
    for name, expected in (("together", ["external query", None]), ("pipeline", [None, None])):
        system = make("texts", name, **settings)
        system.fit(None)
        _, *answers = system.predict(texts)
        assert [answer[0][2].long_form if answer else None for answer in answers] == expected


def test_the_packaged_model_has_the_precisions_of_its_fit():
    results = Path(__file__).parents[4] / "benchmarks" / "results"
    fitted = json.loads((results / "evidence.json").read_text("utf8"))["precisions"]
    assert json.loads((PACKAGED / "acrobert.json").read_text())["precisions"] == fitted
