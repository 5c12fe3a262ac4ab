from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from spacy_gladis.errors import FormatError
from spacy_gladis.modeling.centroids import ContextCentroids
from spacy_gladis.modeling.coded_vectors import sense_key


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


def test_spellings_of_one_meaning_share_a_key() -> None:
    assert sense_key("Adequate intakes") == sense_key("adequate-intake")
    assert sense_key("adequate intake") != sense_key("artificial intelligence")


def test_a_context_is_most_alike_to_its_own_sense(centroids: ContextCentroids) -> None:
    query = unit(np.random.default_rng(0), 3)[1]
    names = ["aromatase inhibitor", "Adequate intakes", "never seen"]
    alike, seen = centroids.compare(names, query)
    np.testing.assert_allclose(alike[1], 4 / 5, atol=0.01)
    assert alike[1] > alike[0]
    assert alike[2] == seen[2] == 0
    np.testing.assert_allclose(seen[:2], np.log1p([16, 4]), atol=1e-6)


def test_without_centroids_nothing_is_known() -> None:
    alike, seen = ContextCentroids.empty().compare(
        ["adequate intake"], unit(np.random.default_rng(0), 1)[0]
    )
    assert alike.tolist() == seen.tolist() == [0.0]


def test_a_round_trip(centroids: ContextCentroids, tmp_path: Path) -> None:
    centroids.save(tmp_path)
    again = ContextCentroids.load(tmp_path)
    query = unit(np.random.default_rng(3), 1)[0]
    for one, other in zip(
        centroids.compare(["adequate intake"], query),
        again.compare(["adequate intake"], query),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, atol=1e-3)
    assert len(ContextCentroids.load(tmp_path / "nothing")) == 0


def test_damaged_files(centroids: ContextCentroids, tmp_path: Path) -> None:
    centroids.save(tmp_path)
    path = tmp_path / "senses.safetensors"
    whole = path.read_bytes()
    for size in range(0, len(whole), max(1, len(whole) // 20)):
        path.write_bytes(whole[:size])
        with pytest.raises(FormatError, match="senses"):
            ContextCentroids.load(tmp_path)
