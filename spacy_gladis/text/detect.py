"""Detect the acronyms in a text and the definitions that the text gives.

The component `acronym_detector`, the linter and the glossaries all use this detector. It depends
neither on spaCy nor on a dictionary file. A dictionary is passed in as `Spellings`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from .definitions import find_definitions, find_unmarked
from .english import without_words
from .finder import Finder, Lexicon
from .known import find_known, find_spelled
from .mention import Definition, Offsets
from .occurrences import defined_mentions
from .schwartz_hearst import schwartz_hearst
from .shapes import find_acronyms, find_readings, find_spaced, split_compounds
from .spelling import base_form, plain_hyphens

SHORTEST, LONGEST = 2, 20
"""Minimum and maximum number of characters of an undefined acronym that is not a user entry."""


class Spellings(Protocol):
    """Protocol for objects that tell the detector which spellings a dictionary contains."""

    @property
    def abbreviations(self) -> Collection[str]:
        """Abbreviations that don't have the shape of an acronym, such as ``c/o`` and ``k8s``."""

    @property
    def user_entries(self) -> frozenset[str]:
        """The spellings that a user entered, which are detected anywhere in a text."""

    @property
    def ignored(self) -> frozenset[str]:
        """Words that the detector never reports as acronyms."""

    @property
    def finder(self) -> Finder | None:
        """The model that decides which spellings are abbreviations, or None to use rules only."""

    def count(self, acronym: str) -> int:
        """Return how often the sources list an acronym in exactly this spelling.

        Args:
            acronym: The acronym as written.
        """

    def has_meaning(self, acronym: str) -> bool:
        """Return whether an acronym has a meaning in any of its spellings.

        Args:
            acronym: The acronym as written.
        """

    def is_acronym_in_headline(self, word: str) -> bool:
        """Return whether a word of a headline in capitals is an acronym.

        Args:
            word: A word of the headline.
        """

    def is_acronym(self, word: str) -> bool:
        """Return whether an English word in capitals is an acronym.

        Args:
            word: An English word in capitals.
        """

    def is_user_entry(self, acronym: str) -> bool:
        """Return whether an acronym is a user entry, possibly with other spaces or accents.

        Args:
            acronym: The acronym as written.
        """


@dataclass(frozen=True)
class Detected:
    """The acronyms and definitions that were detected in a text.

    Attributes:
        definitions: The definitions that the text gives.
        mentions: Character offsets of all acronyms, in text order and without overlaps.
        defined: A mapping from each mention that a definition explains to the index of this
            definition in `definitions`.
    """

    definitions: tuple[Definition, ...] = ()
    mentions: tuple[Offsets, ...] = ()
    defined: Mapping[Offsets, int] | None = None

    @property
    def undefined(self) -> list[Offsets]:
        """The mentions of acronyms that the text does not define."""
        defined = self.defined or {}
        return [mention for mention in self.mentions if mention not in defined]


def detect(
    text: str,
    spellings: Spellings | None = None,
    *,
    patterns: bool = True,
    undefined: bool = True,
) -> Detected:
    """Detect the acronyms in a text and the definitions that the text gives.

    Args:
        text: Text of the document.
        spellings: Spellings of a dictionary. None to detect acronyms by their shapes only.
        patterns: Whether to use all patterns of definitions. If False, only those of Schwartz and
            Hearst (2003) are used.
        undefined: Whether to also find acronyms that the text doesn't define.

    Returns:
        The definitions and mentions in the text.
    """
    acronyms = shaped_acronyms(text, spellings)
    definitions = define(text, acronyms, spellings, patterns=patterns)
    return complete(text, definitions, acronyms, spellings, undefined=undefined)


def shaped_acronyms(text: str, spellings: Spellings | None) -> list[Offsets]:
    """Find the words of a text that have the shape of an acronym.

    Args:
        text: Text of the document.
        spellings: Spellings of a dictionary. None to detect acronyms by their shapes only.

    Returns:
        Character offsets of the words, in text order.
    """
    headline = spellings.is_acronym_in_headline if spellings else None
    return find_acronyms(plain_hyphens(text), headline)


def define(
    text: str,
    acronyms: Sequence[Offsets],
    spellings: Spellings | None,
    *,
    patterns: bool,
) -> list[Definition]:
    """Find the definitions that a text gives, except those of ignored words.

    Args:
        text: Text of the document.
        acronyms: Character offsets of acronyms that were found by their shape. With `patterns`,
            their long forms are also searched among the neighbouring words.
        spellings: Spellings of a dictionary, including the words to ignore. None to ignore no word.
        patterns: Whether to use all patterns of definitions. If False, only those of Schwartz and
            Hearst (2003) are used.

    Returns:
        The definitions, in text order.
    """
    ignored = spellings.ignored if spellings else frozenset()
    definitions = find_definitions(text) if patterns else schwartz_hearst(text)
    definitions = _without_ignored(text, definitions, ignored)
    if not patterns:
        return definitions
    unmarked = _without_ignored(text, find_unmarked(text, acronyms, definitions), ignored)
    return sorted([*definitions, *unmarked])


def complete(
    text: str,
    definitions: Sequence[Definition],
    acronyms: Sequence[Offsets],
    spellings: Spellings | None,
    *,
    undefined: bool = True,
) -> Detected:
    """Collect all mentions of acronyms in a text.

    These are the mentions of defined acronyms, and all other acronyms that don't overlap them.

    Args:
        text: Text of the document.
        definitions: The definitions that the text gives.
        acronyms: Character offsets of acronyms that were found by their shape.
        spellings: Spellings of a dictionary. None to detect acronyms by their shapes only.
        undefined: Whether to also find acronyms that the text doesn't define.

    Returns:
        The definitions and mentions in the text.
    """
    defined = defined_mentions(text, list(definitions))
    mentions = list(defined)
    if undefined:
        explained = {text[slice(*offsets)] for offsets in defined}
        candidates = abbreviations(text, acronyms, spellings, explained)
        mentions = sorted([*mentions, *_apart_from(text, defined, candidates, spellings)])
        mentions = sorted([*mentions, *_readings(text, mentions, spellings)])
    return Detected(tuple(definitions), tuple(mentions), defined)


def abbreviations(
    text: str,
    acronyms: Sequence[Offsets],
    spellings: Spellings | None,
    explained: Set[str] = frozenset(),
) -> list[Offsets]:
    """Find the abbreviations in a text, and split compounds whose parts have meanings.

    If `spellings` has a finder, this model decides which spellings are abbreviations. The package
    doesn't include a finder, so rules decide by default.

    Args:
        text: Text of the document.
        acronyms: Character offsets of acronyms that were found by their shape.
        spellings: Spellings of a dictionary. None to detect acronyms by their shapes only.
        explained: Acronyms that the text defines.

    Returns:
        Character offsets of the abbreviations, in text order and without overlaps.
    """
    text = plain_hyphens(text)
    explained = set(map(plain_hyphens, explained))
    if spellings is None:
        return list(split_compounds(text, acronyms, lambda _: False, explained))
    if finder := spellings.finder:
        lexicon = Lexicon(spellings.count, spellings.abbreviations)
        matches = finder.find(text, acronyms, lexicon)
        return _longer_first([*matches, *_entered(text, matches, spellings)])
    attested = without_words(text, acronyms, spellings.is_acronym)
    user_entries = spellings.user_entries
    if dictionary_spellings := spellings.abbreviations:
        attested = _longer_first(
            [
                *attested,
                *find_known(text, dictionary_spellings, attested, user_entries, spellings.count),
            ]
        )
    candidates = _longer_first([*attested, *_entered(text, attested, spellings)])
    return list(split_compounds(text, candidates, spellings.has_meaning, explained))


def _entered(text: str, acronyms: list[Offsets], spellings: Spellings) -> Iterator[Offsets]:
    """Yield the user entries in a text, and capitals with spaces in between that have a meaning."""
    user_entries = spellings.user_entries
    if user_entries:
        yield from find_known(text, user_entries, acronyms, user_entries)
        yield from find_spelled(text, user_entries)
    for span in find_spaced(text):
        if spellings.has_meaning(text[slice(*span)]):
            yield span


def _longer_first(spans: Iterable[Offsets]) -> list[Offsets]:
    """Remove overlaps by keeping the longer of two overlapping spans."""
    chosen: list[Offsets] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not chosen or start >= chosen[-1][1]:
            chosen.append((start, end))
        elif end - start > chosen[-1][1] - chosen[-1][0]:
            chosen[-1] = (start, end)
    return chosen


def _apart_from(
    text: str,
    defined: Iterable[Offsets],
    acronyms: Iterable[Offsets],
    spellings: Spellings | None,
) -> Iterator[Offsets]:
    """Yield acronyms of a valid length that overlap no defined mention and are not ignored."""
    taken = cover(text, defined)
    ignored = spellings.ignored if spellings else frozenset()
    for start, end in acronyms:
        acronym = text[start:end]
        fits = SHORTEST <= end - start <= LONGEST
        if not fits and spellings is not None:
            fits = spellings.finder is not None or spellings.is_user_entry(acronym)
        if fits and taken.find(1, start, end) < 0 and not is_ignored(acronym, ignored):
            yield start, end


def _readings(
    text: str, mentions: Iterable[Offsets], spellings: Spellings | None
) -> Iterator[Offsets]:
    """Yield the letters of measured values that the dictionary lists and no mention covers."""
    if spellings is None:
        return
    taken = None
    for start, end in find_readings(text):
        letter = text[start:end]
        if spellings.count(letter) and not is_ignored(letter, spellings.ignored):
            taken = cover(text, mentions) if taken is None else taken
            if not taken[start]:
                yield start, end


def _without_ignored(
    text: str, definitions: Iterable[Definition], ignored: frozenset[str]
) -> list[Definition]:
    return [
        definition
        for definition in definitions
        if not is_ignored(text[slice(*definition.acronym)], ignored)
    ]


def is_ignored(word: str, ignored: frozenset[str]) -> bool:
    """Return whether a word or its singular is among the words to ignore.

    Args:
        word: The word as written.
        ignored: The words to ignore.
    """
    return bool(ignored) and (word in ignored or base_form(word) in ignored)


def cover(text: str, spans: Iterable[Offsets]) -> bytearray:
    """Mark the characters of a text that are covered by spans.

    Args:
        text: Text of the document.
        spans: Character offsets of the spans.

    Returns:
        One byte for each character of the text, which is 1 if a span covers it and 0 if not.
    """
    covered = bytearray(len(text))
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    return covered
