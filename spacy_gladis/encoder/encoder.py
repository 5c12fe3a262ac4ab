"""An encoder: its sizes, what every engine that runs one offers, and what a token may see.

MPNet (Song et al. 2020) is a BERT with a bias by distance, positions that begin at 2 and no
segments, whose vectors are zeros here until they are trained.
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

HIDDEN = -1e4
"""Added to the attention score of a token that may not be seen; finite, so that a row of padding
that sees nothing stays a number."""

ALONE = 0
"""The segment of BERT's that every text is, there being no pairs."""

MPNET_FIRST_POSITION = 2
"""Of a text's first token: 0 and 1 are kept for padding, as in RoBERTa."""

FARTHEST = 128
"""Tokens from which on MPNet counts all distances as one."""


STRICT = ConfigDict(allow_inf_nan=False, extra="forbid")
"""Of our own settings in files numbers are finite, and no other names are there."""

AnySettings = TypeVar("AnySettings")

Share = Annotated[float, Field(ge=0, le=1)]


def read_record(path: Path) -> dict[str, Any]:
    """The object in a JSON file; raises FormatError when it is absent or none."""
    try:
        return dict(json.loads(path.read_text(encoding="utf8")))
    except (OSError, ValueError, TypeError) as error:
        raise FormatError(f"{path}: not a JSON object of settings ({error})") from None


def validated(kind: type[AnySettings], values: Mapping[str, Any], source: str) -> AnySettings:
    """A dataclass of these values; raises FormatError, naming `source`, where one does not fit."""
    try:
        return TypeAdapter(kind).validate_python(dict(values))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise FormatError(f"{source}: {place}: {first['msg']}") from None


class Encoder(Protocol):
    """An engine with an encoder's weights: `engines/onnx.py` on a CPU, `engines/torch.py` on a GPU.

    device: where it runs, as torch names it. tokens_per_pass: past so many, filled-up places
    included, a pass gains no speed and only takes memory.
    """

    device: str
    tokens_per_pass: int

    def encode(self, token_ids: Ints, mask: Flags, segments: Ints) -> Floats:
        """The last layer's vectors, float32 [rows, tokens, hidden].

        token_ids: [rows, tokens]. mask: [rows, tokens], False where a row is filled up.
        segments: [rows, tokens], the number of the text that a token is of; texts stand one after
        another in a row. A token sees those of its own text alone, and its place is counted there.
        """


@dataclass(frozen=True)
class EncoderConfig:
    """The sizes of an encoder, under the names of `config.json`.

    relative_attention_num_buckets: of MPNet's distances; 0: a BERT, which has none.
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
        """The architecture, as `config.json` names it."""
        return "mpnet" if self.relative_attention_num_buckets else "bert"

    @property
    def first_position(self) -> int:
        """The number of a text's first place."""
        return MPNET_FIRST_POSITION if self.model_type == "mpnet" else 0

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
        buckets = {"relative_attention_num_buckets": 32} if kind == "mpnet" else {}
        config = validated(cls, {**buckets, **settings}, source)
        if config.hidden_size % config.num_attention_heads:
            raise FormatError(f"{source}: hidden_size is no multiple of num_attention_heads")
        return config

    @classmethod
    def from_file(cls, path: Path) -> "EncoderConfig":
        """Read `config.json`; raises FormatError when it is absent or no JSON object."""
        return cls.from_dict(read_record(path), str(path))

    def to_dict(self) -> dict[str, Any]:
        """The settings as `config.json` holds them."""
        return {"model_type": self.model_type, "hidden_act": "gelu", **asdict(self)}


def places(segments: Ints) -> Ints:
    """The place of each token in its text, from 0; segments: as `Encoder.encode` has them."""
    at = np.arange(segments.shape[1])
    begins = np.ones(segments.shape, dtype=bool)
    begins[:, 1:] = segments[:, 1:] != segments[:, :-1]
    found: Ints = at - np.maximum.accumulate(np.where(begins, at, 0), axis=1)
    return found


def visible(mask: Flags, segments: Ints) -> Flags:
    """Whether the token of the row may see the token of the column, [rows, tokens, tokens].

    mask, segments: as `Encoder.encode` has them.
    """
    same: Flags = segments[:, :, None] == segments[:, None, :]
    return same & mask[:, None, :]


def buckets(apart: Ints, count: int) -> Ints:
    """MPNet's bucket of each distance, integers below `count`; negative: what stands before.

    Half of the buckets are for what stands before a token, half for what stands behind it; of each
    half the first are of one distance, the others wider and wider.
    """
    half = count // 2
    exact = half // 2
    distance = np.abs(apart)
    wide = np.log(np.maximum(distance, 1) / exact) / math.log(FARTHEST / exact) * (half - exact)
    far = np.minimum(exact + wide.astype(np.int64), half - 1)
    found: Ints = np.where(distance < exact, distance, far) + half * (apart > 0)
    return found
