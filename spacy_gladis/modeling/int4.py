"""Matrices as 4-bit numbers, two in a byte, with a scale for each group of a row."""

import torch
from torch import Tensor

GROUP = 64

CLIPPED = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6)
"""Parts of a group's largest number that its scale may reach to: clipped, it can serve the rest."""


def pack(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """Bytes [rows, width / 2] and scales [rows, width / GROUP]; the width is a multiple of GROUP.

    Each group has the scale that leaves the least squared error. What `unpack` gives is packed into
    the same again.
    """
    groups = matrix.reshape(len(matrix), -1, GROUP)
    largest = groups.abs().amax(-1, keepdim=True).clamp(min=1e-6)
    # A group that was packed before has its largest number at one of the levels.
    reaches = [7.5 / share for share in CLIPPED] + [level + 0.5 for level in range(7)]
    scales = torch.zeros_like(largest)
    least = torch.full_like(largest, torch.inf)
    for reach in reaches:
        scale = (largest / reach).half().float().clamp(min=1e-7)
        error = (_levels(groups, scale) * scale - groups).square().sum(-1, keepdim=True)
        better = error < least
        scales, least = torch.where(better, scale, scales), torch.where(better, error, least)
    numbers = (_levels(groups, scales) + 7.5).to(torch.uint8).view(len(matrix), -1)
    return numbers[:, ::2] | numbers[:, 1::2] << 4, scales.squeeze(-1).half()


def unpack(packed: Tensor, scales: Tensor) -> Tensor:
    """The matrix [rows, width] as float32."""
    numbers = torch.stack([packed & 15, packed >> 4], -1).float() - 7.5
    groups = numbers.view(len(packed), -1, GROUP) * scales.float()[..., None]
    return groups.view(len(packed), -1)


def _levels(groups: Tensor, scale: Tensor) -> Tensor:
    """The nearest of -7.5, -6.5, ..., 7.5."""
    return ((groups / scale).floor() + 0.5).clamp(-7.5, 7.5)
