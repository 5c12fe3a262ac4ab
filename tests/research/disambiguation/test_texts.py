"""Counting on a small set by hand; the pipeline's answers to it; the command."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spacy_gladis.linking.acrobert import PACKAGED, AcroBERT
from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.research.cli.evaluate import app
from spacy_gladis.research.datasets.texts import GoldMention, LabelledText, read_texts
from spacy_gladis.research.disambiguation.texts.fit_files import precisions, write_precisions
from spacy_gladis.research.disambiguation.texts.measure import (
    Row,
    count_reasons,
    measure,
    mistakes,
    scores,
)
from spacy_gladis.research.disambiguation.texts.run import (
    ALL_CANDIDATES,
    answer_texts,
    equalities,
)
from spacy_gladis.resolution import Resolution


def row(gold, answer=None, known=(), repository="one", acronym="AB", case="capitals"):
    mention = GoldMention(0, 2, acronym, tuple(gold), case, False)
    return Row("text", "field", repository, mention, answer, tuple(known))


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


def exact(one, other):
    return one.lower() == other.lower()


def test_every_figure_by_hand():
    found = scores(ROWS, exact)
    assert found == {
        "mentions": 8,
        "found": 6 / 8,
        "right": 1 / 8,
        "wrong": 2 / 8,
        "nil": 3 / 8,
        "not_found": 2 / 8,
        "in_dictionary": 5 / 8,
        "among_candidates": 3 / 8,
        "ranked_first": 2 / 8,
        "precision": 1 / 4,  # the answer on what is not an acronym is wrong
        "no_acronym": 2,
        "false_answers": 1,
    }


def test_the_parts_and_the_thresholds():
    found = measure(ROWS, exact)
    assert {name: one["mentions"] for name, one in found["by_case"].items()} == {"capitals": 8}
    assert {name: one["mentions"] for name, one in found["by_repository"].items()} == {
        "one": 7,
        "two": 1,
    }
    at = {one["threshold"]: one for one in found["thresholds"]}
    assert at[0.0] == {"threshold": 0.0, "answered": 6 / 8, "right": 2 / 8, "precision": 2 / 6}
    assert at[0.85] == {"threshold": 0.85, "answered": 2 / 8, "right": 1 / 8, "precision": 1 / 2}


def test_every_mistake_has_a_reason():
    assert count_reasons(ROWS, exact) == {
        "not in the dictionary": 2,
        "another candidate comes first": 1,
        "right, but withheld": 1,
        "taken as defined in the text": 1,
        "not found": 1,
        "not found, nor in the dictionary": 1,
        "it is no acronym": 1,
    }
    assert scores([row(["a"])], exact)["precision"] is None  # no answer was given
    first = next(mistakes(ROWS, exact))
    assert (first["gold"], first["answer"], first["rank"]) == (["a b", "d"], "c", 2)


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
    path = tmp_path / "dev.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in TEXTS), "utf8")
    return path


def test_rows_have_all_candidates(data, tiny_weights, tiny_dictionary):
    nlp = load_pipeline(
        tiny_weights, dictionary=tiny_dictionary, threshold=0.0, top_k=ALL_CANDIDATES
    )
    rows, elsewhere = answer_texts(nlp, read_texts(data))
    assert [one.mention.acronym for one in rows] == ["AI", "CT", "HIS"]
    assert elsewhere == 1  # the second AI has no gold
    assert len(rows[0].known) == 3
    assert rows[0].answer and {name for name, _ in rows[0].answer.candidates} == set(rows[0].known)
    assert rows[0].rank(equalities()["exact"]) is not None


def test_the_command_writes_figures_and_mistakes(data, tmp_path, tiny_weights, tiny_dictionary):
    output, wrong = tmp_path / "texts.json", tmp_path / "mistakes.jsonl"
    options = ["--model", tiny_weights, "--dictionary", tiny_dictionary, "--threshold", 1]
    files = ["--output", output, "--mistakes", wrong, "--cache", tmp_path / "vectors"]
    done = CliRunner().invoke(app, ["texts", str(data), *map(str, [*options, *files])])
    assert done.exit_code == 0, done.output
    found = json.loads(output.read_text("utf8"))
    assert found["texts"] == 2 and found["mentions"] == 3 and found["threshold"] == 1
    assert found["undefined"]["exact"]["nil"] == 1.0
    assert found["undefined"]["by sense"]["among_candidates"] == 1.0
    assert len(wrong.read_text("utf8").splitlines()) == 2
    assert "defined" not in found


def test_texts_of_a_repository_explain_one_another(tiny_weights, tiny_dictionary):
    nlp = load_pipeline(tiny_weights, dictionary=tiny_dictionary, threshold=0.0)
    mention = GoldMention(7, 9, "EQ", ("external query",), "capitals", False)
    texts = [
        LabelledText(f"{repository}/{n}", "", repository, text, (mention,) if n == "b" else ())
        for repository, n, text in (
            ("one", "a", "The external query (EQ) is here."),
            ("one", "b", "It has EQ here."),
            ("two", "b", "It has EQ here."),
        )
    ]
    for together, expected in ((True, ["external query", None]), (False, [None, None])):
        rows, _ = answer_texts(nlp, texts, together=together)
        assert [one.answer and one.answer.long_form for one in rows] == expected


def test_precisions_are_the_mean_of_the_sets(tmp_path, tiny_weights):
    shutil.copytree(tiny_weights, tmp_path / "weights")
    for name, values in (("a", (0.8, 0.9, 1.0)), ("b", (0.6, 1.0, None))):  # b answers no more
        tried = zip((0.0, 0.5, 0.9), values, strict=True)
        rows = [{"threshold": threshold, "precision": value} for threshold, value in tried]
        results = {"undefined": {"by sense": {"thresholds": rows}}}
        (tmp_path / name).write_text(json.dumps(results))
    found = write_precisions([tmp_path / "a", tmp_path / "b"], tmp_path / "weights")
    assert found == [(0.0, 0.7), (0.5, 0.95)]
    settings = AcroBERT.load(tmp_path / "weights").settings
    assert settings.precisions == tuple(found) and settings.threshold_of(0.9) == 0.5


def test_the_packaged_model_has_the_precisions_of_the_results():
    results = Path(__file__).parents[3] / "benchmarks" / "results"
    measured = [
        json.loads((results / f"texts_{name}.json").read_text())
        for name in ("passages", "real", "documents", "documents_2")
    ]
    packaged = json.loads((PACKAGED / "acrobert.json").read_text())["precisions"]
    assert [tuple(one) for one in packaged] == precisions(measured)
