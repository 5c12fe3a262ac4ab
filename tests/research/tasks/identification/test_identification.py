"""Marked acronyms and long forms: SciAI's tokens with labels, SDU-22's texts with offsets."""

import json
from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.metrics.identification import score_labels
from spacy_gladis.research.datasets.sciai import (
    Sentence,
    find_sets,
    join_tokens,
    read_sciai,
    read_sdu22,
)
from spacy_gladis.research.tasks.identification.data import Gold, Prediction, label, spans_of
from spacy_gladis.research.tasks.identification.task import measure
from spacy_gladis.research.tasks.task import DataSet
from tests.support.tasks import make, run, values

TOKENS = ["A", "random", "forest", "(", "RF", ")", "beats", "SVM", "-", "RBF", "."]
LABELS = ["O", "B-long", "I-long", "O", "B-short", "O", "O", "B-short", "I-short", "I-short", "O"]


def write(folder: Path, items: object) -> Path:
    path = folder / "dev.json"
    path.write_text(json.dumps(items), encoding="utf8")
    return path


def test_reads_text_as_it_was(tmp_path: Path) -> None:
    path = write(tmp_path, [{"id": "D-1", "tokens": TOKENS, "labels": LABELS}])
    parsed = read_sciai(path)
    (sentence,) = parsed.sentences
    assert sentence.text == "A random forest (RF) beats SVM-RBF."
    assert [sentence.text[slice(*span)] for span in sentence.offsets] == TOKENS
    assert parsed.repaired == 0
    assert find_sets(tmp_path) == find_sets(path) == {"dev": path}


TEXT = "El producto interior bruto (PIB) crece."
ITEM = {"text": TEXT, "acronyms": [[28, 31]], "long-forms": [[3, 26]], "ID": "1"}


@pytest.mark.parametrize(
    ("read", "items", "message"),
    [
        (read_sciai, [], "the list is empty"),
        (read_sciai, {"tokens": []}, "JSON list"),
        (read_sciai, [{"id": "x", "tokens": ["a"]}], r"item 0 \(x\): labels: Field required"),
        (read_sciai, [{"tokens": ["a"], "labels": ["O", "O"]}], "1 tokens but 2 labels"),
        (read_sciai, [{"tokens": ["a"], "labels": ["B-PER"]}], r"labels\.0: .* got 'B-PER'"),
        (read_sdu22, [{"ID": 7}], r"item 0 \(7\): text: Field required"),
        (read_sdu22, [{**ITEM, "long-forms": [[1]]}], r"long-forms\.0\.1: Field required"),
        (read_sdu22, [{**ITEM, "acronyms": [["a", 2]]}], r"acronyms\.0\.0: .* got 'a'"),
        (
            read_sdu22,
            [{**ITEM, "acronyms": [[5, 99]]}],
            "outside the text, which has 39 characters",
        ),
        (read_sdu22, [{**ITEM, "acronyms": [[5, 5]]}], "outside the text, which has 39 characters"),
    ],
)
def test_names_what_is_wrong_with_a_file(tmp_path: Path, read, items, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(write(tmp_path, items))


def test_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_bytes(b"\xff{")
    with pytest.raises(FormatError, match="not UTF-8"):
        read_sciai(tmp_path / "bad.json")
    with pytest.raises(InputError, match="does not exist"):
        read_sciai(tmp_path / "none.json")
    with pytest.raises(InputError, match="has a name with train"):
        find_sets(tmp_path, ["train"])
    with pytest.raises(InputError, match="Choose a JSON file"):
        find_sets(tmp_path / "none")


def test_labels_of_spans() -> None:
    text, offsets = join_tokens(TOKENS)
    sentence = Sentence("1", LABELS, text, offsets)
    at = text.index
    prediction = Prediction({(at("RF"), at("RF") + 2), (at("SVM"), at("SVM") + 7)}, {(2, 15)})
    assert label(sentence, prediction) == LABELS
    inside_a_word = Prediction({(at("RF") + 1, at("RF") + 2)}, set())
    assert label(sentence, inside_a_word)[4] == "B-short"
    assert label(Sentence("2", [], "", []), Prediction(set(), set())) == []


NAMES = [
    *("rules", "find_definitions", "schwartz_hearst", "schwartz_hearst and shapes"),
    *("character match", "all capitals", "acronym_detector"),
]


def test_systems_are_scored_and_their_labels_kept(tmp_path: Path) -> None:
    path = write(tmp_path, [{"id": "D-1", "tokens": TOKENS, "labels": LABELS}])
    results = run("sciai", [path], NAMES, predictions=tmp_path / "kept")
    assert list(results) == [f"dev: {name}" for name in NAMES]
    rules = values(results["dev: rules"])
    assert (rules["macro_precision"], rules["macro_recall"], rules["micro_f1"]) == (1.0, 1.0, 1.0)
    assert values(results["dev: schwartz_hearst"])["short_recall"] == 0.5
    kept = json.loads((tmp_path / "kept/dev-rules.jsonl").read_text())
    assert kept == {"labels": LABELS}


def test_scores_are_those_of_the_official_scorer() -> None:
    gold = [LABELS, ["B-short", "I-long", "I-short", "O"]]
    predictions = [["O"] * 4 + ["B-short"] + ["O"] * 6, ["B-short", "O", "B-long", "I-long"]]
    spans = [spans_of(labels) for labels in predictions]
    answers = [Prediction(set(short), set(long)) for short, long in spans]
    read = Gold([spans_of(labels) for labels in gold], lambda _, number: (spans[number], {}))
    measured = measure(DataSet("x", (), ["one", "two"], read), answers)
    for rows in ([0, 1], [1], [0, 0, 1]):
        scores = measured.statistic(np.array(rows))
        official = score_labels([gold[row] for row in rows], [predictions[row] for row in rows])
        for kind in ("macro", "micro", "short", "long"):
            for name, value in getattr(official, kind)._asdict().items():
                assert scores[f"{kind}_{name}"] == pytest.approx(value)


def test_texts_with_offsets_are_scored_and_kept(tmp_path: Path) -> None:
    path = write(tmp_path, [ITEM, {**ITEM, "ID": "2", "acronyms": [[29, 31]]}])
    (result,) = run("sdu22-ae", [path], ["rules"], predictions=tmp_path / "kept").values()
    assert result.details["ends of spans inside a word"] == 1
    assert values(result)["short_recall"] == 0.5
    first = json.loads((tmp_path / "kept/dev-rules.jsonl").read_text().splitlines()[0])
    assert first == {"acronyms": [[28, 31]], "long-forms": [[3, 26]]}


def test_a_trained_pipeline_is_a_system(tmp_path: Path) -> None:
    import spacy

    nlp = spacy.blank("en")
    with pytest.raises(InputError, match="not a pipeline"):
        make("sciai", "pipeline", pipeline=tmp_path).fit(())
    nlp.to_disk(tmp_path / "without")
    with pytest.raises(InputError, match="no acronym_detector"):
        make("sciai", "pipeline", pipeline=tmp_path / "without").fit(())
    nlp.add_pipe("acronym_detector", config={"spans_key": "s", "long_forms_key": "l"})
    nlp.to_disk(tmp_path / "with")
    system = make("sciai", "pipeline", pipeline=tmp_path / "with")
    system.fit(())
    assert list(system.predict(["A random forest (RF)."])) == [Prediction({(17, 19)}, {(2, 15)})]


def strings(text, spans):
    return sorted(text[slice(*span)] for span in spans)


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We use a random forest (RF) here.", ["RF"], ["random forest"]),
        ("The RF (random forest) is good.", ["RF"], ["random forest"]),
        ("The RF (some forest) is good.", ["RF"], []),
        ("An xgreat forest (GF) is good.", ["GF"], []),
        # As published, a sentence's first token is never in a long form.
        ("Random forest (RF) wins.", ["RF"], []),
        ("A ReLU, an Xa, an X, mRNA and HTTPSERVERS.", ["ReLU"], []),
        ("", [], []),
        ("(RF)", ["RF"], []),
    ],
)
def test_character_match(text, short, long):
    result = make("sciai", "character match").answer(text)
    assert (strings(text, result[0]), strings(text, result[1])) == (short, long)


def test_all_capitals():
    text = "The WHO, a B2B group, U and mRNA: É2."
    assert strings(text, make("sciai", "all capitals").answer(text).short) == ["B2B", "WHO", "É2"]
