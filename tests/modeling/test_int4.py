"""Matrices of 4-bit numbers: near the original, and the same again when they are packed again."""

import torch

from spacy_gladis.modeling.weights import GROUP, pack_int4, unpack_int4


def test_a_matrix_comes_back_nearly_the_same() -> None:
    torch.manual_seed(0)
    matrix = torch.randn(50, 2 * GROUP) * torch.rand(50, 1)
    matrix[3] = 0
    packed, scales = pack_int4(matrix)
    assert packed.dtype == torch.uint8
    assert (packed.shape, scales.shape) == ((50, GROUP), (50, 2))
    back = unpack_int4(packed, scales)
    cosines = torch.cosine_similarity(back, matrix)
    assert cosines[[row for row in range(50) if row != 3]].min() > 0.985
    assert back[3].abs().max() < 1e-5


def test_packing_again_changes_nothing() -> None:
    torch.manual_seed(1)
    once = unpack_int4(*pack_int4(torch.randn(200, GROUP)))
    packed, scales = pack_int4(once)
    assert torch.equal(unpack_int4(packed, scales), once)


def test_an_outlier_does_not_take_the_levels_of_the_rest() -> None:
    torch.manual_seed(2)
    matrix = torch.randn(1, GROUP)
    matrix[0, 7] = 6.0
    back = unpack_int4(*pack_int4(matrix))
    assert back[0, 7] < 5.9  # it is clipped
    others = torch.arange(GROUP) != 7
    assert torch.cosine_similarity(back[:, others], matrix[:, others]).item() > 0.975
