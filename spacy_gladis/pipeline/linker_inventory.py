"""The concept linker's inventory: opened at first use, saved with the component."""

from pathlib import Path
from typing import Any

from ..concepts import Inventory
from ..errors import InputError
from ..files import writing
from .saved_file import SavedFile


class LinkerInventory(SavedFile):
    """Where the inventory is, and the inventory once it is wanted.

    path: a file that 'spacy-gladis concepts build' wrote; None: none was given yet.
    """

    FILE, STATE, KIND = "inventory.concepts", "inventory.json", "inventory"

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

    def _state(self) -> dict[str, Any]:
        return {"fingerprint": self.open().fingerprint}

    def _restore(self, state: dict[str, Any], path: str | None) -> None:
        opened = Inventory.open(path or "")
        self._check(state["fingerprint"], path, opened.fingerprint)
        self.path, self._opened = path, opened

    def _copy(self, path: Path) -> None:
        source = self.open().path
        assert source is not None  # it was opened from a file
        with writing(path) as temporary:
            temporary.write_bytes(source.read_bytes())
