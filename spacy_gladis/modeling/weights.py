"""Weights on disk: safetensors of ours, and encoders of published BERT and MPNet checkpoints."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from ..errors import FormatError, InputError
from ..files import reading_tensors, writing
from .encoder import Encoder

NAME = "model.safetensors"
CHECKPOINT_FILES = ["*.json", "*.txt", "*.safetensors", "pytorch_model.bin"]
UNUSED = "domain."
"""Begins the names of a head that the packaged weights have of their training: nothing runs it."""

SCALES = ".scales"
"""Ends the name of the scales that belong to a matrix of integers."""

WORDS = "word_embeddings.weight"
"""Ends the name of the largest matrix, whose rounding is felt least."""


MPNET_NAMES = (
    ("attention.attn.q.", "attention.self.query."),
    ("attention.attn.k.", "attention.self.key."),
    ("attention.attn.v.", "attention.self.value."),
    ("attention.attn.o.", "attention.output.dense."),
    ("attention.LayerNorm.", "attention.output.LayerNorm."),
)
"""Parts of parameters' names in transformers' MPNet, and BERT's for the same."""

MPNET_BIAS = "encoder.relative_attention_bias.weight"
MPNET_WORDS = "embeddings.word_embeddings.weight"
SEGMENTS = "embeddings.token_type_embeddings.weight"

GROUP = 64
"""Numbers of a row that share a scale."""

CLIPPED = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6)
"""Parts of a group's largest number that its scale may reach to: clipped, it can serve the rest."""


def from_hub(name: str) -> Path:
    """The folder of a checkpoint on the Hugging Face hub; InputError where the hub gives none."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=CHECKPOINT_FILES))
    except Exception as error:  # the hub's client raises many kinds; all mean the same here
        raise InputError(
            f"'{name}' is neither a folder here nor a model that the Hugging Face hub gives "
            f"({type(error).__name__}: {error}). Without a network, give a local folder."
        ) from None


def write_weights(folder: Path, module: nn.Module, *, compact: bool = False) -> None:
    """Write `model.safetensors`.

    compact: matrices as 8-bit integers with one scale a row, those of the words as 4-bit ones, all
    else as 16-bit floats: a fifth of the size; what it costs in accuracy is in the model card.
    """
    from safetensors.torch import save_file

    tensors = {name: value.detach().cpu() for name, value in module.state_dict().items()}
    if compact:
        for name, value in list(tensors.items()):
            tensors[name] = value.half()
            if name.endswith(WORDS) and value.shape[1] % GROUP == 0:
                tensors[name], tensors[name + SCALES] = pack_int4(value.float())
            elif value.ndim == 2 and len(value) > 1:
                scales = value.float().abs().amax(1, keepdim=True).clamp(min=1e-12) / 127
                tensors[name] = (value.float() / scales).round().to(torch.int8)
                tensors[name + SCALES] = scales
    with writing(folder / NAME) as temporary:
        save_file({n: t.contiguous() for n, t in tensors.items()}, temporary, {"format": "pt"})


def pack_int4(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """A matrix as 4-bit numbers, two in a byte, with a scale for each group of a row.

    Bytes [rows, width / 2] and scales [rows, width / GROUP]; the width is a multiple of GROUP.
    Each group has the scale that leaves the least squared error. What `unpack_int4` gives is packed
    into the same again.
    """
    groups = matrix.reshape(len(matrix), -1, GROUP)
    largest = groups.abs().amax(-1, keepdim=True).clamp(min=1e-6)
    # A group that was packed before has its largest number at one of the levels.
    reaches = [7.5 / share for share in CLIPPED] + [level + 0.5 for level in range(7)]
    scales = torch.zeros_like(largest)
    least = torch.full_like(largest, torch.inf)
    for reach in reaches:
        scale = (largest / reach).half().float().clamp(min=1e-7)
        error = (_levels(groups, scale) * scale - groups).square().sum(-1, keepdim=True)
        better = error < least
        scales, least = torch.where(better, scale, scales), torch.where(better, error, least)
    numbers = (_levels(groups, scales) + 7.5).to(torch.uint8).view(len(matrix), -1)
    return numbers[:, ::2] | numbers[:, 1::2] << 4, scales.squeeze(-1).half()


def unpack_int4(packed: Tensor, scales: Tensor) -> Tensor:
    """The matrix [rows, width] as float32."""
    numbers = torch.stack([packed & 15, packed >> 4], -1).float() - 7.5
    groups = numbers.view(len(packed), -1, GROUP) * scales.float()[..., None]
    return groups.view(len(packed), -1)


def _levels(groups: Tensor, scale: Tensor) -> Tensor:
    """The nearest of -7.5, -6.5, ..., 7.5."""
    return ((groups / scale).floor() + 0.5).clamp(-7.5, 7.5)


class WithoutRandomWeights(TorchFunctionMode):
    """Modules made within have no weights that mean anything: to draw them takes longer than to
    read those of a file. Torch's meta device does the same, and imports its compiler for a second.
    """

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Pass over what draws; call anything else."""
        given = kwargs or {}
        if getattr(func, "__module__", "") == nn.init.__name__:
            return given["tensor"] if "tensor" in given else args[0]
        return func(*args, **given)


def read_weights(folder: Path, module: nn.Module) -> None:
    """Make `model.safetensors` the module's weights; raises FormatError when it does not fit."""
    tensors = _read(folder / NAME)
    full = {
        name: _whole(value, tensors.get(name + SCALES))
        for name, value in tensors.items()
        if not name.endswith(SCALES) and not name.startswith(UNUSED)
    }
    _load(module, full, folder, assign=True)


def _whole(value: Tensor, scales: Tensor | None) -> Tensor:
    if scales is not None and value.dtype == torch.uint8:
        return unpack_int4(value, scales)
    full = value.to(torch.float32, copy=True)  # the file's own may be mapped
    return full if scales is None else full.mul_(scales)


def read_encoder(folder: Path, encoder: Encoder) -> None:
    """Load the encoder of a published checkpoint: `model.safetensors` or `pytorch_model.bin`."""
    _load(encoder, encoder_tensors(read_tensors(folder)), folder)


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Tensors of a checkpoint: a folder, or a file that `torch.save` wrote; else FormatError."""
    if path.is_file():
        return read_torch_file(path)
    if (path / NAME).is_file():
        return _read(path / NAME)
    if (legacy := path / "pytorch_model.bin").is_file():
        return read_torch_file(legacy)
    raise FormatError(f"{path}: no {NAME} and no pytorch_model.bin")


def read_torch_file(path: Path) -> dict[str, Tensor]:
    """Tensors of a file that `torch.save` wrote; nothing but tensors is unpickled."""
    try:
        tensors = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds here
        raise FormatError(f"{path}: no file of plain torch tensors ({error})") from None
    if not isinstance(tensors, Mapping):
        raise FormatError(f"{path}: expected a state dict, got {type(tensors).__name__}")
    return dict(tensors)


def under_names_of_bert(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """MPNet's tensors as an encoder here has them; those of another checkpoint as they are."""
    biases = [name for name in tensors if name.endswith(MPNET_BIAS)]
    if not biases:
        return dict(tensors)
    renamed = {}
    for name, value in tensors.items():
        name = name.removeprefix("mpnet.")
        for theirs, ours in MPNET_NAMES:
            name = name.replace(theirs, ours)
        renamed[name] = value
    prefix = biases[0].removeprefix("mpnet.").removesuffix(MPNET_BIAS)
    words = renamed.get(prefix + MPNET_WORDS)
    if words is not None:
        renamed.setdefault(prefix + SEGMENTS, torch.zeros(2, words.shape[1]))
    return renamed


def normalised_names(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors under the names of transformers' BertForPreTraining.

    Takes the prefix of the published AcroBERT (`model.`), encoders saved without their own
    (`bert.`), the old names of the normalisation's parameters (gamma, beta) and those of MPNet.
    """
    renamed = {}
    for name, value in under_names_of_bert(tensors).items():
        name = name.removeprefix("model.")
        name = name.replace("LayerNorm.gamma", "LayerNorm.weight")
        name = name.replace("LayerNorm.beta", "LayerNorm.bias")
        if name.startswith(("embeddings.", "encoder.", "pooler.")):
            name = f"bert.{name}"
        renamed[name] = value
    return renamed


def encoder_tensors(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The encoder's parameters under our names, without heads, pooler and buffers."""
    kept = {}
    for name, value in normalised_names(tensors).items():
        name = name.removeprefix("bert.")
        if name.startswith(("embeddings.", "encoder.")) and "position_ids" not in name:
            kept[name] = value.float()
    return kept


def _read(path: Path) -> dict[str, Tensor]:
    with reading_tensors(path, "missing or damaged weights", framework="pt") as file:
        return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def _load(
    module: nn.Module, tensors: Mapping[str, Tensor], folder: Path, *, assign: bool = False
) -> None:
    try:
        module.load_state_dict(dict(tensors), assign=assign)
    except RuntimeError as error:
        detail = " ".join(line.strip() for line in str(error).splitlines()[:3])
        raise FormatError(
            f"{folder}: the weights are not those of the network that config.json describes "
            f"({detail[:300]})"
        ) from None
