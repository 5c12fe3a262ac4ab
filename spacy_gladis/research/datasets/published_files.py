"""Comparison of a data folder with the checksums of the published files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import srsly

from ...errors import FormatError, InputError
from .files import md5_of

CORPUS = "corpus"


State = Literal["same", "different", "absent"]
"""State of a file in comparison with the published file."""


def published_checksums(project: Path, folder: str) -> dict[str, str]:
    """Read the MD5 checksums of the assets of a spaCy project that are in a folder.

    Args:
        project: Path of the `project.yml`.
        folder: Folder of the assets, as written in the project file.

    Returns:
        A mapping from paths within the folder to checksums.

    Raises:
        FormatError: If the file is not a project with assets.
    """
    try:
        assets = srsly.read_yaml(project)["assets"]
        prefix = folder.rstrip("/") + "/"
        return {
            asset["dest"].removeprefix(prefix): asset["checksum"]
            for asset in assets
            if "checksum" in asset and asset["dest"].startswith(prefix)
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{project} is not a project with assets: {error!r}.") from error


def verify_data(data: Path, checksums: Mapping[str, str]) -> dict[str, Any]:
    """List the corpus shards in a data folder, and compare its files with the published ones.

    Shards are listed by size, because they are too large to hash.

    Args:
        data: The data folder.
        checksums: A mapping from paths within the folder to MD5 checksums of the published files.

    Returns:
        `data`, `corpus` (bytes by shard), `published` (counts by state) and `files` (states).

    Raises:
        InputError: If there is no corpus, or a file is empty.
    """
    shards = {path.name: path.stat().st_size for path in sorted((data / CORPUS).glob("*.jsonl*"))}
    if not shards:
        raise InputError(
            f"{data / CORPUS} holds no shard (*.jsonl, .jsonl.zst, .jsonl.gz). "
            "Fetch one with 'spacy project assets --extra', or give another folder of data."
        )
    states = {name: _state(data / name, md5) for name, md5 in sorted(checksums.items())}
    present = [data / CORPUS / name for name in shards]
    present += [data / name for name, state in states.items() if state != "absent"]
    if empty := [str(path) for path in present if path.stat().st_size == 0]:
        raise InputError(f"Empty: {', '.join(empty)}. Delete and fetch again.")
    counts = {state: list(states.values()).count(state) for state in get_args(State)}
    return {"data": str(data), "corpus": shards, "published": counts, "files": states}


def _state(path: Path, md5: str) -> State:
    if not path.is_file():
        return "absent"
    return "same" if md5_of(path) == md5 else "different"
