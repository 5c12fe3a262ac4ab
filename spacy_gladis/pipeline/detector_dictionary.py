"""The dictionary that a detector asks: that of the pipeline's linker, or one of its own."""

from copy import copy

from spacy.language import Language

from ..dictionary import Dictionary
from ..dictionary.spellings import DictionarySpellings
from .languages import ENGLISH, told_language
from .linker_dictionary import LinkerDictionary, linker_dictionary


class DetectorDictionary:
    """The dictionary of the pipeline's linker, the same object, or else one of the detector's own.

    Attributes:
        source: The dictionary, open or not; nothing is opened before it is needed.
        own: Whether no linker has it.
        fixed: Whether the detector was given a file, which a linker's does not replace.
        known: Whether the spellings that the file marks count; the user's entries always do.
        english_only: Whether they count in English texts alone.
    """

    def __init__(self, nlp: Language, path: str | None, known: bool | None) -> None:
        """Choose a dictionary.

        Args:
            nlp: The pipeline.
            path: A dictionary file of the detector's own. None: the linker's, without a linker the
                packaged one.
            known: Whether the spellings that the file marks count. None: in the English texts of
                English pipelines.
        """
        linker = linker_dictionary(nlp) if path is None else None
        self.own = linker is None
        self.fixed = path is not None
        self.known = nlp.lang == ENGLISH if known is None else known
        self.english_only = known is None
        self.source = linker or LinkerDictionary(path)

    def share(self, source: LinkerDictionary) -> None:
        """Take a linker's dictionary, unless the detector was given one."""
        if not self.fixed:
            self.source, self.own = source, False

    def over(self, dictionary: Dictionary) -> "DetectorDictionary":
        """Return the same over another open dictionary."""
        made = copy(self)
        made.own = made.fixed = True
        made.source = LinkerDictionary(self.source.path, opened=dictionary)
        return made

    @property
    def must_be_saved(self) -> bool:
        """Whether no linker saves it, and it is not the packaged one as it is."""
        return self.own and self.source.changed

    def spellings(self, text: str) -> DictionarySpellings | None:
        """Return what the dictionary tells of a text's spellings; None if it is not asked."""
        if self.own and not self.known and not self.source.changed:
            return None
        is_english = self.known
        if is_english and self.english_only:
            is_english = told_language(text) == ENGLISH
        return DictionarySpellings(self.source.open(), is_english)
