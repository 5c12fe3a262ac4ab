"""Files that a component opens at first use and that are saved with it."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import srsly

from ..errors import FormatError, InputError
from ..files import write_json

Self = TypeVar("Self", bound="SavedFile")


class SavedFile(ABC):
    """Base class of a file that is saved with its component.

    On disk a copy of the file is saved. In bytes only its path is.

    Attributes:
        path: Path of the file. None selects a default, if there is one.
        FILE: Name of the saved copy.
        STATE: Name of the JSON file with the state.
        KIND: What the file is, for errors.
        OTHERWISE: Alternatives to a path, for errors.
    """

    FILE: ClassVar[str]
    STATE: ClassVar[str]
    KIND: ClassVar[str]
    OTHERWISE: ClassVar[str] = ""

    path: str | None

    def to_bytes(self) -> bytes:
        """Serialize the path, the state and the file's fingerprint, but not the file.

        Returns:
            The serialized state in MessagePack.
        """
        state: bytes = srsly.msgpack_dumps({"path": self.path, **self._state()})
        return state

    def from_bytes(self: Self, data: bytes) -> Self:
        """Open the file that a serialized state names.

        Args:
            data: The result of `to_bytes`.

        Returns:
            The object itself.

        Raises:
            FormatError: If the file has changed since.
        """
        state = srsly.msgpack_loads(data)
        self._restore(state, state["path"])
        return self

    def to_disk(self, folder: Path) -> None:
        """Write a copy of the file, and the state with the file's fingerprint.

        Args:
            folder: The folder. It is created if necessary.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._copy(folder / self.FILE)
        write_json(folder / self.STATE, self._state())

    def from_disk(self: Self, folder: Path) -> Self:
        """Open the copy of a file in a folder.

        Args:
            folder: The folder that `to_disk` wrote.

        Returns:
            The object itself.

        Raises:
            FormatError: If the copy and the state don't belong together.
        """
        self._restore(srsly.read_json(folder / self.STATE), str(folder.absolute() / self.FILE))
        return self

    def check(self, component: str) -> None:
        """Check that the file exists, without opening it.

        Args:
            component: The component's name, for the error.

        Raises:
            InputError: If the file doesn't exist.
        """
        if self.path is not None and not Path(self.path).is_file():
            raise InputError(
                f"{component}: the {self.KIND} '{self.path}' does not exist (in {Path.cwd()}). "
                f"Give the path of a file{self.OTHERWISE}."
            )

    @abstractmethod
    def _state(self) -> dict[str, Any]:
        """Return what is saved with the file as JSON types, including its `fingerprint`."""

    @abstractmethod
    def _restore(self, state: dict[str, Any], path: str | None) -> None:
        """Open the file at `path` with a saved state."""

    @abstractmethod
    def _copy(self, path: Path) -> None:
        """Write a copy of the file to `path`."""

    def _check(self, saved: str, path: str | None, fingerprint: str) -> None:
        """Raise FormatError if the opened file isn't the saved one."""
        if fingerprint != saved:
            raise FormatError(
                f"The linker was saved with the {self.KIND} {saved}, but "
                f"{path or 'the packaged one'} is {fingerprint}. Restore that version, or create "
                f"the pipeline again with this {self.KIND}."
            )
