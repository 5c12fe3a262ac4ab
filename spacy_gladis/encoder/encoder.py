"""Configuration and interface of encoders, and functions that all inference engines use.

MPNet (Song et al. 2020) differs from BERT in three ways. It adds a bias for the distance of two
tokens to the attention scores. Its positions start at 2. It has no segment embeddings, so this
package gives it embeddings of zeros.
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
"""Id of the BERT segment of all tokens. Other segments are not needed, because texts are never
encoded as pairs."""

MPNET_FIRST_POSITION = 2
"""Position of the first token of a text in MPNet. As in RoBERTa, the positions 0 and 1 are reserved
for padding."""

MAX_DISTANCE = 128
"""Distance in tokens from which on MPNet treats all distances as equal."""


STRICT = ConfigDict(allow_inf_nan=False, extra="forbid")
"""Pydantic configuration that rejects unknown settings and infinite numbers. It is used for the
package's own files."""

AnySettings = TypeVar("AnySettings")

Share = Annotated[float, Field(ge=0, le=1)]
"""A number from 0 to 1."""


def read_settings(path: Path) -> dict[str, Any]:
    """Read the settings of a model or checkpoint from a JSON file.

    Args:
        path: Path of a file that contains a JSON object.

    Returns:
        A mapping from the names of the settings to their values.

    Raises:
        FormatError: If the file is missing or doesn't contain a JSON object.
    """
    try:
        return dict(json.loads(path.read_text(encoding="utf8")))
    except (OSError, ValueError, TypeError) as error:
        raise FormatError(
            f"{path} does not contain a JSON object with settings ({error}). Use the config.json "
            "of a checkpoint."
        ) from None


def validate_settings(
    settings_type: type[AnySettings], values: Mapping[str, Any], source: str
) -> AnySettings:
    """Create a settings object from values, after checking their types and ranges.

    Args:
        settings_type: Dataclass of the settings, whose annotations give the types and ranges.
        values: A mapping from the names of the dataclass's fields to their values.
        source: Name of the file that the values come from, used in error messages.

    Returns:
        An instance of the dataclass.

    Raises:
        FormatError: If a value is missing or invalid. The message names the first such setting.
    """
    try:
        return TypeAdapter(settings_type).validate_python(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise FormatError(
            f"{source}: the setting {name!r} is invalid: {first['msg']}. Use the config.json that "
            "was saved with the weights."
        ) from None


class Encoder(Protocol):
    """Protocol for the engines that run a BERT or MPNet encoder, such as ONNX Runtime and PyTorch.

    Attributes:
        device: Device that the engine runs on, as PyTorch names it, such as ``"cpu"`` or
            ``"cuda"``.
        tokens_per_pass: Recommended number of tokens in one call of `encode`, including padding.
            Larger batches need more memory but are no faster.
    """

    device: str
    tokens_per_pass: int

    def encode(self, token_ids: Ints, mask: Flags, segments: Ints) -> Floats:
        """Compute the hidden states of a batch of tokens.

        To save padding, a row may contain several short texts, one after the other. A token attends
        only to the tokens of its own text, and positions are counted from the start of each text.

        Args:
            token_ids: Vocabulary ids of the tokens, shape (rows, tokens).
            mask: True for tokens and False for padding, shape (rows, tokens).
            segments: Number of the text that each token belongs to, shape (rows, tokens). The texts
                in a row must have different numbers. These numbers are not BERT's segment ids.

        Returns:
            The states of the last layer, float32 of shape (rows, tokens, hidden size).
        """


@dataclass(frozen=True)
class EncoderConfig:
    """Sizes of a BERT or MPNet encoder, with the names that transformers uses in `config.json`.

    Attributes:
        vocab_size: Number of word pieces in the vocabulary.
        hidden_size: Number of dimensions of a token's state.
        num_hidden_layers: Number of transformer layers.
        num_attention_heads: Number of attention heads in each layer.
        intermediate_size: Number of dimensions between the two matrices of a feed-forward network.
        max_position_embeddings: Number of position embeddings, which limits the length of a text.
        type_vocab_size: Number of segment embeddings.
        layer_norm_eps: Constant that is added to the variance in layer normalization.
        hidden_dropout_prob: Dropout probability during training, from 0 to 1.
        relative_attention_num_buckets: Number of buckets into which MPNet sorts the distances
            between tokens. 0 for BERT.
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
        """The architecture of the encoder, as `config.json` names it: ``"bert"`` or ``"mpnet"``."""
        return "mpnet" if self.relative_attention_num_buckets else "bert"

    @property
    def first_position(self) -> int:
        """The index of the position embedding for the first token of a text."""
        return MPNET_FIRST_POSITION if self.model_type == "mpnet" else 0

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any], source: str = "config.json") -> "EncoderConfig":
        """Create the configuration of an encoder from the settings in a checkpoint's `config.json`.

        Args:
            settings: A mapping from the names of the settings to their values. Settings that the
                encoder doesn't use are ignored.
            source: Name of the file that the settings come from, used in error messages.

        Returns:
            The sizes of the encoder.

        Raises:
            FormatError: If the checkpoint is neither BERT nor MPNet, or if a size is missing or
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
                f"{source}: hidden_act must be 'gelu', got {settings['hidden_act']!r}. Use a "
                "checkpoint with this activation function."
            )
        defaults = {"relative_attention_num_buckets": 32} if model_type == "mpnet" else {}
        config = validate_settings(cls, {**defaults, **settings}, source)
        if config.hidden_size % config.num_attention_heads:
            raise FormatError(
                f"{source}: hidden_size ({config.hidden_size}) must be a multiple of "
                f"num_attention_heads ({config.num_attention_heads}). Use the config.json that was "
                "saved with the weights."
            )
        return config

    @classmethod
    def from_file(cls, path: Path) -> "EncoderConfig":
        """Read the configuration of an encoder from a checkpoint's `config.json`.

        Args:
            path: Path of the file to read.

        Returns:
            The sizes of the encoder.

        Raises:
            FormatError: If the file is missing, or is not the configuration of a BERT or MPNet
                encoder.
        """
        return cls.from_dict(read_settings(path), str(path))

    def to_dict(self) -> dict[str, Any]:
        """Return the sizes of the encoder in the format of transformers' `config.json`.

        The result also contains the settings ``model_type`` and ``hidden_act``.
        """
        return {"model_type": self.model_type, "hidden_act": "gelu", **asdict(self)}


def count_positions(segments: Ints) -> Ints:
    """Compute the position of each token in its own text, if a row contains several texts.

    For example, the segments ``[[0, 0, 0, 1, 1]]`` give the positions ``[[0, 1, 2, 0, 1]]``.

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
    """Compute for each pair of tokens in a row whether the first token attends to the second.

    A token attends to the tokens of its own text, but not to padding.

    Args:
        mask: True for tokens and False for padding, shape (rows, tokens).
        segments: Number of the text that each token belongs to, shape (rows, tokens).

    Returns:
        Booleans of shape (rows, tokens, tokens). An element is True if the token of the second axis
        attends to the token of the third axis.
    """
    is_same_text: Flags = segments[:, :, None] == segments[:, None, :]
    return is_same_text & mask[:, None, :]


def distance_buckets(distances: Ints, count: int) -> Ints:
    """Sort the distances between tokens into the buckets of MPNet's attention bias.

    The first half of the buckets is for tokens to the left and the token itself, and the second
    half for tokens to the right. In each half, short distances have a bucket each. Longer distances
    share buckets, whose ranges grow logarithmically. All distances from `MAX_DISTANCE` on share the
    last bucket.

    Args:
        distances: Distances in tokens, any shape. They are negative for tokens to the left.
        count: Number of buckets.

    Returns:
        The bucket of each distance, from 0 to `count` - 1, in the shape of `distances`.
    """
    half = count // 2
    exact = half // 2
    size = np.abs(distances)
    scaled = np.log(np.maximum(size, 1) / exact) / math.log(MAX_DISTANCE / exact) * (half - exact)
    far = np.minimum(exact + scaled.astype(np.int64), half - 1)
    buckets: Ints = np.where(size < exact, size, far) + half * (distances > 0)
    return buckets
