from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from spacy_gladis.errors import FormatError
from spacy_gladis.files import write_arrays
from spacy_gladis.linking.sense_vectors import ContextCentroids, sense_key


def unit(rng: np.random.Generator, n: int, width: int = 48) -> NDArray[np.float32]:
    rows = rng.normal(size=(n, width)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def centroids() -> ContextCentroids:
    vectors = unit(np.random.default_rng(0), 3)
    names = ("artificial intelligence", "adequate intake", "aromatase inhibitor")
    keys = np.array([sense_key(name) for name in names], np.uint64)
    order, seen = np.argsort(keys), np.array([1, 4, 16], np.uint16)
    codes = np.arange(3, dtype=np.uint8)[order, None]  # the vectors themselves are the codebook
    codebooks = vectors[None].astype(np.float16)
    arrays: dict[str, Any] = {
        "keys": keys[order],
        "seen": seen[order],
        "codes": codes,
        "codebooks": codebooks,
    }
    return ContextCentroids.from_arrays(arrays)


def test_a_context_is_most_alike_to_its_own_sense(centroids: ContextCentroids) -> None:
    query = unit(np.random.default_rng(0), 3)[1]
    names = ["aromatase inhibitor", "Adequate intakes", "never seen"]
    alike, seen = centroids.compare(names, query)
    np.testing.assert_allclose(alike[1], 4 / 5, atol=0.01)
    assert alike[1] > alike[0]
    assert alike[2] == seen[2] == 0
    np.testing.assert_allclose(seen[:2], np.log1p([16, 4]), atol=1e-6)


@pytest.fixture
def likely() -> ContextCentroids:
    """Three senses on two axes of a width of four."""
    keys = np.array(sorted(sense_key(name) for name in ("one", "other", "third")), np.uint64)
    arrays: dict[str, Any] = {
        "keys": keys,
        "seen": np.array([1, 4, 16], np.uint16),
        "codes": np.arange(3, dtype=np.uint8)[:, None],
        "codebooks": np.array([[[3, 0], [0, 3], [-3, 0]]], np.float16),
        "mean": np.zeros(4, np.float32),
        "projection": np.eye(4, 2, dtype=np.float32),
        "between": np.array([4, 4], np.float32),
        "temper": np.array([0.5], np.float32),
    }
    return ContextCentroids.from_arrays(arrays)


def test_a_likelihood_says_how_much_likelier_a_context_is(likely: ContextCentroids) -> None:
    names = sorted(("one", "other", "third"), key=sense_key)
    at_the_second = np.array([0, 3, 9, 9], np.float32)  # of the last two axes nothing is known
    ratios, seen = likely.compare([*names, "never seen"], at_the_second)
    assert ratios.argmax() == 1 and ratios[1] > 0 > ratios[0]
    assert ratios[3] == seen[3] == 0
    # By hand: N(3, 4/17 + 1) is expected on the second axis, N(0, 5) of any sense.
    spread = 4 / (4 * 4 + 1) + 1
    by_hand = 0.5 * 0.5 * (9 / 5 + 2 * np.log(5) - 2 * np.log(spread))
    assert ratios[1] == pytest.approx(by_hand, rel=1e-3)
    far = likely.compare(names, np.array([0, 30, 0, 0], np.float32))[0]
    assert far[1] < 0 and likely.likelihood is not None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temper", np.zeros(0, np.float32)),
        ("between", np.array([1, -1], np.float32)),
        ("mean", np.zeros(3, np.float32)),
        ("between", None),
        ("codebooks", np.ones((2, 3, 1), np.float16)),
    ],
)
def test_a_likelihood_that_is_not_whole(
    likely: ContextCentroids, tmp_path: Path, name: str, value: NDArray[Any] | None
) -> None:
    arrays = likely.arrays()
    likely.save(tmp_path)
    again = ContextCentroids.load(tmp_path)
    np.testing.assert_allclose(again.decode(np.arange(3)), likely.decode(np.arange(3)), atol=0.01)
    if value is None:
        del arrays[name]
    else:
        arrays[name] = value
    write_arrays(tmp_path / ContextCentroids.FILE, arrays)
    with pytest.raises(FormatError, match="senses"):
        ContextCentroids.load(tmp_path)
