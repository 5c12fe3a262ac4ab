"""Configuration and interface of encoders, and helpers that all engines share.

MPNet (Song et al. 2020) differs from BERT in three ways. It adds a bias for the distance of two
tokens to the attention scores, its positions start at 2, and it has no segment embeddings. Here its
segment embeddings are zeros until they are trained.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar

import numpy as np
from pydantic import ConfigDict, Field, NonNegativeInt, PositiveInt, TypeAdapter, ValidationError

from ..arrays import Flags, Floats, Ints
from ..errors import FormatError

MASKED_SCORE = -1e4
"""Value that is added to the attention scores of masked tokens. It is finite, because infinite
scores would turn rows that contain only padding into NaN."""

FIRST_SEGMENT = 0
"""BERT segment id of all tokens. Other segments are not needed, because texts are never encoded as
pairs."""

MPNET_FIRST_POSITION = 2
"""Position of a text's first token in MPNet. As in RoBERTa, 0 and 1 are reserved for padding."""

MAX_DISTANCE = 128
"""Distance in tokens above which MPNet uses the same bucket for all distances."""


STRICT = ConfigDict(allow_inf_nan=False, extra="forbid")
"""Pydantic configuration of settings in the package's own files."""

AnySettings = TypeVar("AnySettings")

Share = Annotated[float, Field(ge=0, le=1)]
"""A number from 0 to 1."""


def read_settings(path: Path) -> dict[str, Any]:
    """Read the settings in a JSON file.

    Args:
        path: A file that contains a JSON object.

    Returns:
        The settings by name.

    Raises:
        FormatError: If the file is missing or doesn't contain a JSON object.
    """
    try:
        return dict(json.loads(path.read_text(encoding="utf8")))
    except (OSError, ValueError, TypeError) as error:
        raise FormatError(f"{path} has no JSON object of settings ({error})") from None


def validate_settings(
    settings_type: type[AnySettings], values: Mapping[str, Any], source: str
) -> AnySettings:
    """Create a settings object, and check the types and ranges of its values.

    Args:
        settings_type: The dataclass to instantiate.
        values: A mapping from the names of the dataclass's fields to their values.
        source: Name of the file that the values come from, used in the error message.

    Returns:
        An instance of the dataclass.

    Raises:
        FormatError: If a value is missing or invalid.
    """
    try:
        return TypeAdapter(settings_type).validate_python(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise FormatError(f"{source}: {name}: {first['msg']}") from None


class Encoder(Protocol):
    """Interface of the engines that run an encoder.

    Attributes:
        device: Device that the engine runs on, as PyTorch names it.
        tokens_per_pass: Recommended number of tokens in one call of `encode`, padding included.
            Larger batches need more memory but are no faster.
    """

    device: str
    tokens_per_pass: int

    def encode(self, token_ids: Ints, mask: Flags, segments: Ints) -> Floats:
        """Encode a batch of tokens.

        A row may contain several texts, one after the other. A token attends only to tokens of its
        own text, and positions are counted from the start of each text.

        Args:
            token_ids: Vocabulary ids, shape (rows, tokens).
            mask: False for padding, shape (rows, tokens).
            segments: Number of the text that each token belongs to, shape (rows, tokens). These
                are not BERT's segments.

        Returns:
            The states of the last layer, float32 of shape (rows, tokens, hidden size).
        """


@dataclass(frozen=True)
class EncoderConfig:
    """Sizes of an encoder, under the names of transformers' `config.json`.

    Attributes:
        vocab_size: Number of word pieces in the vocabulary.
        hidden_size: Width of the token states.
        num_hidden_layers: Number of transformer layers.
        num_attention_heads: Number of attention heads in each layer.
        intermediate_size: Width of the feed-forward layers.
        max_position_embeddings: Number of position embeddings.
        type_vocab_size: Number of segment embeddings.
        layer_norm_eps: Constant added to the variance in layer normalization.
        hidden_dropout_prob: Dropout probability during training (0 to 1).
        relative_attention_num_buckets: Number of buckets for MPNet's distances. 0 for BERT.
    """

    vocab_size: NonNegativeInt
    hidden_size: PositiveInt
    num_hidden_layers: NonNegativeInt
    num_attention_heads: PositiveInt
    intermediate_size: NonNegativeInt
    max_position_embeddings: NonNegativeInt = 512
    type_vocab_size: NonNegativeInt = 2
    layer_norm_eps: Share = 1e-12
    hidden_dropout_prob: Share = 0.1
    relative_attention_num_buckets: NonNegativeInt = 0

    @property
    def model_type(self) -> str:
        """Architecture, as `config.json` names it: ``"bert"`` or ``"mpnet"``."""
        return "mpnet" if self.relative_attention_num_buckets else "bert"

    @property
    def first_position(self) -> int:
        """Index of the position embedding of a text's first token."""
        return MPNET_FIRST_POSITION if self.model_type == "mpnet" else 0

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any], source: str = "config.json") -> "EncoderConfig":
        """Create a configuration from the content of a checkpoint's `config.json`.

        Args:
            settings: The settings by name. Settings that the encoder doesn't use are ignored.
            source: Name of the file, for error messages.

        Returns:
            The configuration.

        Raises:
            FormatError: If the checkpoint is neither BERT nor MPNet, or a size is missing or
                invalid.
        """
        model_type = settings.get("model_type", "bert")
        if model_type not in ("bert", "mpnet"):
            raise FormatError(
                f"{source}: model_type is '{model_type}', but only 'bert' and 'mpnet' encoders can "
                "be loaded. Use a BERT or MPNet checkpoint, such as bert-base-uncased, SciBERT, "
                "BioBERT or all-mpnet-base-v2."
            )
        if settings.get("hidden_act", "gelu") != "gelu":
            raise FormatError(
                f"{source}: hidden_act must be 'gelu', got {settings['hidden_act']!r}"
            )
        defaults = {"relative_attention_num_buckets": 32} if model_type == "mpnet" else {}
        config = validate_settings(cls, {**defaults, **settings}, source)
        if config.hidden_size % config.num_attention_heads:
            raise FormatError(
                f"{source}: hidden_size ({config.hidden_size}) must be a multiple of "
                f"num_attention_heads ({config.num_attention_heads})"
            )
        return config

    @classmethod
    def from_file(cls, path: Path) -> "EncoderConfig":
        """Read a checkpoint's `config.json`.

        Args:
            path: The file to read.

        Returns:
            The configuration.

        Raises:
            FormatError: If the file is missing or is not the configuration of a BERT or MPNet.
        """
        return cls.from_dict(read_settings(path), str(path))

    def to_dict(self) -> dict[str, Any]:
        """Return the settings in the format of transformers' `config.json`."""
        return {"model_type": self.model_type, "hidden_act": "gelu", **asdict(self)}


def count_positions(segments: Ints) -> Ints:
    """Compute the position of each token in its text.

    Args:
        segments: Number of the text that each token belongs to, shape (rows, tokens).

    Returns:
        Positions, counted from 0, shape (rows, tokens).
    """
    columns = np.arange(segments.shape[1])
    is_first = np.ones(segments.shape, dtype=bool)
    is_first[:, 1:] = segments[:, 1:] != segments[:, :-1]
    positions: Ints = columns - np.maximum.accumulate(np.where(is_first, columns, 0), axis=1)
    return positions


def attention_mask(mask: Flags, segments: Ints) -> Flags:
    """Compute for each pair of tokens whether the first attends to the second.

    Args:
        mask: False for padding, shape (rows, tokens).
        segments: Number of the text that each token belongs to, shape (rows, tokens).

    Returns:
        True where the token of the second axis attends to the token of the third axis, shape
        (rows, tokens, tokens).
    """
    is_same_text: Flags = segments[:, :, None] == segments[:, None, :]
    return is_same_text & mask[:, None, :]


def distance_buckets(distances: Ints, count: int) -> Ints:
    """Sort distances between tokens into MPNet's buckets.

    One half of the buckets is for tokens to the left, the other for tokens to the right. In each
    half, the first buckets contain a single distance each. The ranges of the following buckets grow
    logarithmically up to `MAX_DISTANCE`.

    Args:
        distances: Distances in tokens, any shape. Negative for tokens to the left.
        count: Number of buckets.

    Returns:
        Bucket of each distance (0 to `count` - 1), in the shape of `distances`.
    """
    half = count // 2
    exact = half // 2
    size = np.abs(distances)
    scaled = np.log(np.maximum(size, 1) / exact) / math.log(MAX_DISTANCE / exact) * (half - exact)
    far = np.minimum(exact + scaled.astype(np.int64), half - 1)
    buckets: Ints = np.where(size < exact, size, far) + half * (distances > 0)
    return buckets
