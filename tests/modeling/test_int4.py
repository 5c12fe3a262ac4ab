"""Matrices of 4-bit numbers: near the original, and the same again when they are packed again."""

import numpy as np

from spacy_gladis.arrays import Floats
from spacy_gladis.modeling.weights import GROUP, pack_int4, unpack_int4


def normal(seed: int, *shape: int) -> Floats:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def cosines(one: Floats, other: Floats) -> Floats:
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return (one * other).sum(1) / lengths


def test_a_matrix_comes_back_nearly_the_same() -> None:
    matrix = normal(0, 50, 2 * GROUP) * np.random.default_rng(1).random((50, 1), np.float32)
    matrix[3] = 0
    packed, scales = pack_int4(matrix)
    assert packed.dtype == np.uint8
    assert (packed.shape, scales.shape) == ((50, GROUP), (50, 2))
    back = unpack_int4(packed, scales)
    others = np.arange(50) != 3
    assert cosines(back[others], matrix[others]).min() > 0.985
    assert np.abs(back[3]).max() < 1e-5


def test_packing_again_changes_nothing() -> None:
    once = unpack_int4(*pack_int4(normal(1, 200, GROUP)))
    packed, scales = pack_int4(once)
    np.testing.assert_array_equal(unpack_int4(packed, scales), once)


def test_some_rows_are_those_of_the_whole() -> None:
    packed, scales = pack_int4(normal(2, 20, 2 * GROUP))
    rows = np.array([[3, 0], [19, 3]])
    whole = unpack_int4(packed, scales)
    np.testing.assert_array_equal(unpack_int4(packed[rows], scales[rows]), whole[rows])


def test_an_outlier_does_not_take_the_levels_of_the_rest() -> None:
    matrix = normal(3, 1, GROUP)
    matrix[0, 7] = 6.0
    back = unpack_int4(*pack_int4(matrix))
    assert back[0, 7] < 5.9  # it is clipped
    others = np.arange(GROUP) != 7
    assert cosines(back[:, others], matrix[:, others]).item() > 0.975
