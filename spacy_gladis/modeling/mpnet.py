"""What MPNet (Song et al. 2020) has and BERT has not: a bias by distance, and other names.

All else is BERT, so that `encoder.py` is both: MPNet's positions begin at 2, and it knows no
segments, whose vectors are zeros here until they are trained.
"""

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn

FIRST_POSITION = 2
"""Of a sequence's first token: 0 and 1 are kept for padding, as in RoBERTa."""

SEGMENTS = 2
FARTHEST = 128
"""Tokens from which on all distances count as one."""

NAMES = (
    ("attention.attn.q.", "attention.self.query."),
    ("attention.attn.k.", "attention.self.key."),
    ("attention.attn.v.", "attention.self.value."),
    ("attention.attn.o.", "attention.output.dense."),
    ("attention.LayerNorm.", "attention.output.LayerNorm."),
)
"""Parts of parameters' names in transformers' MPNet, and BERT's for the same."""

BIAS = "encoder.relative_attention_bias.weight"
WORDS = "embeddings.word_embeddings.weight"
KINDS = "embeddings.token_type_embeddings.weight"


class DistanceBias(nn.Embedding):
    """A number for each distance and each head, which every layer adds to its attention scores.

    Half of the buckets are for what stands before a token, half for what stands behind it; of each
    half the first are of one distance, the others wider and wider.
    """

    def forward(self, positions: Tensor) -> Tensor:
        """The bias [batch or 1, heads, tokens, tokens]; positions: integers [batch, tokens]."""
        if not positions.stride(0):
            positions = positions[:1]  # one row for all
        apart = positions[:, None, :] - positions[:, :, None]
        return super().forward(buckets(apart, self.num_embeddings)).permute(0, 3, 1, 2)


def buckets(apart: Tensor, count: int) -> Tensor:
    """The bucket of each distance, integers below `count`; negative: what stands before."""
    half = count // 2
    exact = half // 2
    distance = apart.abs()
    wide = torch.log(distance.clamp(min=1) / exact) / math.log(FARTHEST / exact) * (half - exact)
    far = (exact + wide.long()).clamp(max=half - 1)
    return torch.where(distance < exact, distance, far) + half * (apart > 0)


def under_names_of_bert(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """MPNet's tensors as an encoder here has them; those of another checkpoint as they are."""
    biases = [name for name in tensors if name.endswith(BIAS)]
    if not biases:
        return dict(tensors)
    renamed = {}
    for name, value in tensors.items():
        name = name.removeprefix("mpnet.")
        for theirs, ours in NAMES:
            name = name.replace(theirs, ours)
        renamed[name] = value
    prefix = biases[0].removeprefix("mpnet.").removesuffix(BIAS)
    words = renamed.get(prefix + WORDS)
    if words is not None:
        renamed.setdefault(prefix + KINDS, torch.zeros(SEGMENTS, words.shape[1]))
    return renamed


def under_names_of_mpnet(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """An encoder's tensors as transformers' MPNetModel has them, which takes no segments."""
    renamed = {}
    for name, value in tensors.items():
        for theirs, ours in NAMES:
            name = name.replace(ours, theirs)
        if name != KINDS:
            renamed[name] = value
    return renamed
