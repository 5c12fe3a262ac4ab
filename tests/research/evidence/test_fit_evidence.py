"""The weights of the evidence: of texts, of lone sentences, and where candidates are given."""

import json
from pathlib import Path

import numpy as np
import pytest
import zstandard

from spacy_gladis.dictionary import Candidate
from spacy_gladis.errors import InputError
from spacy_gladis.linking import AcroBERT
from spacy_gladis.linking.calibration import FEATURES, Calibration
from spacy_gladis.linking.features import COMMON, COSINE, PHRASE
from spacy_gladis.linking.trees import COLUMNS
from spacy_gladis.research.datasets.texts import GoldMention, LabelledText
from spacy_gladis.research.evidence.fit import (
    MOST_FITTED,
    Labelled,
    Rows,
    balance,
    cross_validate,
    limit_candidates,
    usual,
)
from spacy_gladis.research.evidence.fit_files import fit_model
from spacy_gladis.research.evidence.lone import (
    GivenQuestion,
    fit_alone,
    fit_given,
    lone_sentences,
)
from tests.support.questions import evidence_for

RNG = np.random.default_rng(0)


def features(right: int, column: int, candidates: int = 3) -> np.ndarray:
    """Noise, but for a column that speaks for the right candidate."""
    found = RNG.normal(0, 0.3, (candidates, len(FEATURES))).astype(np.float32)
    found[:, PHRASE] = 0
    found[right, column] += 2
    return found


def given(number: int) -> list[GivenQuestion]:
    return [GivenQuestion(features(i % 3, COSINE), (i % 3,)) for i in range(number)]


def sentence(number: int) -> Labelled:
    """Every fourth has no right candidate, and little that speaks for any."""
    right, answerable = number % 3, number % 4 != 0
    table = features(right, COMMON) if answerable else features(right, COMMON) * 0.1
    options = [Candidate(f"{name} form", {}, 0, -1) for name in ("first", "second", "third")]
    evidence = evidence_for(options, table, acronym="AF", document=number)
    return Labelled(evidence, (right,) if answerable else (), 1, number)


def test_what_tells_candidates_apart_gets_the_weight() -> None:
    questions = given(960)
    fitted = fit_given(questions, Calibration())
    assert fitted.cosine > 5 * max(fitted.common, fitted.glossary)
    first = [int(fitted.logits(question.features).argmax()) for question in questions]
    right = [row in question.right for row, question in zip(first, questions, strict=True)]
    assert np.mean(right) > 0.95


def test_sentences_have_weights_and_nil_of_their_own() -> None:
    document = Calibration(phrase=7.0)
    sentences = [sentence(number) for number in range(120)]
    even = np.ones(len(sentences), np.float32)
    found = fit_alone(sentences, even, document)
    assert found.phrase == 7.0  # hardly a sentence has any
    assert found.common > found.cosine


def test_sentences_of_one_acronym_are_texts() -> None:
    text = "An MRI was done. CT and MRI agreed. The CT, the CT! Nothing here."
    mentions = tuple(
        GoldMention(start, start + len(name), name, (name.lower(),), "capitals", False)
        for name, start in (("MRI", 3), ("CT", 17), ("MRI", 24), ("CT", 40), ("CT", 48))
    )
    found = lone_sentences([LabelledText("one", "clinical", "", text, mentions)])
    assert [one.text for one in found] == ["An MRI was done.", "The CT, the CT!"]
    for one in found:
        assert all(one.text[m.start : m.end] == m.acronym for m in one.mentions)
    assert [len(one.mentions) for one in found] == [1, 2]


def test_an_acronym_means_what_most_of_its_mentions_mean() -> None:
    whole = GoldMention(0, 8, "wg/cgMLST", ("whole- and core-genome typing",), "mixed", False)
    own = GoldMention(20, 26, "cgMLST", ("core-genome typing",), "mixed", False)
    assert usual([whole, own, own._replace(start=40, end=46)]) == ("core-genome typing",)


def test_all_sets_weigh_the_same() -> None:
    weights = balance(np.array([1, 2, 3, 3], np.float32), ["a", "a", "b", "b"])
    assert weights[:2].sum() == pytest.approx(weights[2:].sum())


def test_a_fit_compares_the_best_candidates_and_the_right_ones() -> None:
    table = np.zeros((MOST_FITTED + 9, len(FEATURES)), np.float32)
    table[:, COMMON] = np.arange(len(table), 0, -1)
    last = len(table) - 1
    kept, right = limit_candidates(table, (0, last), Calibration(common=1.0))
    assert len(kept) == MOST_FITTED + 1
    assert right == (0, MOST_FITTED)
    assert (kept[-1] == table[last]).all()


def make_rows(number: int) -> Rows:
    features = RNG.normal(0, 0.3, (3, len(COLUMNS))).astype(np.float32)
    right = np.arange(3) == number % 3
    features[right, COLUMNS.index("lead_cosine")] += 2
    return Rows(features, right, True, 1.0, f"source {number % 5}", "passages")


def test_every_source_is_answered_by_trees_of_others() -> None:
    figures = cross_validate([make_rows(number) for number in range(300)], 5)["passages"]
    assert figures["acronyms"] == 300
    assert figures["ranked_first"] > 95
    assert figures["right_at"]["0.95"] > 95


@pytest.fixture
def training_texts(tmp_path: Path) -> tuple[Path, Path]:
    """A folder of labels and one of texts, in the layout of the training texts."""
    labels, shared = tmp_path / "labels", tmp_path / "shared"
    for folder in (labels, shared / "training", shared / "corpus", shared / "glossaries"):
        folder.mkdir(parents=True)
    passages, rows, documents = [], [], []
    meanings = {"CT": "computed tomography", "AI": "artificial intelligence"}
    for number in range(6):
        text = f"Number {number}: the CT was done. The AI of the CT helped."
        source = f"repository/{number % 3}"
        passages.append({"id": f"p{number}", "kind": "note", "source": f"{source}@a", "text": text})
        for name, meaning in meanings.items():
            start = text.index(name)
            rows.append(f"p{number}\t{start}-{start + 2}\t{name}\t{meaning}")
        mentions = [
            {
                "start": text.index(name),
                "end": text.index(name) + 2,
                "acronym": name,
                "long_form": meaning,
                "defined": False,
            }
            for name, meaning in meanings.items()
        ]
        documents.append(
            {"repo": source, "path": "a", "field": "notes", "text": text, "mentions": mentions}
        )
    (labels / "labels.tsv").write_text("\n".join(["passage\tspans\tspelling\tmeaning", *rows]))
    (labels / "corpus_passages.tsv").write_text("name\tkind\tshard\tline\tstart\tend\n")
    for name, records in (("texts", passages), ("documents", documents)):
        data = "".join(json.dumps(record) + "\n" for record in records).encode()
        path = shared / "training" / f"{name}.jsonl.zst"
        path.write_bytes(zstandard.ZstdCompressor().compress(data))
    glossary = shared / "glossaries" / "project_glossaries.tsv"
    glossary.write_text("acronym\tlong_form\tfield\trepository\tlicence\n")
    return labels, shared


def test_a_model_is_fitted_on_the_training_texts(
    tmp_path: Path, training_texts: tuple[Path, Path], tiny_weights: Path, tiny_dictionary: Path
) -> None:
    figures = fit_model(
        *training_texts,
        tmp_path / "model",
        model=tiny_weights,
        dictionary=tiny_dictionary,
        folds=2,
    )
    assert figures["texts"] == 12
    assert set(figures["held_out"]) == {"passages", "documents", "sentences"}
    made = AcroBERT.load(tmp_path / "model").settings
    assert made.alone is not None and made.given is not None
    assert figures["weights"]["alone"]["common"] == made.alone.common


def test_missing_training_texts_are_named(training_texts: tuple[Path, Path]) -> None:
    labels, shared = training_texts
    (shared / "training" / "documents.jsonl.zst").unlink()
    with pytest.raises(InputError, match="not in the repository"):
        fit_model(labels, shared, shared / "model")
