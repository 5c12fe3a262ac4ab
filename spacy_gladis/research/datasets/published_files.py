"""Check that the files in a data folder are the published ones, by their MD5 checksums."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import srsly

from ...errors import FormatError, InputError
from .files import md5_of

CORPUS = "corpus"


State = Literal["same", "different", "absent"]
"""Result of comparing a local file with the published one. ``"absent"``: there is no local file."""


def published_checksums(project: Path, folder: str) -> dict[str, str]:
    """Read the MD5 checksums of published files from the project file of a spaCy project.

    Args:
        project: Path of the project file, `project.yml`, which lists the files as assets.
        folder: Folder of the assets, as the project file names it, such as ``"assets/full"``.
            Assets in other folders are ignored, and so are assets without a checksum.

    Returns:
        A mapping from the path of each asset, relative to the folder, to its MD5 checksum.

    Raises:
        FormatError: If the file can't be read, or is not a project with assets.
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
        raise FormatError(
            f"{project} is not a spaCy project with assets ({error!r}). Choose another file with "
            "--project."
        ) from error


def verify_data(data: Path, checksums: Mapping[str, str]) -> dict[str, Any]:
    """Compare the files in a data folder with the published ones, and list its corpus shards.

    The checksums of corpus shards are not computed, because the shards are too large. Their sizes
    are listed instead.

    Args:
        data: Data folder. Its subfolder `corpus` contains the shards.
        checksums: A mapping from the path of each published file, relative to the folder, to its
            MD5 checksum.

    Returns:
        A mapping with the path of the folder (`data`), the size in bytes of each shard (`corpus`),
        the number of files that are the same, different or absent (`published`), and the state of
        each file (`files`).

    Raises:
        InputError: If the folder has no corpus shard, or one of the files is empty.
    """
    shards = {path.name: path.stat().st_size for path in sorted((data / CORPUS).glob("*.jsonl*"))}
    if not shards:
        raise InputError(
            f"The folder {data / CORPUS} contains no corpus shard (*.jsonl, *.jsonl.zst or "
            "*.jsonl.gz). Download one with 'spacy project assets --extra', or choose another "
            "data folder."
        )
    states = {name: _state(data / name, md5) for name, md5 in sorted(checksums.items())}
    present = [data / CORPUS / name for name in shards]
    present += [data / name for name, state in states.items() if state != "absent"]
    if empty := [str(path) for path in present if path.stat().st_size == 0]:
        raise InputError(
            f"Empty files: {', '.join(empty)}. Delete them and run 'spacy project assets' again."
        )
    counts = {state: list(states.values()).count(state) for state in get_args(State)}
    return {"data": str(data), "corpus": shards, "published": counts, "files": states}


def _state(path: Path, md5: str) -> State:
    if not path.is_file():
        return "absent"
    return "same" if md5_of(path) == md5 else "different"
