"""The output folder of a mining run: its manifest, its lock, and the markers of finished work.

    manifest.json        what is mined, and with which settings
    pieces/              large shards, split
    definitions/         Parquet, a file a piece, rows in the order of their buckets
    samples/             likewise
    counts/              Parquet, a file a bucket: (acronym, merge key, long form, domain, count)
    done/STAGE/NAME.json a marker of finished work: its outputs with their sizes, its statistics

Every file is written under a temporary name and renamed, a marker after the outputs it names: a
run that is killed at any moment leaves nothing that the next one could take for finished.
"""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict

from ...errors import FormatError, InputError
from ...files import write_json
from ...problem import ProblemLog
from ..locks import holding

VERSION = 1


class Outcome(TypedDict):
    """What a finished task has done, as JSON types: its marker's content."""

    key: str  # what it was made from; work with another key is done again
    outputs: dict[str, int]  # path within the workspace -> bytes
    statistics: dict[str, Any]
    problems: dict[str, Any]


class Workspace:
    """An output folder; a run holds it by `held`, readers just open it."""

    def __init__(self, root: str | Path) -> None:
        self.root = Path(root)

    @property
    def manifest_path(self) -> Path:
        return self.root / "manifest.json"

    def manifest(self) -> dict[str, Any]:
        """The manifest; raises InputError where the folder is not a workspace."""
        if not self.manifest_path.is_file():
            raise InputError(
                f"{self.root} holds no mined corpus (no manifest.json). "
                "Make one with: spacy-gladis corpus extract SHARDS --output DIR"
            )
        manifest = json.loads(self.manifest_path.read_text(encoding="utf-8"))
        if manifest.get("version") != VERSION:
            raise FormatError(
                f"{self.manifest_path} has version {manifest.get('version')!r}; this package "
                f"reads version {VERSION}. Mine the corpus again into a new folder."
            )
        return dict(manifest)

    @contextmanager
    def held(self) -> Iterator["Workspace"]:
        """Hold the folder for one run; a second run is refused. A dead run's hold does not last."""
        with holding(self.root):
            self._clean()  # after a run that was killed
            yield self
            self._clean()  # after a worker that was killed

    def _clean(self) -> None:
        for left in self.root.rglob(".*.tmp"):
            left.unlink()
        for left in self.root.glob(".spill-*"):
            shutil.rmtree(left)

    def begin(self, settings: Mapping[str, Any], inputs: list[dict[str, Any]]) -> None:
        """Write the manifest; refuses other settings than those the folder was begun with.

        Inputs may be added to a folder; one that has changed is mined again.
        """
        if self.manifest_path.exists():
            before = self.manifest()["settings"]
            if before != dict(settings):
                changed = [
                    f"{key} {before.get(key)!r}, now {settings[key]!r}"
                    for key in settings
                    if settings[key] != before.get(key)
                ]
                raise InputError(
                    f"{self.root} was begun with other settings: {', '.join(changed)}. "
                    "Give the same settings or another --output."
                )
        content = {"version": VERSION, "settings": dict(settings), "inputs": inputs}
        write_json(self.manifest_path, content)

    def marker(self, stage: str, name: str) -> str:
        return f"done/{stage}/{name}.json"

    def outcome(self, stage: str, name: str, key: str | None = None) -> Outcome | None:
        """What a task's marker says; None where there is none or it has another key than `key`."""
        try:
            text = (self.root / self.marker(stage, name)).read_text(encoding="utf-8")
            outcome: Outcome = json.loads(text)
        except (FileNotFoundError, ValueError):
            return None
        return outcome if key in (None, outcome["key"]) else None

    def lost(self, outcome: Outcome) -> list[str]:
        """The outputs of finished work that are gone or of another size."""
        return [name for name, size in outcome["outputs"].items() if self.size(name) != size]

    def done(
        self, key: str, outputs: Iterable[str], statistics: dict[str, Any], problems: ProblemLog
    ) -> Outcome:
        """The outcome of work that wrote these outputs."""
        sizes = {name: self.size(name) for name in outputs}
        return Outcome(key=key, outputs=sizes, statistics=statistics, problems=problems.to_json())

    def finish(self, stage: str, name: str, outcome: Outcome) -> None:
        write_json(self.root / self.marker(stage, name), outcome)

    def size(self, name: str) -> int:
        """The size of a file of the folder in bytes, -1 where there is none."""
        try:
            return (self.root / name).stat().st_size
        except FileNotFoundError:
            return -1
