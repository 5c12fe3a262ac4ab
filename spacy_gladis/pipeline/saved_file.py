"""A file that a component opens at first use, and that is saved with the component."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import srsly

from ..errors import FormatError, InputError
from ..files import write_json

Self = TypeVar("Self", bound="SavedFile")


class SavedFile(ABC):
    """Where the file is. On disk a copy of it goes with the component, in bytes its path."""

    FILE: ClassVar[str]
    STATE: ClassVar[str]
    KIND: ClassVar[str]
    OTHERWISE: ClassVar[str] = ""
    """What else may be given than the path of a file."""

    path: str | None

    def to_bytes(self) -> bytes:
        """The path and the state with its fingerprint; the file itself stays where it is."""
        state: bytes = srsly.msgpack_dumps({"path": self.path, **self._state()})
        return state

    def from_bytes(self: Self, data: bytes) -> Self:
        """Open what `to_bytes` spoke of; raises FormatError when it is another file now."""
        state = srsly.msgpack_loads(data)
        self._restore(state, state["path"])
        return self

    def to_disk(self, folder: Path) -> None:
        """Write a copy of the file, and the state with its fingerprint."""
        folder.mkdir(parents=True, exist_ok=True)
        self._copy(folder / self.FILE)
        write_json(folder / self.STATE, self._state())

    def from_disk(self: Self, folder: Path) -> Self:
        """Open what `to_disk` wrote; raises FormatError when the parts do not belong together."""
        self._restore(srsly.read_json(folder / self.STATE), str(folder.absolute() / self.FILE))
        return self

    def check(self, component: str) -> None:
        """Raise InputError, naming the component, where the file is not there; it is not opened."""
        if self.path is not None and not Path(self.path).is_file():
            raise InputError(
                f"{component}: there is no {self.KIND} '{self.path}' (looked for in {Path.cwd()}). "
                f"Give the path of a file{self.OTHERWISE}."
            )

    @abstractmethod
    def _state(self) -> dict[str, Any]:
        """What is saved beside the file, its `fingerprint` among it; JSON types."""

    @abstractmethod
    def _restore(self, state: dict[str, Any], path: str | None) -> None:
        """Open the file at `path` as `state` has it."""

    @abstractmethod
    def _copy(self, path: Path) -> None:
        """Write the file to `path`."""

    def _check(self, saved: str, path: str | None, fingerprint: str) -> None:
        """Raise FormatError when the file opened is not the one that was saved."""
        if fingerprint != saved:
            raise FormatError(
                f"The linker was saved with the {self.KIND} {saved}, but "
                f"{path or 'the packaged one'} is {fingerprint}. Put that version there, or make "
                f"the pipeline anew with this {self.KIND}."
            )
