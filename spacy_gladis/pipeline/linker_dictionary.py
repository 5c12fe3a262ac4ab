"""The linker's dictionary or inventory: opened at first use, saved with the component."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import srsly
from spacy.language import Language

from ..concepts import Inventory
from ..dictionary import Dictionary
from ..errors import FormatError, InputError
from ..files import writing

_FILE, _STATE = "dictionary.gladis", "entries.json"
_CONCEPTS = "dictionary.concepts"


class LinkerDictionary:
    """Where the dictionary is, and the dictionary once it is wanted.

    path: a dictionary file or a JSON file in the published format; None: the packaged one. A file
        that ends in `.concepts` is an inventory of concepts.
    overlay: a CSV or JSON file of entries to add to it and remove from it.
    opened: the dictionary itself, where it is open already.
    """

    def __init__(
        self,
        path: str | None = None,
        overlay: str | None = None,
        opened: Dictionary | None = None,
    ) -> None:
        self.path, self.overlay = path, overlay
        self._opened = opened
        self._inventory: Inventory | None = None

    def replace(self, path: str) -> None:
        """Turn to another file, without own entries, for all that share this object."""
        self.path, self.overlay = path, None
        self._opened = self._inventory = None

    @property
    def changed(self) -> bool:
        """Whether it is not the packaged dictionary as it is."""
        if self.path is not None or self.overlay is not None:
            return True
        return self._opened is not None and any(self._opened.overlay_state().values())

    @property
    def of_concepts(self) -> bool:
        """Whether it is an inventory of concepts."""
        return self._opened is None and str(self.path).endswith(".concepts")

    def source(self) -> Dictionary | Inventory:
        """The dictionary or the inventory, the same object each time."""
        if not self.of_concepts:
            return self.open()
        if self._inventory is None:
            if self.overlay is not None:
                raise InputError("An inventory of concepts takes no overlay: build it with more.")
            self._inventory = Inventory.open(str(self.path))
        return self._inventory

    def open(self) -> Dictionary:
        """The dictionary, the same object each time; raises InputError where it is an inventory."""
        if self.of_concepts:
            raise InputError(
                f"{self.path} is an inventory of concepts, which has no entries for acronyms. To "
                "change its names, build another one with 'spacy-gladis concepts build'."
            )
        if self._opened is None:
            self._opened = Dictionary.open(self.path)
            if self.overlay is not None:
                self._opened.add_file(self.overlay)
        return self._opened

    def to_bytes(self) -> bytes:
        """The path, the own entries and the fingerprint; the file itself stays where it is."""
        state: bytes = srsly.msgpack_dumps({"path": self.path, **self._state()})
        return state

    def from_bytes(self, data: bytes) -> "LinkerDictionary":
        """Open what `to_bytes` spoke of; raises FormatError when it is another dictionary now."""
        state = srsly.msgpack_loads(data)
        self._restore(state, state["path"])
        return self

    def to_disk(self, folder: Path, *, exclude: Iterable[str] = ()) -> None:
        """Write a copy of the file, and the own entries."""
        folder.mkdir(parents=True, exist_ok=True)
        source = self.source()
        if isinstance(source, Inventory):
            assert source.path is not None
            with writing(folder / _CONCEPTS) as temporary:
                temporary.write_bytes(source.path.read_bytes())
        else:
            source.save(folder / _FILE)
        srsly.write_json(folder / _STATE, self._state())

    def from_disk(self, folder: Path, *, exclude: Iterable[str] = ()) -> "LinkerDictionary":
        """Open what `to_disk` wrote; raises FormatError when the parts do not belong together."""
        name = _CONCEPTS if (folder / _CONCEPTS).is_file() else _FILE
        self._restore(srsly.read_json(folder / _STATE), str(folder.absolute() / name))
        return self

    def _state(self) -> dict[str, Any]:
        source = self.source()
        entries = {} if isinstance(source, Inventory) else source.overlay_state()
        return {"entries": entries, "fingerprint": source.fingerprint}

    def _restore(self, state: dict[str, Any], path: str | None) -> None:
        restored = LinkerDictionary(path)
        if not restored.of_concepts:
            restored._opened = Dictionary.from_overlay_state(state["entries"], path)
        fingerprint = restored.source().fingerprint
        if fingerprint != state["fingerprint"]:
            raise FormatError(
                f"The linker was saved with the dictionary {state['fingerprint']}, but "
                f"{path or 'the packaged one'} is {fingerprint}. Put that version "
                "there, or make the pipeline anew with this dictionary."
            )
        self.path, self.overlay = path, None
        self._opened, self._inventory = restored._opened, restored._inventory


def linker_dictionary(nlp: Language) -> LinkerDictionary | None:
    """The dictionary of the pipeline's first linker; None without one."""
    for _, pipe in nlp.components:
        if isinstance(found := getattr(pipe, "linker_dictionary", None), LinkerDictionary):
            return found
    return None


def share_dictionary(nlp: Language, dictionary: LinkerDictionary) -> None:
    """Let the pipeline's detectors use a linker's dictionary, unless they use another linker's."""
    if linker_dictionary(nlp) is None:
        for _, pipe in nlp.components:
            if take := getattr(pipe, "share_dictionary", None):
                take(dictionary)
