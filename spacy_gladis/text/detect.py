"""Detect the acronyms of a text and the definitions that the text gives.

This is the only detector. The component `acronym_detector`, the linter and glossaries call it. It
depends neither on spaCy nor on a dictionary file: a dictionary is passed in as `Spellings`.
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
"""Length limits, in characters, of an undefined acronym that is not a user entry."""


class Spellings(Protocol):
    """A dictionary's view of the spellings in a text."""

    @property
    def abbreviations(self) -> Collection[str]:
        """Abbreviations that have no acronym shape, such as ``c/o`` and ``k8s``."""

    @property
    def user_entries(self) -> frozenset[str]:
        """Spellings that a user entered. They are detected anywhere."""

    @property
    def ignored(self) -> frozenset[str]:
        """Words that are never detected as acronyms."""

    @property
    def finder(self) -> Finder | None:
        """The model that decides which spellings are abbreviations. None uses rules only."""

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
            word: The word in capitals.
        """

    def is_acronym(self, word: str) -> bool:
        """Return whether an English word in capitals is an acronym.

        Args:
            word: The word in capitals.
        """

    def is_user_entry(self, acronym: str) -> bool:
        """Return whether a user entered an acronym, possibly with other spaces or accents.

        Args:
            acronym: The acronym as written.
        """


@dataclass(frozen=True)
class Detected:
    """The acronyms of a text, by character offsets.

    Attributes:
        definitions: Acronyms with the long forms that the text gives.
        mentions: All acronyms, in text order, without overlaps.
        defined: Maps each mention that a definition explains to the index of this definition.
    """

    definitions: tuple[Definition, ...] = ()
    mentions: tuple[Offsets, ...] = ()
    defined: Mapping[Offsets, int] | None = None

    @property
    def undefined(self) -> list[Offsets]:
        """The mentions that the text does not define."""
        defined = self.defined or {}
        return [mention for mention in self.mentions if mention not in defined]


def detect(
    text: str,
    spellings: Spellings | None = None,
    *,
    patterns: bool = True,
    undefined: bool = True,
) -> Detected:
    """Detect the acronyms and definitions of a text.

    Args:
        text: The document's text.
        spellings: The dictionary's spellings. With None, only shapes count.
        patterns: Whether to use all patterns of definitions, or only those of Schwartz and Hearst
            (2003).
        undefined: Whether to find acronyms without a definition, too.

    Returns:
        The definitions and mentions.
    """
    acronyms = shaped_acronyms(text, spellings)
    definitions = define(text, acronyms, spellings, patterns=patterns)
    return complete(text, definitions, acronyms, spellings, undefined=undefined)


def shaped_acronyms(text: str, spellings: Spellings | None) -> list[Offsets]:
    """Find what has the shape of an acronym.

    Args:
        text: The document's text.
        spellings: The dictionary's spellings. With None, only shapes count.

    Returns:
        Character offsets, in text order.
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
    """Find the definitions of a text, without those of ignored words.

    Args:
        text: The document's text.
        acronyms: Character offsets of acronyms found by shape. With `patterns`, neighbouring words
            may define them.
        spellings: The dictionary's spellings. With None, no word is ignored.
        patterns: Whether to use all patterns of definitions, or only those of Schwartz and Hearst
            (2003).

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
    """Collect all mentions: those of definitions, and acronyms that overlap none of these.

    Args:
        text: The document's text.
        definitions: The definitions of the text.
        acronyms: Character offsets of acronyms found by shape.
        spellings: The dictionary's spellings. With None, only shapes count.
        undefined: Whether to find acronyms without a definition, too.

    Returns:
        The definitions and mentions.
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
    """Find the abbreviations of a text. Compounds are split if their parts have meanings.

    A finder decides if `spellings` has one. The package ships no finder weights, so by default the
    rules below decide.

    Args:
        text: The document's text.
        acronyms: Character offsets of acronyms found by shape.
        spellings: The dictionary's spellings. With None, only shapes count.
        explained: Acronyms that the text defines.

    Returns:
        Character offsets, in text order, without overlaps.
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
    """Yield user entries, and spaced capitals that have a meaning."""
    user_entries = spellings.user_entries
    if user_entries:
        yield from find_known(text, user_entries, acronyms, user_entries)
        yield from find_spelled(text, user_entries)
    for span in find_spaced(text):
        if spellings.has_meaning(text[slice(*span)]):
            yield span


def _longer_first(spans: Iterable[Offsets]) -> list[Offsets]:
    """Return the spans without overlaps. Of two that overlap, the longer one stays."""
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
    """Yield the letters of readings that the dictionary lists and no mention covers."""
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
    """Return whether a word or its singular is ignored.

    Args:
        word: The word as written.
        ignored: Words to ignore.
    """
    return bool(ignored) and (word in ignored or base_form(word) in ignored)


def cover(text: str, spans: Iterable[Offsets]) -> bytearray:
    """Mark the characters that spans cover.

    Args:
        text: The document's text.
        spans: Character offsets.

    Returns:
        One byte for each character of the text: 1 if a span covers it, else 0.
    """
    covered = bytearray(len(text))
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    return covered
