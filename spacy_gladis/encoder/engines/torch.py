"""The engine that runs an encoder with PyTorch, for GPUs and for training.

The parameters have the same names as in the BertModel of transformers, but that library is not
needed. Unlike BertModel, this encoder takes a mask for each pair of tokens, so that long forms in
the same row don't attend to each other.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ...arrays import Flags, Floats, Ints
from ..encoder import (
    FIRST_SEGMENT,
    MASKED_SCORE,
    EncoderConfig,
    attention_mask,
    count_positions,
    distance_buckets,
)
from ..weights import Weights


class TorchEncoder:
    """An engine that runs an encoder with PyTorch, on any of its devices and in float32.

    It implements the protocol `Encoder`.

    Attributes:
        device: Device that the encoder runs on, such as ``"cuda"``.
        tokens_per_pass: Recommended number of tokens in one call of `encode`, including padding.
        network: PyTorch module of the encoder, in evaluation mode.
    """

    def __init__(self, weights: Weights, device: str) -> None:
        """Create an encoder, and move its weights to a device.

        Args:
            weights: Weights of the model.
            device: Device to run on, as PyTorch names it, such as ``"cuda"`` or ``"mps"``.
        """
        self.device = device
        self.tokens_per_pass = tokens_per_pass(torch.device(device))
        self.network = Transformer(weights.config)
        names = self.network.state_dict()
        self.network.load_state_dict({name: to_tensor(weights[f"bert.{name}"]) for name in names})
        self.network.to(device).eval()

    def encode(self, token_ids: Ints, mask: Flags, segments: Ints) -> Floats:
        """Compute the hidden states of a batch of tokens, as `Encoder.encode` describes.

        Args:
            token_ids: Vocabulary ids of the tokens, shape (rows, tokens).
            mask: True for tokens and False for padding, shape (rows, tokens).
            segments: Number of the text that each token belongs to, shape (rows, tokens).

        Returns:
            The states of the last layer, float32 of shape (rows, tokens, hidden size).
        """
        arrays = (token_ids, count_positions(segments), attention_mask(mask, segments)[:, None])
        ids, positions, pair_mask = (to_tensor(array).to(self.device) for array in arrays)
        with torch.inference_mode():
            output: Tensor = self.network(
                ids, positions, torch.full_like(ids, FIRST_SEGMENT), pair_mask
            )
        states: Floats = output.cpu().numpy()
        return states


def tokens_per_pass(device: torch.device) -> int:
    """Return the recommended number of tokens in a batch for an encoder on a device.

    Larger batches need more memory but are no faster.

    Args:
        device: Device that runs the encoder.

    Returns:
        The number of tokens, including padding.
    """
    return 2048 if device.type == "cpu" else 16_384


def to_tensor(array: np.ndarray[Any, Any]) -> Tensor:
    """Convert a numpy array to a PyTorch tensor on the CPU.

    The tensor shares the memory of the array if the array is contiguous. Otherwise the array is
    copied.

    Args:
        array: An array of any shape.

    Returns:
        The tensor, in the shape and type of `array`.
    """
    return torch.from_numpy(np.ascontiguousarray(array))


class Embeddings(nn.Module):
    """A layer that adds the word, position and segment embeddings of tokens and normalizes them."""

    def __init__(self, config: EncoderConfig) -> None:
        """Create the tables of embeddings with random values.

        Args:
            config: Sizes of the encoder.
        """
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.first = config.first_position

    def forward(self, ids: Tensor, positions: Tensor, segments: Tensor) -> Tensor:
        """Compute the embeddings of tokens, as the input of the first transformer layer.

        Args:
            ids: Vocabulary ids, shape (batch, tokens).
            positions: Position of each token in its text, counted from 0, shape (batch, tokens).
            segments: Ids of BERT's segments, shape (batch, tokens).

        Returns:
            Embeddings, shape (batch, tokens, hidden size).
        """
        summed = (
            self.word_embeddings(ids)
            + self.position_embeddings(positions + self.first)
            + self.token_type_embeddings(segments)
        )
        return self.dropout(self.LayerNorm(summed))  # type: ignore[no-any-return]


class SelfAttention(nn.Module):
    """Multi-head self-attention, without the projection of its output."""

    def __init__(self, config: EncoderConfig) -> None:
        """Create the projections of tokens to queries, keys and values.

        Args:
            config: Sizes of the encoder.
        """
        super().__init__()
        self.heads = config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = config.hidden_dropout_prob

    def forward(self, states: Tensor, bias: Tensor) -> Tensor:
        """Let each token attend to the other tokens of its row.

        Args:
            states: States of the tokens, shape (batch, tokens, hidden size).
            bias: Values that are added to the attention scores, such as `MASKED_SCORE` for pairs of
                tokens that must not attend to each other. Broadcastable to (batch, heads, tokens,
                tokens).

        Returns:
            For each token, the weighted sum of the values of the tokens that it attends to, shape
            (batch, tokens, hidden size).
        """
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
    """Compute scaled dot-product attention on a CPU, with matrix products and no fused kernel.

    For short sequences on a CPU, this is faster than PyTorch's fused kernel. In bfloat16, the
    kernel takes 1.6 times as long for the forward pass and 5 times as long for the backward pass.
    Autocast is turned off because it would compute the softmax in float32, which doubles the time.

    Args:
        query: Queries, shape (batch, heads, tokens, head size).
        key: Keys, in the shape of `query`.
        value: Values, in the shape of `query`.
        bias: Values that are added to the attention scores, broadcastable to (batch, heads, tokens,
            tokens).
        dropout: Dropout probability of the attention weights, from 0 to 1.

    Returns:
        Weighted sums of the values, in the shape and type of `query`.
    """
    with torch.autocast("cpu", enabled=False):
        scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)
        weights = torch.softmax(scores + bias.to(scores.dtype), -1)
        return F.dropout(weights, dropout) @ value if dropout else weights @ value


class Output(nn.Module):
    """A linear projection, followed by dropout, residual connection and layer normalization."""

    def __init__(self, config: EncoderConfig, width: int) -> None:
        """Create the projection and the layer normalization.

        Args:
            config: Sizes of the encoder.
            width: Number of dimensions of the input states.
        """
        super().__init__()
        self.dense = nn.Linear(width, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, states: Tensor, residual: Tensor) -> Tensor:
        """Project states to the hidden size, add the residual connection and normalize the sum.

        Args:
            states: States to project, shape (batch, tokens, width).
            residual: States that are added to the projection, shape (batch, tokens, hidden size).

        Returns:
            Normalized states, shape (batch, tokens, hidden size).
        """
        return self.LayerNorm(self.dropout(self.dense(states)) + residual)  # type: ignore[no-any-return]


class Layer(nn.Module):
    """A transformer layer: self-attention, followed by a feed-forward network.

    Its parameters have the names of transformers' BertLayer.
    """

    def __init__(self, config: EncoderConfig) -> None:
        """Create the self-attention and the feed-forward network with random values.

        Args:
            config: Sizes of the encoder.
        """
        super().__init__()
        self.attention = nn.ModuleDict(
            {"self": SelfAttention(config), "output": Output(config, config.hidden_size)}
        )
        self.intermediate = nn.ModuleDict(
            {"dense": nn.Linear(config.hidden_size, config.intermediate_size)}
        )
        self.output = Output(config, config.intermediate_size)

    def forward(self, states: Tensor, bias: Tensor) -> Tensor:
        """Compute new token states with self-attention and the feed-forward network.

        Args:
            states: States of the tokens, shape (batch, tokens, hidden size).
            bias: Values that are added to the attention scores, broadcastable to (batch, heads,
                tokens, tokens).

        Returns:
            New states, in the shape of `states`.
        """
        states = self.attention["output"](self.attention["self"](states, bias), states)
        return self.output(F.gelu(self.intermediate["dense"](states)), states)  # type: ignore[no-any-return]


class DistanceBias(nn.Embedding):
    """MPNet's attention bias, which depends on the distance of two tokens. All layers share it.

    Attributes:
        bucket_of_distance: Bucket of each distance, from minus to plus the maximum number of
            positions.
    """

    bucket_of_distance: Tensor

    def __init__(self, config: EncoderConfig) -> None:
        """Create the table with a bias for each bucket and attention head.

        Args:
            config: Sizes of the encoder.
        """
        super().__init__(config.relative_attention_num_buckets, config.num_attention_heads)
        self.longest = config.max_position_embeddings
        distances = np.arange(-self.longest, self.longest + 1)
        buckets = distance_buckets(distances, config.relative_attention_num_buckets)
        self.register_buffer("bucket_of_distance", torch.from_numpy(buckets), persistent=False)

    def forward(self, positions: Tensor) -> Tensor:
        """Compute the attention bias of each pair of tokens from the distance of their positions.

        Args:
            positions: Position of each token in its text, shape (batch, tokens).

        Returns:
            The bias, shape (batch, heads, tokens, tokens). If all rows of `positions` are views of
            the same row, the result is computed once and its first dimension has size 1.
        """
        if not positions.stride(0):
            positions = positions[:1]
        distances = positions[:, None, :] - positions[:, :, None]
        bias = super().forward(self.bucket_of_distance[distances + self.longest])
        return bias.permute(0, 3, 1, 2)


class Transformer(nn.Module):
    """A BERT or MPNet encoder as a PyTorch module, without its pooler.

    Attributes:
        config: Sizes of the encoder.
        embeddings: The layer that computes the embeddings of tokens.
        encoder: The transformer layers, and MPNet's attention bias if the encoder has one.
    """

    def __init__(self, config: EncoderConfig) -> None:
        """Create the embeddings and the layers with random values.

        Args:
            config: Sizes of the encoder.
        """
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(config)
        self.encoder = nn.ModuleDict(
            {"layer": nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))}
        )
        if config.relative_attention_num_buckets:
            self.encoder["relative_attention_bias"] = DistanceBias(config)

    def forward(self, ids: Tensor, positions: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """Compute the hidden states of a batch of tokens.

        Args:
            ids: Vocabulary ids, shape (batch, tokens).
            positions: Position of each token in its text, counted from 0, shape (batch, tokens).
            segments: Ids of BERT's segments, shape (batch, tokens).
            mask: Booleans, broadcastable to (batch, heads, tokens, tokens). An element is True if
                the token of the third axis attends to the token of the fourth axis.

        Returns:
            The states of the last layer, shape (batch, tokens, hidden size).
        """
        return deque(self.layers(ids, positions, segments, mask), maxlen=1).pop()

    def layers(
        self, ids: Tensor, positions: Tensor, segments: Tensor, mask: Tensor
    ) -> Iterator[Tensor]:
        """Compute the hidden states of a batch of tokens, layer by layer.

        Use it instead of calling the module to get the states of all layers, not only of the last
        one.

        Args:
            ids: Vocabulary ids, shape (batch, tokens).
            positions: Position of each token in its text, counted from 0, shape (batch, tokens).
            segments: Ids of BERT's segments, shape (batch, tokens).
            mask: Booleans, broadcastable to (batch, heads, tokens, tokens). An element is True if
                the token of the third axis attends to the token of the fourth axis.

        Yields:
            The states of each layer, from the first to the last, shape (batch, tokens, hidden
            size).
        """
        states: Tensor = self.embeddings(ids, positions, segments)
        bias = torch.zeros(mask.shape, dtype=states.dtype, device=mask.device)
        bias.masked_fill_(~mask, MASKED_SCORE)
        if "relative_attention_bias" in self.encoder:
            bias = bias + self.encoder["relative_attention_bias"](positions).to(bias.dtype)
        layers: Iterable[nn.Module] = self.encoder["layer"]  # type: ignore[assignment]
        for layer in layers:
            states = layer(states, bias)
            yield states
