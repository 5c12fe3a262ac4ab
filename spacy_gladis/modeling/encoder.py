"""A BERT or MPNet encoder whose tokens may see any stated part of the sequence.

Parameters carry the names of the `transformers` library, so every BERT checkpoint loads as it is.
MPNet (Song et al. 2020) is a BERT with a bias by distance, positions that begin at 2 and no
segments, whose vectors are zeros here until they are trained. The forward pass is our own for two
reasons: it takes a mask per pair of tokens (long forms in one row do not see each other), and it
needs no import of `transformers`, which alone takes longer than resolving a page of text.
"""

import json
import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ..errors import FormatError

HIDDEN = -1e4
"""Added to the attention score of a token that may not be seen; finite, so that a row of padding
that sees nothing stays a number."""

MPNET_FIRST_POSITION = 2
"""Of a sequence's first token: 0 and 1 are kept for padding, as in RoBERTa."""

FARTHEST = 128
"""Tokens from which on MPNet counts all distances as one."""


@dataclass(frozen=True)
class EncoderConfig:
    """The sizes of an encoder, under the names of `config.json`.

    relative_attention_num_buckets: of MPNet's distances; 0: a BERT, which has none.
    """

    vocab_size: int
    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    intermediate_size: int
    max_position_embeddings: int = 512
    type_vocab_size: int = 2
    layer_norm_eps: float = 1e-12
    hidden_dropout_prob: float = 0.1
    relative_attention_num_buckets: int = 0

    @property
    def model_type(self) -> str:
        """The architecture, as `config.json` names it."""
        return "mpnet" if self.relative_attention_num_buckets else "bert"

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any], source: str = "config.json") -> "EncoderConfig":
        """Read the sizes from a checkpoint's `config.json`.

        Raises FormatError when the checkpoint is of neither family or a size is missing.
        """
        kind = settings.get("model_type", "bert")
        if kind not in ("bert", "mpnet"):
            raise FormatError(
                f"{source}: model_type is '{kind}', but only 'bert' and 'mpnet' encoders can be "
                "loaded. Choose a BERT or MPNet checkpoint, such as bert-base-uncased, SciBERT, "
                "BioBERT or all-mpnet-base-v2."
            )
        if settings.get("hidden_act", "gelu") != "gelu":
            raise FormatError(
                f"{source}: hidden_act must be 'gelu', got {settings['hidden_act']!r}"
            )
        known = {name: settings[name] for name in cls.__dataclass_fields__ if name in settings}
        if kind == "mpnet":
            known.setdefault("relative_attention_num_buckets", 32)
        try:
            return cls(**known)
        except TypeError as error:
            raise FormatError(f"{source}: not the settings of an encoder ({error})") from None

    @classmethod
    def from_file(cls, path: Path) -> "EncoderConfig":
        """Read `config.json`; raises FormatError when it is absent or no JSON object."""
        try:
            settings = json.loads(path.read_text(encoding="utf8"))
        except (OSError, ValueError) as error:
            raise FormatError(f"{path}: cannot read the encoder's settings ({error})") from None
        if not isinstance(settings, Mapping):
            raise FormatError(f"{path}: expected a JSON object of the encoder's settings")
        return cls.from_dict(settings, str(path))

    def to_dict(self) -> dict[str, Any]:
        """The settings as `config.json` holds them."""
        return {"model_type": self.model_type, "hidden_act": "gelu", **asdict(self)}


class Embeddings(nn.Module):
    """Sum of word, position and segment vectors, normalised."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.first = MPNET_FIRST_POSITION if config.model_type == "mpnet" else 0

    def forward(self, ids: Tensor, positions: Tensor, segments: Tensor) -> Tensor:
        summed = (
            self.word_embeddings(ids)
            + self.position_embeddings(positions + self.first)
            + self.token_type_embeddings(segments)
        )
        return self.dropout(self.LayerNorm(summed))  # type: ignore[no-any-return]


class SelfAttention(nn.Module):
    """Multi-head attention under a mask of token pairs."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = config.hidden_dropout_prob

    def forward(self, states: Tensor, bias: Tensor) -> Tensor:
        query, key, value = (
            project(states).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for project in (self.query, self.key, self.value)
        )
        dropout = self.dropout if self.training else 0.0
        if states.is_cuda:
            mixed = F.scaled_dot_product_attention(query, key, value, bias.to(query.dtype), dropout)
        else:
            mixed = attention_on_cpu(query, key, value, bias, dropout)
        return mixed.transpose(1, 2).flatten(2)


def attention_on_cpu(
    query: Tensor, key: Tensor, value: Tensor, bias: Tensor, dropout: float
) -> Tensor:
    """Scaled dot-product attention in plain products, all in the type of `query`.

    For the short sequences here torch's fused kernel takes 1.6 times as long forward and 5 times
    backward in bf16; under autocast the softmax alone would go back to fp32 and double the time.
    """
    with torch.autocast("cpu", enabled=False):
        scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)
        weights = torch.softmax(scores + bias.to(scores.dtype), -1)
        return F.dropout(weights, dropout) @ value if dropout else weights @ value


class Output(nn.Module):
    """Projection, residual, normalisation."""

    def __init__(self, config: EncoderConfig, width: int) -> None:
        super().__init__()
        self.dense = nn.Linear(width, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, states: Tensor, residual: Tensor) -> Tensor:
        return self.LayerNorm(self.dropout(self.dense(states)) + residual)  # type: ignore[no-any-return]


class Layer(nn.Module):
    """One transformer block, with the parameter names of `transformers`' BertLayer."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.attention = nn.ModuleDict(
            {"self": SelfAttention(config), "output": Output(config, config.hidden_size)}
        )
        self.intermediate = nn.ModuleDict(
            {"dense": nn.Linear(config.hidden_size, config.intermediate_size)}
        )
        self.output = Output(config, config.intermediate_size)

    def forward(self, states: Tensor, bias: Tensor) -> Tensor:
        states = self.attention["output"](self.attention["self"](states, bias), states)
        return self.output(F.gelu(self.intermediate["dense"](states)), states)  # type: ignore[no-any-return]


class DistanceBias(nn.Embedding):
    """MPNet's number for each distance and head, which every layer adds to its attention scores.

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


class Encoder(nn.Module):
    """BERT or MPNet without its pooler: token ids in, one vector a token out."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(config)
        self.encoder = nn.ModuleDict(
            {"layer": nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))}
        )
        if buckets := config.relative_attention_num_buckets:
            distances = DistanceBias(buckets, config.num_attention_heads)
            self.encoder["relative_attention_bias"] = distances

    def forward(self, ids: Tensor, positions: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """Encode a batch of sequences.

        ids, positions, segments: integers [batch, tokens].
        mask: booleans that broadcast to [batch, heads, tokens, tokens]; True where the token of
            the row may see the token of the column.
        Returns [batch, tokens, hidden].
        """
        return deque(self.layers(ids, positions, segments, mask), maxlen=1).pop()

    def layers(
        self, ids: Tensor, positions: Tensor, segments: Tensor, mask: Tensor
    ) -> Iterator[Tensor]:
        """What each layer makes of a batch, from the first to the last, see `forward`."""
        states: Tensor = self.embeddings(ids, positions, segments)
        bias = torch.zeros(mask.shape, dtype=states.dtype, device=mask.device)
        bias.masked_fill_(~mask, HIDDEN)
        if "relative_attention_bias" in self.encoder:
            bias = bias + self.encoder["relative_attention_bias"](positions).to(bias.dtype)
        layers: Iterable[nn.Module] = self.encoder["layer"]  # type: ignore[assignment]
        for layer in layers:
            states = layer(states, bias)
            yield states
