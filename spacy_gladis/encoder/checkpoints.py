"""Encoders of published BERT and MPNet checkpoints; torch (extra `gpu`) reads their files."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import FormatError, InputError, require
from ..files import reading_tensors
from .encoder import EncoderConfig
from .weights import DISTANCES, NAME, WORDS, Weights

if TYPE_CHECKING:
    from torch import Tensor

FILES = ["*.json", "*.txt", "*.safetensors", "pytorch_model.bin"]

MPNET_NAMES = (
    ("attention.attn.q.", "attention.self.query."),
    ("attention.attn.k.", "attention.self.key."),
    ("attention.attn.v.", "attention.self.value."),
    ("attention.attn.o.", "attention.output.dense."),
    ("attention.LayerNorm.", "attention.output.LayerNorm."),
)
"""Parts of parameters' names in transformers' MPNet, and BERT's for the same."""

OLD_NAMES = (("LayerNorm.gamma", "LayerNorm.weight"), ("LayerNorm.beta", "LayerNorm.bias"))

SEGMENTS = "embeddings.token_type_embeddings.weight"

UNTRAINED_SCALE = 3.0
"""The logarithm of what the cosines of an untrained model are multiplied by."""


def from_hub(name: str) -> Path:
    """The folder of a checkpoint on the Hugging Face hub; InputError where the hub gives none."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=FILES))
    except Exception as error:  # the hub's client raises many kinds; all mean the same here
        raise InputError(
            f"'{name}' is neither a folder here nor a model that the Hugging Face hub gives "
            f"({type(error).__name__}: {error}). Without a connection, give a local folder."
        ) from None


def untrained(folder: Path, config: EncoderConfig) -> Weights:
    """A checkpoint's encoder as AcroBERT's model, in which a context's vector is its mean.

    Raises FormatError when the folder has no such encoder, MissingExtraError without torch.
    """
    encoder = encoder_tensors(read_tensors(folder))
    arrays = {f"bert.{name}": value.numpy() for name, value in encoder.items()}
    mention = np.zeros((config.hidden_size, config.hidden_size), np.float32)
    arrays |= {"mention.weight": mention, "scale": np.array(UNTRAINED_SCALE, np.float32)}
    return Weights(config, arrays, str(folder))


def read_tensors(path: Path) -> "dict[str, Tensor]":
    """Tensors of a checkpoint: a folder, or a file that `torch.save` wrote; else FormatError."""
    if path.is_file():
        return read_torch_file(path)
    if (path / NAME).is_file():
        require("torch", "gpu")
        with reading_tensors(path / NAME, "missing or damaged weights", framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    if (legacy := path / "pytorch_model.bin").is_file():
        return read_torch_file(legacy)
    raise FormatError(f"{path}: no {NAME} and no pytorch_model.bin")


def read_torch_file(path: Path) -> "dict[str, Tensor]":
    """Tensors of a file that `torch.save` wrote; nothing but tensors is unpickled."""
    torch = require("torch", "gpu")
    try:
        tensors = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds here
        raise FormatError(f"{path}: no file of plain torch tensors ({error})") from None
    if not isinstance(tensors, Mapping):
        raise FormatError(f"{path}: expected a state dict, got {type(tensors).__name__}")
    return dict(tensors)


def normalised_names(tensors: "Mapping[str, Tensor]") -> "dict[str, Tensor]":
    """The tensors under the names of transformers' BertForPreTraining.

    Takes the prefix of the published AcroBERT (`model.`), encoders saved without their own
    (`bert.`), the old names of the normalisation's parameters (gamma, beta) and those of MPNet,
    which has no segments: they are zeros.
    """
    renamed = {}
    for name, value in tensors.items():
        name = name.removeprefix("mpnet.").removeprefix("model.")
        for theirs, ours in (*MPNET_NAMES, *OLD_NAMES):
            name = name.replace(theirs, ours)
        if name.startswith(("embeddings.", "encoder.", "pooler.")):
            name = f"bert.{name}"
        renamed[name] = value
    words = renamed.get(WORDS)
    if words is not None and DISTANCES in renamed:
        renamed.setdefault(f"bert.{SEGMENTS}", words.new_zeros(2, words.shape[1]))
    return renamed


def encoder_tensors(tensors: "Mapping[str, Tensor]") -> "dict[str, Tensor]":
    """The encoder's parameters under our names, without heads, pooler and buffers."""
    kept = {}
    for name, value in normalised_names(tensors).items():
        name = name.removeprefix("bert.")
        if name.startswith(("embeddings.", "encoder.")) and "position_ids" not in name:
            kept[name] = value.float()
    return kept
