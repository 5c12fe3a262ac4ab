"""The input files of a run, each under the name that its outputs get."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import InputError
from .readers import format_of


class Input(NamedTuple):
    """A file or folder to mine."""

    name: str
    path: Path
    size: int  # bytes on disk
    modified: int  # nanoseconds
    of_lines: bool  # it can be split

    @property
    def key(self) -> str:
        """What its finished work was made from: a file that changed is mined again."""
        return f"{self.size} bytes of {self.modified}"

    def to_json(self) -> dict[str, Any]:
        """The input as the manifest holds it."""
        return {"name": self.name, "path": str(self.path), "size": self.size}


def find_inputs(paths: Sequence[Path], of_lines: bool = False) -> list[Input]:
    """The inputs at the paths, sorted by name; a folder of JSON lines stands for its files.

    Raises InputError where a path is missing or of no known format, where two would have one name,
    or, with `of_lines`, where a file cannot be split.
    """
    inputs: dict[str, Input] = {}
    for path in (found.absolute() for given in paths for found in _expanded(given)):
        form = format_of(path)
        if of_lines and not form.of_lines:
            raise InputError(f"{path} is not a file of lines and cannot be split.")
        files = [file for file in sorted(path.rglob("*")) if file.is_file()] or [path]
        stats = [file.stat() for file in files]
        name = path.name.split(".")[0]
        if name in inputs and inputs[name].path != path:
            raise InputError(
                f"{inputs[name].path} and {path} would have the same name in the output. "
                "Rename one or mine it into another folder."
            )
        inputs[name] = Input(
            name,
            path,
            sum(stat.st_size for stat in stats),
            max(stat.st_mtime_ns for stat in stats),
            form.of_lines,
        )
    if not inputs:
        raise InputError("No corpus was given: name shards, files or folders.")
    return [inputs[name] for name in sorted(inputs)]


def _expanded(path: Path) -> list[Path]:
    if path.is_dir() and (shards := sorted(path.glob("*.jsonl*"))):
        return shards
    return [path]
