"""Files that a pipeline component opens at first use and that are saved together with it."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import srsly

from ..errors import FormatError, InputError
from ..files import write_json

Self = TypeVar("Self", bound="SavedFile")


class SavedFile(ABC):
    """Base class of a file, such as a dictionary, that is saved together with its component.

    The method `to_disk` saves a copy of the file, so that a saved pipeline is complete. The method
    `to_bytes` saves only the file's path.

    Attributes:
        path: Path of the file. None selects the default file, if there is one.
        FILE: Name that the copy of the file has in the component's folder.
        STATE: Name of the JSON file that `to_disk` writes next to the copy. It has the file's
            fingerprint and everything else that is needed to open it.
        KIND: Kind of the file, such as "dictionary", for error messages.
        OTHERWISE: What a user can give instead of a path, for error messages.
    """

    FILE: ClassVar[str]
    STATE: ClassVar[str]
    KIND: ClassVar[str]
    OTHERWISE: ClassVar[str] = ""

    path: str | None

    def to_bytes(self) -> bytes:
        """Serialize the path of the file, its fingerprint and the data saved with it.

        The content of the file isn't serialized. It must still be at the same path when
        `from_bytes` is called.

        Returns:
            The serialized data in MessagePack.
        """
        state: bytes = srsly.msgpack_dumps({"path": self.path, **self._state()})
        return state

    def from_bytes(self: Self, data: bytes) -> Self:
        """Open the file whose path was serialized by `to_bytes`.

        Args:
            data: Serialized data that `to_bytes` returned.

        Returns:
            This object, so that calls can be chained.

        Raises:
            FormatError: If the file has changed since it was serialized.
        """
        state = srsly.msgpack_loads(data)
        self._restore(state, state["path"])
        return self

    def to_disk(self, folder: Path) -> None:
        """Write a copy of the file, and a JSON file with its fingerprint and other saved data.

        Args:
            folder: Path of the component's folder. It is created if it doesn't exist.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._copy(folder / self.FILE)
        write_json(folder / self.STATE, self._state())

    def from_disk(self: Self, folder: Path) -> Self:
        """Open the copy of the file that `to_disk` wrote to a folder.

        Args:
            folder: Path of the folder that `to_disk` wrote.

        Returns:
            This object, so that calls can be chained.

        Raises:
            FormatError: If the copy's fingerprint differs from the fingerprint that was saved with
                it.
        """
        self._restore(srsly.read_json(folder / self.STATE), str(folder.absolute() / self.FILE))
        return self

    def check(self, component: str) -> None:
        """Check that the file exists, without opening it.

        A component calls this method when it is created, so that a wrong path is reported
        immediately.

        Args:
            component: Name of the component, which the error message mentions.

        Raises:
            InputError: If `path` names a file that doesn't exist.
        """
        if self.path is not None and not Path(self.path).is_file():
            raise InputError(
                f"{component}: the {self.KIND} '{self.path}' does not exist (current folder: "
                f"{Path.cwd()}). Give the path of an existing file{self.OTHERWISE}."
            )

    @abstractmethod
    def _state(self) -> dict[str, Any]:
        """Return the data saved with the file as JSON types, including the file's `fingerprint`."""

    @abstractmethod
    def _restore(self, state: dict[str, Any], path: str | None) -> None:
        """Open the file at `path` and restore the data that was saved with it."""

    @abstractmethod
    def _copy(self, path: Path) -> None:
        """Write a copy of the file to `path`."""

    def _check(self, saved: str, path: str | None, fingerprint: str) -> None:
        """Raise FormatError if the fingerprint of the opened file isn't the saved fingerprint."""
        if fingerprint != saved:
            raise FormatError(
                f"The component was saved with the {self.KIND} version {saved}, but "
                f"{path or 'the packaged one'} has version {fingerprint}. Restore the old version, "
                f"or create the pipeline again with this {self.KIND}."
            )
