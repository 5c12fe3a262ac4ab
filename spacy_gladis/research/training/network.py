"""The network of AcroBERT in torch, which is used for training.

It encodes contexts and long forms separately. It computes the same vectors as `encoder` and
`linking` compute in numpy, but with gradients. The network of GLADIS, section 4, which scores one
pair of a context and a long form at a time, is in `next_sentence.py`.
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
    """A network that encodes mentions and long forms as vectors, which are compared by cosine."""

    def __init__(self, config: EncoderConfig) -> None:
        """Create the encoder and the projection of mentions, with untrained weights.

        Args:
            config: Dimensions of the encoder.
        """
        super().__init__()
        hidden = config.hidden_size
        self.bert = Transformer(config)
        self.mention = nn.Linear(hidden, hidden, bias=False)
        self.scale = nn.Parameter(torch.tensor(3.0))
        nn.init.zeros_(self.mention.weight)  # before training, only the context's mean counts

    @classmethod
    def of(cls, weights: Weights) -> "AcroNetwork":
        """Create a network with a copy of AcroBERT's weights.

        Args:
            weights: Weights of AcroBERT.

        Returns:
            The network in evaluation mode, without dropout.
        """
        network = cls(weights.config)
        tensors = {name: torch.from_numpy(array) for name, array in weights.dequantize().items()}
        network.load_state_dict(tensors)
        return network.eval()

    def weights(self) -> Weights:
        """Return a copy of the network's weights in the form that `AcroBERT` uses."""
        tensors = self.state_dict().items()
        arrays = {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors}
        return Weights(self.bert.config, arrays)

    def encode_long_forms(self, packed: "Packed") -> Tensor:
        """Encode a batch of long forms as unit vectors.

        Args:
            packed: Batch of long forms, of which several share a row.

        Returns:
            A unit vector for each long form in the order of their numbers, float32 [long forms,
            hidden].
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
        """Encode mentions in their contexts as unit vectors.

        Several mentions may be in the same text.

        Args:
            ids: Ids of the texts' word pieces, [texts, tokens].
            mask: Whether each token is a word piece rather than padding, bool [texts, tokens].
            mention: Whether each token belongs to the mention, bool [mentions, tokens].
            near: Whether each token is averaged as the context of the mention, bool [mentions,
                tokens]. By default, the whole text is averaged.
            rows: Index of each mention's text, [mentions]. By default, each text has one mention.

        Returns:
            A unit vector for each mention, [mentions, hidden].
        """
        positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        states = self.bert(ids, positions, torch.full_like(ids, FIRST_SEGMENT), mask[:, None, None])
        pooled = self.pool(states, mask if near is None else near, mention, rows)
        return F.normalize(pooled, dim=-1)

    def pool(
        self, states: Tensor, mask: Tensor, mention: Tensor, rows: Tensor | None = None
    ) -> Tensor:
        """Compute the vector of each mention from the encoder's states.

        The vector is the mean state of the context, plus a linear projection of the mean state of
        the mention. It is not yet scaled to length 1.

        Args:
            states: States of the encoder, [texts, tokens, hidden].
            mask: Whether each token belongs to the context, bool [mentions, tokens].
            mention: Whether each token belongs to the mention, bool [mentions, tokens].
            rows: Index of each mention's text, [mentions]. By default, each text has one mention.

        Returns:
            A vector for each mention, float32 [mentions, hidden].
        """
        if rows is None or len(rows) == len(states):  # each text has one mention
            context, mention_mean = mean_of(states, mask), mean_of(states, mention)
        else:
            context, mention_mean = mean_in(states, mask, rows), mean_in(states, mention, rows)
        pooled: Tensor = context + self.mention(mention_mean)
        return pooled.float()


class Packed(NamedTuple):
    """A batch of long forms, of which several share a row (see `encoder/word_pieces.py`).

    Attributes:
        ids: Ids of the word pieces, [rows, tokens].
        owner: Number of the long form that each token belongs to, -1 for padding, [rows, tokens].
        positions: Position of each token in its long form, starting at 0, [rows, tokens].
    """

    ids: Tensor
    owner: Tensor
    positions: Tensor

    @property
    def size(self) -> int:
        """Number of long forms in the batch."""
        return int(self.owner.max()) + 1 if self.owner.numel() else 0

    def to(self, device: torch.device) -> "Packed":
        """Return a copy of the batch on a device.

        Args:
            device: Device that the copy is moved to.
        """
        return Packed(*(part.to(device) for part in self))


def pack(rows: Sequence[Sequence[TokenIds]], pad_id: int) -> Packed:
    """Create a batch of tokenised long forms, of which several share a row.

    Args:
        rows: For each row, the word piece ids of its long forms. Long forms are numbered row by
            row, starting at 0.
        pad_id: Id of the padding token.

    Returns:
        The batch, on the CPU.
    """
    ids, owner = tokens.pack(rows, pad_id)
    return Packed(*map(torch.from_numpy, (ids, owner, count_positions(owner))))


def same_owner(owner: Tensor) -> Tensor:
    """Return an attention mask that lets tokens attend only to tokens of the same long form.

    Padding attends to padding, because the softmax over an empty selection would be NaN.

    Args:
        owner: Number of the long form that each token belongs to, -1 for padding, [rows, tokens].

    Returns:
        True where a token may attend to another token, bool [rows, tokens, tokens].
    """
    return owner[:, :, None] == owner[:, None, :]


def mean_of(states: Tensor, mask: Tensor) -> Tensor:
    """Compute the mean of the states that a mask selects in each row.

    Args:
        states: States of the encoder, [batch, tokens, hidden].
        mask: Whether each token is selected, bool [batch, tokens].

    Returns:
        A mean for each row, [batch, hidden]. It is zero if no token is selected.
    """
    weight = mask.to(states.dtype)[..., None]
    return (states * weight).sum(1) / weight.sum(1).clamp(min=1)


def mean_in(states: Tensor, mask: Tensor, rows: Tensor) -> Tensor:
    """Compute the mean state of each mention's tokens, if several mentions share a text.

    A single matrix product over all mentions and tokens is much faster than a copy of the text for
    each mention.

    Args:
        states: States of the encoder, [texts, tokens, hidden].
        mask: Whether each token is selected, bool [mentions, tokens].
        rows: Index of each mention's text, [mentions].

    Returns:
        A mean for each mention, [mentions, hidden]. It is zero if no token is selected.
    """
    texts, tokens, _ = states.shape
    weights = states.new_zeros(len(rows), texts, tokens)
    weights[torch.arange(len(rows), device=rows.device), rows] = mask.to(states.dtype)
    sums = weights.flatten(1) @ states.flatten(0, 1)
    return sums / mask.sum(1, keepdim=True).clamp(min=1)


def mean_of_owners(states: Tensor, packed: Packed) -> Tensor:
    """Compute the mean state of each long form's tokens, if several long forms share a row.

    Args:
        states: States of the encoder, [rows, tokens, hidden].
        packed: Batch of long forms that was encoded.

    Returns:
        A mean for each long form, float32 [long forms, hidden].
    """
    present = packed.owner >= 0
    owner, flat = packed.owner[present], states[present].float()
    sums = torch.zeros(packed.size, flat.shape[1], device=flat.device).index_add(0, owner, flat)
    return sums / torch.bincount(owner, minlength=packed.size)[:, None]


X86 = ("x86_64", "AMD64")
"""Names of 64-bit x86 processors, as `platform.machine` returns them."""


@cache
def has_native_bf16(device: torch.device) -> bool:
    """Return whether a device has instructions for bf16, which make matrix products faster.

    Args:
        device: The device that will compute the products.

    Returns:
        True if bf16 is native. False if it would be emulated, which is slower than fp32.
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
    """Disable gradients and dropout in a block of code, and use bf16 if it is native to the device.

    Args:
        module: Network to use in the block. It stays in evaluation mode afterwards.
        precision: Precision of matrix products, `torch.float32` or `torch.bfloat16`. None to choose
            it by the device of the network.
    """
    device = next(module.parameters()).device
    dtype = precision or (torch.bfloat16 if has_native_bf16(device) else torch.float32)
    module.eval()
    with (
        torch.inference_mode(),
        torch.autocast(device.type, torch.bfloat16, enabled=dtype == torch.bfloat16),
    ):
        yield
