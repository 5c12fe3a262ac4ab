"""The folder of a model: in the package, on disk or on the Hugging Face hub."""

import re
from pathlib import Path

from ..errors import InputError
from ..files import DATA

PACKAGED = DATA / "acrobert"
"""Folder of the packaged weights."""

SETTINGS_FILE = "acrobert.json"
"""File with the settings of AcroBERT, which a BERT checkpoint doesn't have."""

_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def find_weights(path: Path | str | None = None) -> Path:
    """Return the folder of weights, downloaded from the Hugging Face hub if necessary.

    Args:
        path: A folder, or a name on the hub (owner/name). None selects the packaged weights.

    Returns:
        The folder.

    Raises:
        InputError: If there is no such folder, or the download fails.
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
    """Return whether a folder holds AcroBERT, and not only a BERT checkpoint.

    Args:
        folder: The folder of a model, or a file of weights.
    """
    return (folder / SETTINGS_FILE).is_file()
