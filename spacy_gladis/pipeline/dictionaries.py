"""The dictionaries of the linker and of the detector, which are opened at first use.

The detector uses the dictionary of the pipeline's linker unless it was given its own dictionary
file. The linker's dictionary also stores the evidence from other documents.
"""

from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from spacy.language import Language

from ..dictionary import Dictionary
from ..dictionary.folder_definitions import FolderDefinitions
from ..dictionary.spellings import DictionarySpellings
from ..dictionary.user_entries import read_user_entries
from ..errors import InputError
from .languages import ENGLISH, detect_language
from .saved_file import SavedFile

META: Final = "spacy_gladis_components"
"""Key in `nlp.meta` under which a pipeline lists the components that read data from its folder."""

_AWAITED: WeakKeyDictionary[Language, set[str]] = WeakKeyDictionary()
"""For each pipeline, the components that its saved meta data lists and that aren't created yet."""


class LinkerDictionary(SavedFile):
    """A dictionary that is opened at first use and saved together with its component.

    Opening a dictionary takes time, so a pipeline can be created quickly without it.

    Attributes:
        path: Path of the dictionary file. None selects the packaged dictionary.
        folder_definitions: Evidence from other documents, such as the definitions in them.
    """

    FILE, STATE, KIND = "dictionary.sqlite", "entries.json", "dictionary"
    OTHERWISE = ", or nothing for the packaged dictionary"

    def __init__(
        self,
        path: str | None = None,
        overlays: Sequence[str | Path] = (),
        opened: Dictionary | None = None,
    ) -> None:
        """Read the overlays and store the dictionary's path, without opening the dictionary.

        Args:
            path: Path of a dictionary file, or of a JSON file in the published GLADIS format. None
                selects the packaged dictionary.
            overlays: Paths of files with user entries and words to ignore. They are read
                immediately.
            opened: The dictionary, if it is open already. None opens the file at first use.

        Raises:
            InputError: If `path` is an inventory of concepts, or an overlay doesn't exist.
            FormatError: If an overlay has an invalid line.
        """
        if str(path).endswith(".concepts"):
            raise InputError(
                f"{path} is an inventory of concepts, not a dictionary of acronyms. Use the "
                "component concept_linker: nlp.add_pipe('concept_linker', "
                f"config={{'inventory': '{path}'}})."
            )
        self.path, self._opened = path, opened
        self._entries = read_user_entries(overlays)
        self.folder_definitions = FolderDefinitions()

    def replace(self, path: str) -> None:
        """Switch to another dictionary file and discard the user entries.

        The change affects all components that share this object.

        Args:
            path: Path of the new dictionary file.

        Raises:
            InputError: If `path` is an inventory of concepts.
        """
        self.path, self._entries, self._opened = LinkerDictionary(path).path, [], None

    def extend(self, overlays: Sequence[str | Path]) -> None:
        """Add user entries to the dictionary, for all components that share this object.

        Args:
            overlays: Paths of files with user entries and words to ignore.

        Raises:
            InputError: If an overlay doesn't exist.
            FormatError: If an overlay has an invalid line.
        """
        entries = read_user_entries(overlays)
        self._entries += entries
        if self._opened is not None:
            self._opened.add_rows(entries)

    @property
    def changed(self) -> bool:
        """Whether the dictionary differs from the packaged one, by its file or by user entries."""
        if self.path is not None or self._entries:
            return True
        return self._opened is not None and self._opened.has_changes

    def open(self) -> Dictionary:
        """Open the dictionary if necessary and return it.

        Returns:
            The dictionary with the user entries. Each call returns the same object.

        Raises:
            InputError: If the dictionary file doesn't exist.
            FormatError: If the dictionary file is damaged or has another format.
        """
        if self._opened is None:
            self._opened = Dictionary.open(self.path)
            self._opened.add_rows(self._entries)
        return self._opened

    def _state(self) -> dict[str, Any]:
        opened = self.open()
        state = {"entries": opened.overlay_state(), "fingerprint": opened.file_fingerprint}
        return (
            {**state, "learnt": self.folder_definitions.state()}
            if self.folder_definitions
            else state
        )

    def _restore(self, state: dict[str, Any], path: str | None) -> None:
        opened = Dictionary.from_overlay_state(state["entries"], path)
        self._check(state["fingerprint"], path, opened.file_fingerprint)
        self.path, self._entries, self._opened = path, [], opened
        self.folder_definitions = FolderDefinitions.from_state(state.get("learnt", {}))

    def _copy(self, path: Path) -> None:
        self.open().save(path)


def linker_dictionary(nlp: Language) -> LinkerDictionary | None:
    """Return the dictionary of the first linker in a pipeline.

    Args:
        nlp: The pipeline to search for a linker.

    Returns:
        The linker's dictionary, or None in a pipeline without a linker.
    """
    for _, pipe in nlp.components:
        if isinstance(dictionary := getattr(pipe, "linker_dictionary", None), LinkerDictionary):
            return dictionary
    return None


def share_dictionary(nlp: Language, dictionary: LinkerDictionary) -> None:
    """Let a pipeline's detectors use a linker's dictionary, unless they already use a linker's.

    A linker calls this function when it is created. Detectors that were given their own dictionary
    file keep it.

    Args:
        nlp: The pipeline whose detectors are changed.
        dictionary: The linker's dictionary, which may not be opened yet.
    """
    if linker_dictionary(nlp) is None:
        for _, pipe in nlp.components:
            if share := getattr(pipe, "share_dictionary", None):
                share(dictionary)


class DetectorDictionary:
    """The dictionary of a detector, which is opened at first use.

    The detector needs it to find abbreviations that have no typical shape, such as `c/o`. It is the
    dictionary of the pipeline's linker, or a separate one.

    Attributes:
        source: The dictionary, which may not be opened yet.
        is_separate: Whether the dictionary isn't shared with a linker.
        is_fixed: Whether the detector was given its own dictionary file. A linker's dictionary then
            doesn't replace it.
        uses_spellings: Whether to find the spellings that the file marks as abbreviations. The
            user's entries are always found.
        is_english_only: Whether to find these spellings only in English texts.
    """

    def __init__(self, nlp: Language, path: str | None, known: bool | None) -> None:
        """Choose the dictionary of a detector without opening it.

        Args:
            nlp: The pipeline to which the detector belongs.
            path: Path of a separate dictionary file. None uses the linker's dictionary, or the
                packaged one in a pipeline without a linker.
            known: Whether to find the spellings that the file marks as abbreviations. None finds
                them only in the English texts of English pipelines.
        """
        linker = linker_dictionary(nlp) if path is None else None
        self.is_separate = linker is None
        self.is_fixed = path is not None
        self.uses_spellings = nlp.lang == ENGLISH if known is None else known
        self.is_english_only = known is None
        self.source = linker or LinkerDictionary(path)

    def share(self, source: LinkerDictionary) -> None:
        """Use a linker's dictionary, unless the detector was given its own dictionary file.

        Args:
            source: The linker's dictionary, which may not be opened yet.
        """
        if not self.is_fixed:
            self.source, self.is_separate = source, False

    def over(self, dictionary: Dictionary) -> "DetectorDictionary":
        """Return a copy of this object with the same settings and another dictionary.

        Args:
            dictionary: The dictionary that the copy uses, already opened.

        Returns:
            The copy, whose dictionary isn't shared with a linker.
        """
        other = copy(self)
        other.is_separate = other.is_fixed = True
        other.source = LinkerDictionary(self.source.path, opened=dictionary)
        return other

    @property
    def must_be_saved(self) -> bool:
        """Whether the dictionary has changes that only the detector can save, not a linker."""
        return self.is_separate and self.source.changed

    def spellings(self, text: str) -> DictionarySpellings | None:
        """Return the abbreviations that only the dictionary can identify in a text, such as `c/o`.

        Args:
            text: The text to search. Its language decides whether the spellings in the file are
                used.

        Returns:
            The spellings, or None if the settings make the dictionary unnecessary. The dictionary
            is then not opened.
        """
        if self.is_separate and not self.uses_spellings and not self.source.changed:
            return None
        is_english = self.uses_spellings
        if is_english and self.is_english_only:
            is_english = detect_language(text) == ENGLISH
        return DictionarySpellings(self.source.open(), is_english)


def is_being_loaded(nlp: Language, name: str) -> bool:
    """Return whether spaCy is creating a component because it loads a saved pipeline.

    spaCy creates the components of a saved pipeline from their settings before it reads their
    folders. By then, files that the settings name may no longer exist, so a component must not read
    them.

    Each call also records the component in the pipeline's meta data. spaCy saves this data with the
    pipeline, and reads it before it creates the components.

    Args:
        nlp: The pipeline to which the component belongs.
        name: Name of the component in the pipeline.

    Returns:
        Whether the component is part of a pipeline that is being loaded.
    """
    recorded: list[str] = nlp.meta.setdefault(META, [])
    awaited = _AWAITED.setdefault(nlp, set(recorded))
    is_awaited = name in awaited
    awaited.discard(name)  # a later component of this name is new
    if name not in recorded:
        recorded.append(name)
    return is_awaited
