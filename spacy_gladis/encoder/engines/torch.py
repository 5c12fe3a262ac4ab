"""The encoder by torch: on a GPU, and wherever it is trained.

The forward pass is our own: it takes a mask of token pairs (long forms in one row do not see each
other), and needs no import of `transformers`. Parameters carry that library's names.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ...arrays import Flags, Floats, Ints
from ..encoder import ALONE, HIDDEN, EncoderConfig, buckets, places, visible
from ..weights import Weights


class TorchEncoder:
    """An encoder on any device that torch has, in 32 bits; see `Encoder`."""

    def __init__(self, weights: Weights, device: str) -> None:
        self.device = device
        self.tokens_per_pass = tokens_per_pass(torch.device(device))
        self.network = Transformer(weights.config)
        own = self.network.state_dict()
        self.network.load_state_dict({name: tensor(weights[f"bert.{name}"]) for name in own})
        self.network.to(device).eval()

    def encode(self, token_ids: Ints, mask: Flags, segments: Ints) -> Floats:
        """See `Encoder.encode`."""
        arrays = (token_ids, places(segments), visible(mask, segments)[:, None])
        ids, at, seen = (tensor(array).to(self.device) for array in arrays)
        with torch.inference_mode():
            states: Tensor = self.network(ids, at, torch.full_like(ids, ALONE), seen)
        found: Floats = states.cpu().numpy()
        return found


def tokens_per_pass(device: torch.device) -> int:
    """Padded tokens in one pass: past this a batch gains no speed and only takes memory."""
    return 2048 if device.type == "cpu" else 16_384


def tensor(array: np.ndarray[Any, Any]) -> Tensor:
    """A numpy array as a tensor of its own memory."""
    return torch.from_numpy(np.ascontiguousarray(array))


class Embeddings(nn.Module):
    """Sum of word, position and segment vectors, normalised."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.first = config.first_position

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
    """MPNet's number for each distance and head, which every layer adds to its attention scores."""

    of_distance: Tensor

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__(config.relative_attention_num_buckets, config.num_attention_heads)
        self.longest = config.max_position_embeddings
        apart = np.arange(-self.longest, self.longest + 1)
        found = torch.from_numpy(buckets(apart, config.relative_attention_num_buckets))
        self.register_buffer("of_distance", found, persistent=False)

    def forward(self, positions: Tensor) -> Tensor:
        """The bias [batch or 1, heads, tokens, tokens]; positions: integers [batch, tokens]."""
        if not positions.stride(0):
            positions = positions[:1]  # one row for all
        apart = positions[:, None, :] - positions[:, :, None]
        found = super().forward(self.of_distance[apart + self.longest])
        return found.permute(0, 3, 1, 2)


class Transformer(nn.Module):
    """BERT or MPNet without its pooler: token ids in, one vector a token out."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(config)
        self.encoder = nn.ModuleDict(
            {"layer": nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))}
        )
        if config.relative_attention_num_buckets:
            self.encoder["relative_attention_bias"] = DistanceBias(config)

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
