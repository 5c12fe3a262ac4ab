"""Load published checkpoints of BERT and MPNet, to train an AcroBERT model from their encoders.

The functions that read tensors need PyTorch (extra ``gpu``).
"""

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
"""Pairs of the name of a parameter in transformers' MPNet and its name in BERT."""

OLD_NAMES = (("LayerNorm.gamma", "LayerNorm.weight"), ("LayerNorm.beta", "LayerNorm.bias"))
"""Pairs of the name of a parameter in old TensorFlow checkpoints and its current name."""

SEGMENTS = "embeddings.token_type_embeddings.weight"

UNTRAINED_SCALE = 3.0
"""Natural logarithm of the factor by which an untrained model multiplies cosines."""


def download_checkpoint(name: str) -> Path:
    """Download a checkpoint from the Hugging Face Hub, unless it is already in the local cache.

    Args:
        name: Name of the model on the hub, such as ``"bert-base-uncased"``.

    Returns:
        The local folder of the checkpoint, which lies in the hub's cache.

    Raises:
        InputError: If the hub has no such model or can't be reached.
    """
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=FILES))
    except Exception as error:  # the client raises many types of error with the same meaning
        raise InputError(
            f"'{name}' is neither a folder nor a model that can be downloaded from the Hugging "
            f"Face Hub ({type(error).__name__}: {error}). Without a connection, use a local folder."
        ) from None


def load_untrained(folder: Path, config: EncoderConfig) -> Weights:
    """Create the weights of an untrained AcroBERT model from the encoder of a checkpoint.

    AcroBERT adds a projection of the mention to the mean of the context's tokens. The projection
    starts as zeros, so the vector of a context is only this mean until the model is trained.

    Args:
        folder: Folder of a BERT or MPNet checkpoint.
        config: Sizes of the checkpoint's encoder.

    Returns:
        The weights of the untrained model.

    Raises:
        FormatError: If the folder contains no encoder with these sizes.
        MissingExtraError: If PyTorch is not installed.
    """
    encoder = select_encoder(read_tensors(folder))
    arrays = {f"bert.{name}": value.numpy() for name, value in encoder.items()}
    projection = np.zeros((config.hidden_size, config.hidden_size), np.float32)
    arrays |= {"mention.weight": projection, "scale": np.array(UNTRAINED_SCALE, np.float32)}
    return Weights(config, arrays, str(folder))


def read_tensors(path: Path) -> "dict[str, Tensor]":
    """Read the tensors of a checkpoint, by the names that its file gives them.

    Args:
        path: Folder with `model.safetensors` or `pytorch_model.bin`, or a file that `torch.save`
            wrote.

    Returns:
        A mapping from the names in the file to tensors on the CPU.

    Raises:
        FormatError: If the weights are missing or damaged.
        MissingExtraError: If PyTorch is not installed.
    """
    if path.is_file():
        return read_torch_file(path)
    if (path / NAME).is_file():
        require("torch", "gpu")
        with reading_tensors(path / NAME, "missing or damaged weights", framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    if (legacy := path / "pytorch_model.bin").is_file():
        return read_torch_file(legacy)
    raise FormatError(
        f"{path} has neither {NAME} nor pytorch_model.bin. Use the folder of a checkpoint."
    )


def read_torch_file(path: Path) -> "dict[str, Tensor]":
    """Read the tensors of a file that `torch.save` wrote.

    The file is unpickled in a mode that allows only plain tensors, so that files from the internet
    can't run code.

    Args:
        path: Path of the file to read.

    Returns:
        A mapping from the names in the file to tensors on the CPU.

    Raises:
        FormatError: If the file is damaged or contains anything but tensors.
        MissingExtraError: If PyTorch is not installed.
    """
    torch = require("torch", "gpu")
    try:
        tensors = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many types of error for damaged files
        raise FormatError(
            f"{path} is not a file of plain torch tensors ({error}). Use a checkpoint's file of "
            "weights."
        ) from None
    if not isinstance(tensors, Mapping):
        raise FormatError(
            f"{path} contains a {type(tensors).__name__}. Expected a state dict, which maps names "
            "to tensors."
        )
    return dict(tensors)


def rename_tensors(tensors: "Mapping[str, Tensor]") -> "dict[str, Tensor]":
    """Rename the tensors of a BERT or MPNet checkpoint as in transformers' BertForPreTraining.

    Several kinds of names are converted: those of MPNet, those with the prefix ``model.`` (as in
    the published AcroBERT), those without the prefix ``bert.``, and the old names ``gamma`` and
    ``beta`` of layer normalization. MPNet has no segment embeddings, so zeros are added for them.

    Args:
        tensors: A mapping from the checkpoint's names to its tensors.

    Returns:
        A mapping from the new names to the same tensors. Unknown names are kept.
    """
    renamed = {}
    for name, value in tensors.items():
        name = name.removeprefix("mpnet.").removeprefix("model.")
        for other_name, bert_name in (*MPNET_NAMES, *OLD_NAMES):
            name = name.replace(other_name, bert_name)
        if name.startswith(("embeddings.", "encoder.", "pooler.")):
            name = f"bert.{name}"
        renamed[name] = value
    words = renamed.get(WORDS)
    if words is not None and DISTANCES in renamed:
        renamed.setdefault(f"bert.{SEGMENTS}", words.new_zeros(2, words.shape[1]))
    return renamed


def select_encoder(tensors: "Mapping[str, Tensor]") -> "dict[str, Tensor]":
    """Select the parameters of the encoder from a BERT or MPNet checkpoint.

    Output heads, the pooler and the ids of positions are left out.

    Args:
        tensors: A mapping from the checkpoint's names to its tensors.

    Returns:
        A mapping from the names in transformers' BertModel to parameters in float32.
    """
    parameters = {}
    for name, value in rename_tensors(tensors).items():
        name = name.removeprefix("bert.")
        if name.startswith(("embeddings.", "encoder.")) and "position_ids" not in name:
            parameters[name] = value.float()
    return parameters
