"""AcroBERT's network for training, which encodes contexts and long forms separately.

It computes with gradients what `encoder` and `linking` compute in numpy. The network of GLADIS,
section 4, which scores one pair at a time, is in `next_sentence.py`.
"""

import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ...encoder import word_pieces as tokens
from ...encoder.encoder import FIRST_SEGMENT, EncoderConfig, count_positions
from ...encoder.engines.torch import Transformer
from ...encoder.weights import Weights
from ...encoder.word_pieces import TokenIds


class AcroNetwork(nn.Module):
    """Encodes mentions in context and long forms as vectors that are compared by cosine."""

    def __init__(self, config: EncoderConfig) -> None:
        """Create the encoder and its projections.

        Args:
            config: Dimensions of the encoder.
        """
        super().__init__()
        hidden = config.hidden_size
        self.bert = Transformer(config)
        self.mention = nn.Linear(hidden, hidden, bias=False)
        self.scale = nn.Parameter(torch.tensor(3.0))
        nn.init.zeros_(self.mention.weight)  # untrained, a context's vector is its mean

    @classmethod
    def of(cls, weights: Weights) -> "AcroNetwork":
        """Build a network with a copy of AcroBERT's weights.

        Args:
            weights: Weights of AcroBERT.

        Returns:
            The network in evaluation mode.
        """
        network = cls(weights.config)
        tensors = {name: torch.from_numpy(array) for name, array in weights.dequantize().items()}
        network.load_state_dict(tensors)
        return network.eval()

    def weights(self) -> Weights:
        """Return a copy of the weights for `AcroBERT`."""
        tensors = self.state_dict().items()
        arrays = {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors}
        return Weights(self.bert.config, arrays)

    def encode_long_forms(self, packed: "Packed") -> Tensor:
        """Encode long forms as unit vectors.

        Args:
            packed: Batch of long forms.

        Returns:
            Unit vectors in the order of the long forms, [long forms, hidden].
        """
        ids, owner, positions = packed
        states = self.bert(
            ids, positions, torch.full_like(ids, FIRST_SEGMENT), same_owner(owner)[:, None]
        )
        return F.normalize(mean_of_owners(states, packed).float(), dim=-1)

    def forward(
        self,
        ids: Tensor,
        mask: Tensor,
        mention: Tensor,
        near: Tensor | None = None,
        rows: Tensor | None = None,
    ) -> Tensor:
        """Encode mentions in context.

        Args:
            ids: Word pieces, [texts, tokens].
            mask: Whether each is a token rather than padding, [texts, tokens].
            mention: Whether each token belongs to the mention, [mentions, tokens].
            near: Tokens that are averaged as the context, [mentions, tokens]. Defaults to all
                tokens.
            rows: Index of each mention's text, [mentions]. By default, each mention has its own
                text.

        Returns:
            Unit vectors, [mentions, hidden].
        """
        positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        states = self.bert(ids, positions, torch.full_like(ids, FIRST_SEGMENT), mask[:, None, None])
        pooled = self.pool(states, mask if near is None else near, mention, rows)
        return F.normalize(pooled, dim=-1)

    def pool(
        self, states: Tensor, mask: Tensor, mention: Tensor, rows: Tensor | None = None
    ) -> Tensor:
        """Add a linear projection of the mention's mean to the mean of its context.

        Args:
            states: Encoder states, [texts, tokens, hidden].
            mask: Tokens of the context, [mentions, tokens].
            mention: Tokens of the mention, [mentions, tokens].
            rows: Index of each mention's text, [mentions]. By default, each mention has its own
                text.

        Returns:
            Vectors, float32 [mentions, hidden].
        """
        if rows is None or len(rows) == len(states):  # each text has one mention
            context, mention_mean = mean_of(states, mask), mean_of(states, mention)
        else:
            context, mention_mean = mean_in(states, mask, rows), mean_in(states, mention, rows)
        pooled: Tensor = context + self.mention(mention_mean)
        return pooled.float()


class Packed(NamedTuple):
    """A batch of long forms, several of which share a row (see `encoder/word_pieces.py`).

    Attributes:
        ids: Word pieces, [rows, tokens].
        owner: Number of each token's long form, -1 for padding, [rows, tokens].
        positions: Position of each token in its long form, from 0, [rows, tokens].
    """

    ids: Tensor
    owner: Tensor
    positions: Tensor

    @property
    def size(self) -> int:
        """Number of long forms."""
        return int(self.owner.max()) + 1 if self.owner.numel() else 0

    def to(self, device: torch.device) -> "Packed":
        """Return a copy on a device.

        Args:
            device: The device to move to.

        Returns:
            The batch of long forms.
        """
        return Packed(*(part.to(device) for part in self))


def pack(rows: Sequence[Sequence[TokenIds]], pad_id: int) -> Packed:
    """Create a batch of tokenised long forms that share rows.

    Args:
        rows: For each row, the word pieces of its long forms. Long forms are numbered across all
            rows.
        pad_id: Id of the padding token.

    Returns:
        The batch of long forms.
    """
    ids, owner = tokens.pack(rows, pad_id)
    return Packed(*map(torch.from_numpy, (ids, owner, count_positions(owner))))


def same_owner(owner: Tensor) -> Tensor:
    """Return an attention mask that is True where two tokens belong to the same long form.

    Padding attends to padding, because a softmax over nothing is NaN.

    Args:
        owner: Number of each token's long form, [rows, tokens].

    Returns:
        Booleans, [rows, tokens, tokens].
    """
    return owner[:, :, None] == owner[:, None, :]


def mean_of(states: Tensor, mask: Tensor) -> Tensor:
    """Compute the mean of the states that a mask selects, or zero if it selects none.

    Args:
        states: States, [batch, tokens, hidden].
        mask: Tokens to keep, [batch, tokens].

    Returns:
        Means, [batch, hidden].
    """
    weight = mask.to(states.dtype)[..., None]
    return (states * weight).sum(1) / weight.sum(1).clamp(min=1)


def mean_in(states: Tensor, mask: Tensor, rows: Tensor) -> Tensor:
    """Compute the mean state of each mention's tokens, for mentions that share texts.

    One matrix product over all mentions and tokens is much faster than copying the texts.

    Args:
        states: States, [texts, tokens, hidden].
        mask: Tokens to keep, [mentions, tokens].
        rows: Index of each mention's text, [mentions].

    Returns:
        Means, [mentions, hidden].
    """
    texts, tokens, _ = states.shape
    weights = states.new_zeros(len(rows), texts, tokens)
    weights[torch.arange(len(rows), device=rows.device), rows] = mask.to(states.dtype)
    sums = weights.flatten(1) @ states.flatten(0, 1)
    return sums / mask.sum(1, keepdim=True).clamp(min=1)


def mean_of_owners(states: Tensor, packed: Packed) -> Tensor:
    """Compute the mean state of each long form.

    Args:
        states: States, [rows, tokens, hidden].
        packed: Batch of long forms.

    Returns:
        Means, float32 [long forms, hidden].
    """
    present = packed.owner >= 0
    owner, flat = packed.owner[present], states[present].float()
    sums = torch.zeros(packed.size, flat.shape[1], device=flat.device).index_add(0, owner, flat)
    return sums / torch.bincount(owner, minlength=packed.size)[:, None]


X86 = ("x86_64", "AMD64")


@cache
def has_native_bf16(device: torch.device) -> bool:
    """Return whether bf16 matrix products are faster than fp32 ones on a device.

    Args:
        device: The device to move to.

    Returns:
        True if the device has native bf16 instructions.
    """
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    if not (torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported()):
        return False
    # torch also reports AVX-512 alone, which emulates the products at a third of fp32's speed.
    instructions = ("_is_amx_tile_supported", "_is_avx512_bf16_supported")
    return platform.machine() not in X86 or any(
        getattr(torch.cpu, name, lambda: True)() for name in instructions
    )


@contextmanager
def inference(module: nn.Module, precision: torch.dtype | None = None) -> Iterator[None]:
    """Disable gradients and dropout in a block, and use bf16 if the device supports it.

    Args:
        module: The network, left in evaluation mode.
        precision: Precision to use, torch.float32 or torch.bfloat16. By default, it depends on the
            device.
    """
    device = next(module.parameters()).device
    dtype = precision or (torch.bfloat16 if has_native_bf16(device) else torch.float32)
    module.eval()
    with (
        torch.inference_mode(),
        torch.autocast(device.type, torch.bfloat16, enabled=dtype == torch.bfloat16),
    ):
        yield
