"""AcroBERT's network where it is trained: an encoder of contexts and long forms, apart.

It is what `encoder` and `linking` compute in numpy, with gradients. GLADIS, section 4, scores one
pair at a time with BERT's next-sentence head: that network is in `next_sentence.py`.
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
    """Scores how well long forms fit a mention's context.

    config: sizes of the encoder.
    """

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        hidden = config.hidden_size
        self.bert = Transformer(config)
        self.mention = nn.Linear(hidden, hidden, bias=False)
        self.scale = nn.Parameter(torch.tensor(3.0))
        nn.init.zeros_(self.mention.weight)  # untrained, a context's vector is its mean

    @classmethod
    def of(cls, weights: Weights) -> "AcroNetwork":
        """The network with these weights, which are copied."""
        network = cls(weights.config)
        tensors = {name: torch.from_numpy(array) for name, array in weights.dequantize().items()}
        network.load_state_dict(tensors)
        return network.eval()

    def weights(self) -> Weights:
        """A copy of the weights, for `AcroBERT`."""
        tensors = self.state_dict().items()
        arrays = {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors}
        return Weights(self.bert.config, arrays)

    def encode_long_forms(self, packed: "Packed") -> Tensor:
        """Unit vectors [long forms, hidden], in the order in which they were packed."""
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
        """Encode the contexts of mentions.

        ids, mask: [texts, tokens]. mention: booleans [mentions, tokens], True on a mention's
        tokens. near: those that its context's mean is of, None for all. rows: the text of each
        mention [mentions], None where each has its own.
        Returns unit vectors [mentions, hidden].
        """
        positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        states = self.bert(ids, positions, torch.full_like(ids, FIRST_SEGMENT), mask[:, None, None])
        pooled = self.pool(states, mask if near is None else near, mention, rows)
        return F.normalize(pooled, dim=-1)

    def pool(
        self, states: Tensor, mask: Tensor, mention: Tensor, rows: Tensor | None = None
    ) -> Tensor:
        """Mean of the context plus a learnt view of the mention's own tokens, [mentions, hidden].

        rows: as in `forward`.
        """
        if rows is None or len(rows) == len(states):  # each text has one mention
            context, own = mean_of(states, mask), mean_of(states, mention)
        else:
            context, own = mean_in(states, mask, rows), mean_in(states, mention, rows)
        pooled: Tensor = context + self.mention(own)
        return pooled.float()


class Packed(NamedTuple):
    """Long forms one after another in rows (`encoder/word_pieces.py`), as tensors [rows, tokens].

    positions: of each token in its long form, from 0.
    """

    ids: Tensor
    owner: Tensor
    positions: Tensor

    @property
    def size(self) -> int:
        """How many long forms there are."""
        return int(self.owner.max()) + 1 if self.owner.numel() else 0

    def to(self, device: torch.device) -> "Packed":
        """The same on a device."""
        return Packed(*(part.to(device) for part in self))


def pack(rows: Sequence[Sequence[TokenIds]], pad_id: int) -> Packed:
    """Pack the long forms (word pieces) of each row; long forms are numbered through the rows."""
    ids, owner = tokens.pack(rows, pad_id)
    return Packed(*map(torch.from_numpy, (ids, owner, count_positions(owner))))


def same_owner(owner: Tensor) -> Tensor:
    """Booleans [rows, tokens, tokens]: whether two tokens are of one long form.

    Padding sees itself, because a softmax over nothing is NaN.
    """
    return owner[:, :, None] == owner[:, None, :]


def mean_of(states: Tensor, mask: Tensor) -> Tensor:
    """Mean over the tokens that `mask` [batch, tokens] keeps; zero where it keeps none."""
    weight = mask.to(states.dtype)[..., None]
    return (states * weight).sum(1) / weight.sum(1).clamp(min=1)


def mean_in(states: Tensor, mask: Tensor, rows: Tensor) -> Tensor:
    """Mean over the tokens of its text that `mask` [mentions, tokens] keeps, [mentions, hidden].

    states: [texts, tokens, hidden]. rows: the text of each mention. One product of all mentions and
    all tokens takes a fraction of the time of copying each mention its text.
    """
    texts, tokens, _ = states.shape
    weights = states.new_zeros(len(rows), texts, tokens)
    weights[torch.arange(len(rows), device=rows.device), rows] = mask.to(states.dtype)
    sums = weights.flatten(1) @ states.flatten(0, 1)
    return sums / mask.sum(1, keepdim=True).clamp(min=1)


def mean_of_owners(states: Tensor, packed: Packed) -> Tensor:
    """Mean over each long form's tokens, [long forms, hidden]; states: [rows, tokens, hidden]."""
    there = packed.owner >= 0
    owner, flat = packed.owner[there], states[there].float()
    sums = torch.zeros(packed.size, flat.shape[1], device=flat.device).index_add(0, owner, flat)
    return sums / torch.bincount(owner, minlength=packed.size)[:, None]


X86 = ("x86_64", "AMD64")


@cache
def has_native_bf16(device: torch.device) -> bool:
    """Whether bf16 matrix products are faster than fp32 ones on this device."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    if not (torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported()):
        return False
    # That is also true of AVX-512 alone, where the products are emulated: a third of fp32's speed.
    instructions = ("_is_amx_tile_supported", "_is_avx512_bf16_supported")
    return platform.machine() not in X86 or any(
        getattr(torch.cpu, name, lambda: True)() for name in instructions
    )


@contextmanager
def inference(module: nn.Module, precision: torch.dtype | None = None) -> Iterator[None]:
    """No gradients, no dropout, and bf16 products where the processor has them.

    precision: torch.float32 or torch.bfloat16 to have it so anywhere.
    """
    device = next(module.parameters()).device
    wanted = precision or (torch.bfloat16 if has_native_bf16(device) else torch.float32)
    module.eval()
    with (
        torch.inference_mode(),
        torch.autocast(device.type, torch.bfloat16, enabled=wanted == torch.bfloat16),
    ):
        yield
