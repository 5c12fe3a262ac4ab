"""Find the folder of a model in the package, on disk or on the Hugging Face hub."""

import re
from pathlib import Path

from ..errors import InputError
from ..files import DATA

PACKAGED = DATA / "acrobert"
"""Folder of the packaged weights."""

SETTINGS_FILE = "acrobert.json"
"""Name of the file with AcroBERT's settings. The folder of a BERT checkpoint has no such file."""

_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def find_weights(path: Path | str | None = None) -> Path:
    """Return the folder of a model's weights, and download the model if it is not local.

    Args:
        path: Path of a folder, or name of a model on the Hugging Face hub (``owner/name``).
            Defaults to the packaged weights.

    Returns:
        Path of the local folder.

    Raises:
        InputError: If the folder doesn't exist, or the download fails.
    """
    folder = PACKAGED if path is None else Path(path)
    if folder.is_dir():
        return folder
    if not isinstance(path, str) or folder.exists() or not _HUB_NAME.fullmatch(path):
        raise InputError(
            f"There is no such folder: {folder}. Give a folder of AcroBERT weights with "
            "config.json, model.safetensors and a tokenizer, a name on the Hugging Face hub "
            "(owner/name), or nothing for the packaged weights."
        )
    from ..encoder.checkpoints import download_checkpoint

    return download_checkpoint(path)


def is_acrobert(folder: Path) -> bool:
    """Return whether a folder contains AcroBERT weights rather than a plain BERT checkpoint.

    Args:
        folder: Folder of a model, or path of a single file with weights.
    """
    return (folder / SETTINGS_FILE).is_file()
