"""The concept linker's inventory: opened at first use, saved with the component."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import srsly

from ..concepts import Inventory
from ..errors import FormatError, InputError
from ..files import write_json, writing

_FILE, _STATE = "inventory.concepts", "inventory.json"


class LinkerInventory:
    """Where the inventory is, and the inventory once it is wanted.

    path: a file that 'spacy-gladis concepts build' wrote; None: none was given yet.
    """

    def __init__(self, path: str | None = None) -> None:
        self.path = path
        self._opened: Inventory | None = None

    def open(self) -> Inventory:
        """The inventory, the same object each time.

        Raises InputError where none was given or there is no such file, FormatError where it is
        foreign or truncated.
        """
        if self._opened is None:
            if self.path is None:
                raise InputError(
                    "concept_linker needs an inventory of concepts. Make one with 'spacy-gladis "
                    "concepts build SOURCE... --output FILE', and give it as the component's "
                    "setting 'inventory'."
                )
            self._opened = Inventory.open(self.path)
        return self._opened

    def to_bytes(self) -> bytes:
        """The path and the fingerprint; the file itself stays where it is."""
        state: bytes = srsly.msgpack_dumps({"path": self.path, **self._state()})
        return state

    def from_bytes(self, data: bytes) -> "LinkerInventory":
        """Open what `to_bytes` spoke of; raises FormatError when it is another inventory now."""
        state = srsly.msgpack_loads(data)
        self._restore(state, state["path"])
        return self

    def to_disk(self, folder: Path, *, exclude: Iterable[str] = ()) -> None:
        """Write a copy of the file, and its fingerprint."""
        folder.mkdir(parents=True, exist_ok=True)
        source = self.open().path
        assert source is not None  # it was opened from a file
        with writing(folder / _FILE) as temporary:
            temporary.write_bytes(source.read_bytes())
        write_json(folder / _STATE, self._state())

    def from_disk(self, folder: Path, *, exclude: Iterable[str] = ()) -> "LinkerInventory":
        """Open what `to_disk` wrote; raises FormatError when the parts do not belong together."""
        self._restore(srsly.read_json(folder / _STATE), str(folder.absolute() / _FILE))
        return self

    def _state(self) -> dict[str, Any]:
        return {"fingerprint": self.open().fingerprint}

    def _restore(self, state: dict[str, Any], path: str) -> None:
        opened = Inventory.open(path)
        if opened.fingerprint != state["fingerprint"]:
            raise FormatError(
                f"The linker was saved with the inventory {state['fingerprint']}, but {path} is "
                f"{opened.fingerprint}. Put that version there, or make the pipeline anew with "
                "this inventory."
            )
        self.path, self._opened = path, opened
