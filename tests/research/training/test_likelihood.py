"""Axes on which senses differ, learnt of contexts that differ by other things, too."""

import numpy as np
import pytest

from spacy_gladis.arrays import Floats
from spacy_gladis.research.training.centroids import likely_centroids
from spacy_gladis.research.training.likelihood import (
    SenseContexts,
    axes_of,
    fit_likelihood,
    pools_of,
)

SENSES, DOCUMENTS, WIDTH = 200, 6, 16


@pytest.fixture(scope="module")
def contexts() -> tuple[list[int], list[str], Floats]:
    """Of six documents each sense: the first axes tell senses, the others documents."""
    rng = np.random.default_rng(0)
    between = np.r_[np.full(4, 3.0), np.full(WIDTH - 4, 0.1)]
    within = np.r_[np.full(4, 0.5), np.full(WIDTH - 4, 2.0)]
    senses = rng.normal(0, between, (SENSES, WIDTH))
    keys = np.repeat(np.arange(SENSES), DOCUMENTS)
    vectors = senses[keys] + rng.normal(0, within, (len(keys), WIDTH))
    documents = [f"{number % 97}" for number in range(len(keys))]
    return keys.tolist(), documents, vectors.astype(np.float32)


def test_contexts_of_one_document_are_one_observation() -> None:
    vectors = np.array([[0, 0], [2, 0], [5, 5], [8, 8]], np.float32)
    seen = SenseContexts.of([7, 7, 7, 3], ["a", "a", "b", "a"], vectors)
    assert seen.keys.tolist() == [3, 7]
    assert seen.documents.tolist() == [1, 2]
    np.testing.assert_allclose(seen.centroids, np.array([[8, 8], [3, 2.5]]))


def test_a_context_is_likelier_of_its_own_sense(
    contexts: tuple[list[int], list[str], Floats],
) -> None:
    """Than by the nearest mean, since the axes that tell nothing weigh less."""
    keys, documents, vectors = contexts
    held_out = np.arange(0, len(keys), DOCUMENTS)
    rest = np.setdiff1d(np.arange(len(keys)), held_out)
    seen = SenseContexts.of(
        [keys[row] for row in rest], [documents[row] for row in rest], vectors[rest]
    )
    acronyms = ["AB" if keys[row] % 2 else "CD" for row in rest]
    rivals = pools_of(zip(acronyms, [keys[row] for row in rest], strict=True))
    losses: list[float] = []
    trained = fit_likelihood(
        seen, acronyms, rivals, steps=60, batch=64, report=lambda _, loss: losses.append(loss)
    )
    assert np.mean(losses[-10:]) < np.mean(losses[:10])

    expected = trained.estimate_senses(seen.centroids, seen.documents)
    likeliest = [
        trained.compare(expected, seen.documents, vectors[row]).argmax() for row in held_out
    ]
    nearest = np.array(
        [np.square(seen.centroids - vectors[row]).sum(1).argmin() for row in held_out]
    )
    right = np.arange(SENSES)
    assert (np.array(likeliest) == right).mean() > (nearest == right).mean() + 0.1


def test_nothing_is_trained_where_nothing_is_to_be_told_apart() -> None:
    vectors = np.eye(3, 8, dtype=np.float32)
    seen = SenseContexts.of([1, 2, 3], ["a", "b", "c"], vectors)
    pools = pools_of([("A", 1), ("B", 2), ("C", 3)])
    result = fit_likelihood(seen, ["A", "B", "C"], pools, axes=4)
    assert result.projection.shape == (8, 4)
    assert np.isfinite(result.compare(vectors[:, :4], np.ones(3, np.float32), vectors[0])).all()


def test_what_is_coded_is_what_is_expected(
    contexts: tuple[list[int], list[str], Floats],
) -> None:
    seen = SenseContexts.of(*contexts)
    made = likely_centroids(seen, axes_of(seen), parts=8)
    assert made.likelihood is not None and made.seen.tolist() == [DOCUMENTS] * SENSES
    expected = made.likelihood.estimate_senses(seen.centroids, seen.documents)
    coded = made.decode_rotated(np.arange(SENSES))
    np.testing.assert_allclose(coded, expected, atol=0.02)  # fewer senses than codes
    back = made.likelihood.project(made.decode(np.arange(SENSES)))
    np.testing.assert_allclose(back, coded, atol=0.02)
