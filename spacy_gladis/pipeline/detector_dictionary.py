"""What the detector asks a dictionary: which spellings are acronyms, which words are none."""

from collections.abc import Callable
from copy import copy
from unicodedata import normalize

from spacy.language import Language

from ..dictionary import Dictionary
from ..text import Offsets, base_form, find_known, find_spaced, find_spelled
from .languages import ENGLISH, told_language
from .linker_dictionary import LinkerDictionary, linker_dictionary

LISTED = 100
"""Times that the sources give what is an acronym even in a headline."""


class DetectorDictionary:
    """The dictionary of the pipeline's linker, the same object, or else one of the detector's own.

    path: a dictionary file of the detector's own; None: the linker's, without a linker the
        packaged one. known: whether the spellings that the file marks count; None: in the English
        texts of English pipelines. A person's own entries count always. Nothing is opened before it
        is needed.
    """

    def __init__(self, nlp: Language, path: str | None, known: bool | None) -> None:
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
        """The same over another open dictionary."""
        made = copy(self)
        made.own = made.fixed = True
        made.source = LinkerDictionary(self.source.path, opened=dictionary)
        return made

    @property
    def entries(self) -> Dictionary | None:
        """The open dictionary; None where nothing of it is asked for."""
        if self.own and not self.known and not self.source.changed:
            return None
        return self.source.open()

    @property
    def must_be_saved(self) -> bool:
        """Whether no linker saves it, and it is not the packaged one as it is."""
        return self.own and self.source.changed

    def with_known(self, text: str, acronyms: list[Offsets]) -> list[Offsets]:
        """The acronyms with those that the dictionary tells, the longer one at a place."""
        entries = self.entries
        if entries is None:
            return acronyms
        own = entries.own
        known = self.known and not (self.english_only and told_language(text) != ENGLISH)
        if known:
            found = find_known(text, entries.known, acronyms, own, entries.count)
        else:
            found = find_known(text, own, acronyms, own) if own else []
        spaced = [one for one in find_spaced(text) if entries.matches(text[slice(*one)])]
        found = [*found, *find_spelled(text, own), *spaced]
        if not found:
            return acronyms
        kept: list[Offsets] = []
        for start, end in sorted([*acronyms, *found], key=lambda one: (one[0], -one[1])):
            if not kept or start >= kept[-1][1]:
                kept.append((start, end))
            elif end - start > kept[-1][1] - kept[-1][0]:
                kept[-1] = (start, end)
        return kept

    @property
    def listed_test(self) -> Callable[[str], bool] | None:
        """A test whether the sources know a word in capitals well as an acronym, and no text as a
        word; None where they do not tell words."""
        entries = self.entries
        if entries is None or not self.known or not entries.words:
            return None
        return lambda word: word.lower() not in entries.words and entries.count(word) >= LISTED

    @property
    def attested_test(self) -> Callable[[str], bool] | None:
        """A test whether an English word in capitals is an acronym; None without a dictionary."""
        entries = self.entries
        return None if entries is None else entries.lists

    def is_own(self, acronym: str) -> bool:
        """Whether a person entered an acronym, be it spelled with other blanks or accents."""
        entries = self.entries
        return entries is not None and " ".join(normalize("NFC", acronym).split()) in entries.own

    @property
    def ignored(self) -> frozenset[str]:
        """The words that are not acronyms."""
        entries = self.entries
        return entries.ignored if entries is not None else frozenset()


def is_ignored(word: str, ignored: frozenset[str]) -> bool:
    """Whether a word, or what it is the plural of, is among those to ignore."""
    return bool(ignored) and (word in ignored or base_form(word) in ignored)
