"""What the linker knows: a dictionary, opened at first use, and what it learnt; saved with it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from spacy.language import Language

from ..dictionary import Dictionary
from ..dictionary.folder_definitions import FolderDefinitions
from ..dictionary.user_entries import read_user_entries
from ..errors import InputError
from .saved_file import SavedFile

META: Final = "spacy_gladis_components"
"""The key in a pipeline's meta data of the components that read their data from its folder."""

_AWAITED: WeakKeyDictionary[Language, set[str]] = WeakKeyDictionary()
"""Of each pipeline, the components that its meta data noted before and that are not yet made."""


class LinkerDictionary(SavedFile):
    """Where the dictionary is, and the dictionary once it is wanted.

    path: a dictionary file or a JSON file in the published format; None: the packaged one.
    overlays: files of entries to add to it, and of words to ignore; read at once.
    opened: the dictionary itself, where it is open already.
    Raises InputError for an inventory of concepts, and InputError and FormatError for an overlay
    that is not there or has a wrong line.
    """

    FILE, STATE, KIND = "dictionary.sqlite", "entries.json", "dictionary"
    OTHERWISE = ", or nothing for the packaged dictionary"

    def __init__(
        self,
        path: str | None = None,
        overlays: Sequence[str | Path] = (),
        opened: Dictionary | None = None,
    ) -> None:
        if str(path).endswith(".concepts"):
            raise InputError(
                f"{path} is an inventory of concepts, no dictionary of acronyms. Use the component "
                f"concept_linker: nlp.add_pipe('concept_linker', config={{'inventory': '{path}'}})."
            )
        self.path, self._opened = path, opened
        self._entries = read_user_entries(overlays)
        self.learnt = FolderDefinitions()

    def replace(self, path: str) -> None:
        """Turn to another file, without own entries, for all that share this object."""
        self.path, self._entries, self._opened = LinkerDictionary(path).path, [], None

    def extend(self, overlays: Sequence[str | Path]) -> None:
        """Add the entries of overlays, for all that share this object. Raises as `__init__`."""
        entries = read_user_entries(overlays)
        self._entries += entries
        if self._opened is not None:
            self._opened.add_rows(entries)

    @property
    def changed(self) -> bool:
        """Whether it is not the packaged dictionary as it is."""
        if self.path is not None or self._entries:
            return True
        return self._opened is not None and self._opened.has_changes

    def open(self) -> Dictionary:
        """The dictionary, the same object each time."""
        if self._opened is None:
            self._opened = Dictionary.open(self.path)
            self._opened.add_rows(self._entries)
        return self._opened

    def _state(self) -> dict[str, Any]:
        opened = self.open()
        state = {"entries": opened.overlay_state(), "fingerprint": opened.file_fingerprint}
        return {**state, "learnt": self.learnt.state()} if self.learnt else state

    def _restore(self, state: dict[str, Any], path: str | None) -> None:
        opened = Dictionary.from_overlay_state(state["entries"], path)
        self._check(state["fingerprint"], path, opened.file_fingerprint)
        self.path, self._entries, self._opened = path, [], opened
        self.learnt = FolderDefinitions.from_state(state.get("learnt", {}))

    def _copy(self, path: Path) -> None:
        self.open().save(path)


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


def is_being_loaded(nlp: Language, name: str) -> bool:
    """Return whether a saved pipeline that has a component is being read.

    spaCy makes a saved pipeline's components by their settings before they read their folders, so
    files that the settings name need not be there any more. A component that calls this is noted
    in the pipeline's meta data, which spaCy saves, and reads before it makes the components.

    Args:
        nlp: The pipeline that the component is made for.
        name: The component's name.
    """
    noted: list[str] = nlp.meta.setdefault(META, [])
    awaited = _AWAITED.setdefault(nlp, set(noted))
    is_awaited = name in awaited
    awaited.discard(name)  # added again under this name, it is a new component
    if name not in noted:
        noted.append(name)
    return is_awaited
