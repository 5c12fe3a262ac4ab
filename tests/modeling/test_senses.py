from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from spacy_gladis.errors import FormatError
from spacy_gladis.modeling.senses import SenseMemory, quantise, sense_key


def unit(rng: np.random.Generator, n: int, width: int = 48) -> NDArray[np.float32]:
    rows = rng.normal(size=(n, width)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def memory() -> SenseMemory:
    vectors = unit(np.random.default_rng(0), 3)
    names = ("artificial intelligence", "adequate intake", "aromatase inhibitor")
    return SenseMemory.build(
        {
            sense_key(name): (vector, 4**row)
            for row, (name, vector) in enumerate(zip(names, vectors, strict=True))
        }
    )


def test_spellings_of_one_meaning_share_a_key() -> None:
    assert sense_key("Adequate intakes") == sense_key("adequate-intake")
    assert sense_key("adequate intake") != sense_key("artificial intelligence")


def test_a_context_is_most_alike_to_its_own_sense(memory: SenseMemory) -> None:
    query = unit(np.random.default_rng(0), 3)[1]
    names = ["aromatase inhibitor", "Adequate intakes", "never seen"]
    alike, seen = memory.compare(names, query)
    np.testing.assert_allclose(alike[1], 4 / 5, atol=0.01)
    assert alike[1] > alike[0]
    assert alike[2] == seen[2] == 0
    np.testing.assert_allclose(seen[:2], np.log1p([16, 4]), atol=1e-6)


def test_nothing_is_known_to_an_empty_memory() -> None:
    alike, seen = SenseMemory.empty().compare(
        ["adequate intake"], unit(np.random.default_rng(0), 1)[0]
    )
    assert alike.tolist() == seen.tolist() == [0.0]


def test_a_round_trip(memory: SenseMemory, tmp_path: Path) -> None:
    memory.save(tmp_path)
    again = SenseMemory.load(tmp_path)
    query = unit(np.random.default_rng(3), 1)[0]
    for one, other in zip(
        memory.compare(["adequate intake"], query),
        again.compare(["adequate intake"], query),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, atol=1e-3)
    assert len(SenseMemory.load(tmp_path / "nothing")) == 0


def test_damaged_files(memory: SenseMemory, tmp_path: Path) -> None:
    memory.save(tmp_path)
    path = tmp_path / "senses.safetensors"
    whole = path.read_bytes()
    for size in range(0, len(whole), max(1, len(whole) // 20)):
        path.write_bytes(whole[:size])
        with pytest.raises(FormatError, match="senses"):
            SenseMemory.load(tmp_path)


@pytest.mark.slow
def test_quantisation_keeps_the_direction() -> None:
    matrix = unit(np.random.default_rng(1), 600)
    codes, codebooks = quantise(matrix, 0)
    decoded = codebooks[np.arange(codes.shape[1]), codes].reshape(len(matrix), -1)
    cosine = (decoded * matrix).sum(1) / np.linalg.norm(decoded, axis=1)
    assert codes.dtype == np.uint8
    assert cosine.mean() > 0.98
