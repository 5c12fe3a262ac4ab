"""The detector's dictionary, which is the one of the pipeline's linker or a separate one."""

from copy import copy

from spacy.language import Language

from ..dictionary import Dictionary
from ..dictionary.spellings import DictionarySpellings
from .languages import ENGLISH, detect_language
from .linker_dictionary import LinkerDictionary, linker_dictionary


class DetectorDictionary:
    """The linker's dictionary, or a separate one for the detector; opened at first use.

    Attributes:
        source: The dictionary, open or not.
        is_separate: Whether it isn't shared with a linker.
        is_fixed: Whether the detector was given a file, which a linker's dictionary doesn't
            replace.
        uses_spellings: Whether the spellings that the file marks count. The user's entries always
            count.
        is_english_only: Whether these spellings count only in English texts.
    """

    def __init__(self, nlp: Language, path: str | None, known: bool | None) -> None:
        """Remember which dictionary to use.

        Args:
            nlp: The pipeline.
            path: Path of a separate dictionary file. None uses the linker's dictionary, or the
                packaged one in a pipeline without a linker.
            known: Whether the spellings that the file marks as abbreviations count. None counts
                them in the English texts of English pipelines.
        """
        linker = linker_dictionary(nlp) if path is None else None
        self.is_separate = linker is None
        self.is_fixed = path is not None
        self.uses_spellings = nlp.lang == ENGLISH if known is None else known
        self.is_english_only = known is None
        self.source = linker or LinkerDictionary(path)

    def share(self, source: LinkerDictionary) -> None:
        """Use a linker's dictionary unless the detector was given a file.

        Args:
            source: The linker's dictionary.
        """
        if not self.is_fixed:
            self.source, self.is_separate = source, False

    def over(self, dictionary: Dictionary) -> "DetectorDictionary":
        """Return a copy with the same settings and another open dictionary.

        Args:
            dictionary: The open dictionary.

        Returns:
            The copy.
        """
        other = copy(self)
        other.is_separate = other.is_fixed = True
        other.source = LinkerDictionary(self.source.path, opened=dictionary)
        return other

    @property
    def must_be_saved(self) -> bool:
        """Whether it has changes that no linker saves."""
        return self.is_separate and self.source.changed

    def spellings(self, text: str) -> DictionarySpellings | None:
        """Return the abbreviations that the dictionary identifies by their spelling.

        Args:
            text: The text, whose language decides whether the file's spellings count.

        Returns:
            The spellings, or None if the dictionary isn't needed.
        """
        if self.is_separate and not self.uses_spellings and not self.source.changed:
            return None
        is_english = self.uses_spellings
        if is_english and self.is_english_only:
            is_english = detect_language(text) == ENGLISH
        return DictionarySpellings(self.source.open(), is_english)
