"""The projection of contexts to senses, and the fit on labelled passages."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate, Dictionary
from spacy_gladis.errors import FormatError
from spacy_gladis.linking import AcroBERT, Linker
from spacy_gladis.linking.calibration import FEATURES, Calibration
from spacy_gladis.linking.features import COMMON, COSINE, MATCH
from spacy_gladis.linking.sense_vectors import SenseProjection
from spacy_gladis.research.datasets.training_labels import (
    Label,
    LabelledPassage,
    as_labelled_texts,
)
from spacy_gladis.research.evidence.fit import Labelled, keep_likeliest
from spacy_gladis.research.evidence.projection import Choice, fit_projection, update_matches
from spacy_gladis.text import Mention
from tests.support.questions import evidence_for

WIDTH = 16


def choices_of(number: int, hidden: np.ndarray, seed: int) -> list[Choice]:
    """Return choices whose right candidate is the context, mapped by a hidden matrix."""
    rng = np.random.default_rng(seed)
    made = []
    for text in range(number):
        query = rng.normal(size=WIDTH).astype(np.float32)
        query /= np.linalg.norm(query)
        vectors = rng.normal(size=(4, WIDTH))
        vectors[text % 4] = query @ hidden
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        right = np.arange(4) == text % 4
        prior = np.zeros(4, np.float32)
        made.append(Choice(query, vectors.astype(np.float16), prior, right, 1.0, text))
    return made


def accuracy(projection: SenseProjection, choices: list[Choice]) -> float:
    queries = projection.project(np.stack([choice.query for choice in choices]))
    ranked = [
        choice.right[(choice.vectors.astype(np.float32) @ query).argmax()]
        for choice, query in zip(choices, queries, strict=True)
    ]
    return float(np.mean(ranked))


def test_a_projection_learns_the_map_from_contexts_to_senses() -> None:
    hidden = np.linalg.qr(np.random.default_rng(5).normal(size=(WIDTH, WIDTH)))[0]
    losses: list[float] = []
    training, held_out = choices_of(600, hidden, 1), choices_of(200, hidden, 2)
    projection = fit_projection(
        training, epochs=500, rank=WIDTH, report=lambda epoch, loss: losses.append(loss)
    )
    assert len(losses) == 500 and losses[-1] < losses[0] / 2
    untrained = SenseProjection(np.eye(WIDTH, dtype=np.float32))
    assert accuracy(untrained, held_out) < 0.5 < 0.9 < accuracy(projection, held_out)


def test_a_projection_is_saved_and_its_size_is_checked(tmp_path: Path) -> None:
    assert len(SenseProjection.load(tmp_path, WIDTH)) == 0
    matrix = np.random.default_rng(0).normal(size=(WIDTH, WIDTH)).astype(np.float16)
    SenseProjection(matrix.astype(np.float32)).save(tmp_path)
    assert np.array_equal(SenseProjection.load(tmp_path, WIDTH).matrix, matrix)
    with pytest.raises(FormatError, match=r"the matrix has the size \(16, 16\)"):
        SenseProjection.load(tmp_path, WIDTH + 1)


def test_a_projection_turns_contexts_and_keeps_their_length() -> None:
    turn = np.array([[0, 2], [-2, 0]], np.float32)
    contexts = np.array([[1, 0], [0, 1]], np.float32)
    assert np.allclose(SenseProjection(turn).project(contexts), [[0, 1], [-1, 0]])


def test_the_likeliest_and_the_right_candidates_are_kept() -> None:
    table = np.zeros((6, len(FEATURES)), np.float32)
    table[:, COMMON] = [0, 5, 1, 4, 3, 2]
    options = [Candidate(f"form {row}", {}, 0, -1) for row in range(6)]
    acronym = Labelled(evidence_for(options, table), (0,), 1, 1, 0)
    kept = keep_likeliest(acronym, Calibration(common=1.0), 2)
    names = [candidate.long_form for candidate in kept.evidence.question.candidates]
    assert names == ["form 0", "form 1", "form 3"] and kept.right == (0,)
    assert kept.evidence.mean_table[:, COMMON].tolist() == [0, 5, 4]
    assert kept.evidence.tables[0].shape == (3, len(FEATURES))
    assert len(kept.evidence.question.phrases) == 3
    assert keep_likeliest(acronym, Calibration(common=1.0), 6) is acronym


def passage(number: int) -> LabelledPassage:
    text = f"Number {number}: the CT was done. The AI of the CT helped. Who? XQ and OK."
    first, second = text.index("CT"), text.rindex("CT")
    labels = (
        Label(((first, first + 2), (second, second + 2)), "CT", "computed tomography"),
        Label(((text.index("AI"), text.index("AI") + 2),), "AI", "artificial intelligence | AI"),
        Label(((text.index("XQ"), text.index("XQ") + 2),), "XQ", "?"),
        Label(((text.index("OK"), text.index("OK") + 2),), "OK", "-"),
    )
    return LabelledPassage(f"p{number}", "notes", f"source {number}", text, labels)


def test_passages_become_texts_with_mentions() -> None:
    [text] = as_labelled_texts([passage(1)])
    assert [(mention.acronym, mention.long_forms) for mention in text.mentions] == [
        ("CT", ("computed tomography",)),
        ("AI", ("artificial intelligence", "AI")),
        ("CT", ("computed tomography",)),
        ("OK", ()),
    ]
    assert text.field == "notes" and text.repository == "source 1"
    assert not any(mention.defined for mention in text.mentions)


def test_a_model_compares_projected_contexts_too(tiny_weights: Path, tiny_dictionary: Path) -> None:
    dictionary, model = Dictionary.open(tiny_dictionary), AcroBERT.load(tiny_weights)
    mention = Mention("The AI of the CT.", 4, 6)
    options = [dictionary.lookup("AI")]
    [plain] = Linker(model, dictionary).compute_features([mention], options)[0]
    assert not plain[:, MATCH].any()
    model.projection = SenseProjection(np.eye(model.width, dtype=np.float32))
    [same] = Linker(model, dictionary).compute_features([mention], options)[0]
    assert np.allclose(same[:, MATCH], same[:, COSINE], atol=1e-4)
    model.projection = SenseProjection(-np.eye(model.width, dtype=np.float32))
    [opposite] = Linker(model, dictionary).compute_features([mention], options)[0]
    assert np.allclose(opposite[:, MATCH], -same[:, COSINE], atol=1e-4)


@pytest.mark.parametrize("number", [1, 2, 60])
def test_updated_matches_are_those_of_the_linker(
    number: int, tiny_weights: Path, tiny_dictionary: Path
) -> None:
    linker = Linker(AcroBERT.load(tiny_weights), Dictionary.open(tiny_dictionary))
    weights = linker.model.settings.calibration
    mention = Mention("The AI of the CT was read twice.", 4, 6)
    options = [
        Candidate(f"{'the AI ' * (row % 7)}intake of CT {row}", {"x": 9 if row < 50 else 0}, 9, -1)
        for row in range(number)
    ]
    tables, _, queries = linker.reader.read([mention], [options], weights)
    evidence = evidence_for(options, tables[0].copy(), acronym="AI")
    evidence = replace(evidence, queries=queries)
    rng = np.random.default_rng(3)
    width = linker.model.width
    projection = SenseProjection(rng.normal(size=(width, width)).astype(np.float32))
    update_matches(linker, projection, [Labelled(evidence, (0,), 1, 1, 0)], weights)
    assert linker.model.projection is projection
    [expected], _, _ = linker.reader.read([mention], [options], weights)
    assert np.allclose(evidence.tables[0], expected, atol=1e-3)
    assert np.allclose(evidence.mean_table[:, MATCH], expected[:, MATCH], atol=1e-3)
    assert number == 1 or len(set(expected[:, MATCH].round(3).tolist())) > 1
