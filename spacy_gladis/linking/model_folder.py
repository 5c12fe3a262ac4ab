"""Find the folder of a model in the package, on disk or on the Hugging Face hub."""

import re
from pathlib import Path

from ..errors import InputError
from ..files import DATA

PACKAGED = DATA / "acrobert"
"""Folder of the weights that are installed with the package."""

SETTINGS_FILE = "acrobert.json"
"""Name of the file with AcroBERT's settings. The folder of a plain BERT checkpoint doesn't contain
this file."""

_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def find_weights(path: Path | str | None = None) -> Path:
    """Return the local folder of a model's weights, and download the model first if necessary.

    Args:
        path: Path of a folder, or name of a model on the Hugging Face hub (``owner/name``). None
            selects the packaged weights.

    Returns:
        Path of a local folder that contains the weights.

    Raises:
        InputError: If `path` is neither a folder nor the name of a model, or if the download fails.
    """
    folder = PACKAGED if path is None else Path(path)
    if folder.is_dir():
        return folder
    if not isinstance(path, str) or folder.exists() or not _HUB_NAME.fullmatch(path):
        raise InputError(
            f"There is no such folder: '{folder}'. Give the path of a folder with AcroBERT weights "
            "(config.json, model.safetensors and a tokenizer) or the name of a model on the "
            "Hugging Face hub (owner/name). Give nothing for the packaged weights."
        )
    from ..encoder.checkpoints import download_checkpoint

    return download_checkpoint(path)


def is_acrobert(folder: Path) -> bool:
    """Return whether a folder contains AcroBERT weights rather than a plain BERT checkpoint.

    AcroBERT weights have a file with settings, `acrobert.json`.

    Args:
        folder: Folder of a model. For the path of a file, the result is False.
    """
    return (folder / SETTINGS_FILE).is_file()
