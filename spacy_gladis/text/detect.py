"""Detect the acronyms of a text and the definitions that it gives them itself.

This is the only detector: the component `acronym_detector`, the linter and glossaries call it. It
knows no spaCy and no dictionary file; what a dictionary tells of spellings comes through
`Spellings`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from .definitions import find_definitions
from .english import without_words
from .finder import Finder, Lexicon
from .known import find_known, find_spelled
from .mention import Definition, Offsets
from .occurrences import defined_mentions
from .readings import find_readings
from .schwartz_hearst import schwartz_hearst
from .shapes import find_acronyms, find_spaced, split_compounds
from .spelling import base_form
from .unmarked import find_unmarked

SHORTEST, LONGEST = 2, 20
"""Characters of an undefined acronym that nobody entered."""


class Spellings(Protocol):
    """What a dictionary tells of the spellings of a text."""

    @property
    def known(self) -> Collection[str]:
        """Spellings that are abbreviations whatever their shape: ``c/o``, ``k8s``."""

    @property
    def user_entries(self) -> frozenset[str]:
        """Spellings that a user entered; these are found anywhere."""

    @property
    def ignored(self) -> frozenset[str]:
        """Words that are no acronyms."""

    @property
    def finder(self) -> Finder | None:
        """The model that decides which spellings are abbreviations; None for rules alone."""

    def count(self, acronym: str) -> int:
        """Return how often the sources give an acronym in this very spelling."""

    def has_meaning(self, acronym: str) -> bool:
        """Whether an acronym has a meaning, in any of its spellings."""

    def is_acronym_in_headline(self, word: str) -> bool:
        """Whether a word of a headline in capitals is an acronym all the same."""

    def is_acronym(self, word: str) -> bool:
        """Whether an English word in capitals is an acronym all the same."""

    def is_user_entry(self, acronym: str) -> bool:
        """Whether a user entered an acronym, be it with other blanks or accents."""


@dataclass(frozen=True)
class Detected:
    """The acronyms of a text, by character offsets.

    Attributes:
        definitions: Acronyms with the long forms that the text gives them.
        mentions: All acronyms, in text order, none overlapping.
        defined: Of the mentions that a definition explains, the definition's number.
    """

    definitions: tuple[Definition, ...] = ()
    mentions: tuple[Offsets, ...] = ()
    defined: Mapping[Offsets, int] | None = None

    @property
    def undefined(self) -> list[Offsets]:
        """The mentions that the text does not explain."""
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
        text: The text.
        spellings: What a dictionary tells; None for shapes alone.
        patterns: Read all patterns of definitions, or only those of Schwartz and Hearst (2003).
        undefined: Find acronyms without a definition, too.
    """
    acronyms = shaped_acronyms(text, spellings)
    definitions = define(text, acronyms, spellings, patterns=patterns)
    return complete(text, definitions, acronyms, spellings, undefined=undefined)


def shaped_acronyms(text: str, spellings: Spellings | None) -> list[Offsets]:
    """Return what looks like an acronym, by character offsets."""
    return find_acronyms(text, spellings.is_acronym_in_headline if spellings else None)


def define(
    text: str,
    acronyms: Sequence[Offsets],
    spellings: Spellings | None,
    *,
    patterns: bool,
) -> list[Definition]:
    """Return the definitions of a text, but for words that are to be ignored.

    Args:
        text: The text.
        acronyms: What looks like an acronym; with `patterns` words beside it may define it.
        spellings: What a dictionary tells; None for nothing.
        patterns: Read all patterns, or only those of Schwartz and Hearst (2003).
    """
    ignored = spellings.ignored if spellings else frozenset()
    definitions = find_definitions(text) if patterns else schwartz_hearst(text)
    definitions = _without_ignored(text, definitions, ignored)
    if not patterns:
        return definitions
    beside = _without_ignored(text, find_unmarked(text, acronyms, definitions), ignored)
    return sorted([*definitions, *beside])


def complete(
    text: str,
    definitions: Sequence[Definition],
    acronyms: Sequence[Offsets],
    spellings: Spellings | None,
    *,
    undefined: bool = True,
) -> Detected:
    """Return all mentions: those of definitions, and the acronyms that overlap none of them.

    Args:
        text: The text.
        definitions: Its definitions.
        acronyms: What looks like an acronym.
        spellings: What a dictionary tells; None for nothing.
        undefined: Find acronyms without a definition, too.
    """
    defined = defined_mentions(text, list(definitions))
    mentions = list(defined)
    if undefined:
        explained = {text[slice(*place)] for place in defined}
        places = abbreviations(text, acronyms, spellings, explained)
        mentions = sorted([*mentions, *_apart_from(text, defined, places, spellings)])
        mentions = sorted([*mentions, *_readings(text, mentions, spellings)])
    return Detected(tuple(definitions), tuple(mentions), defined)


def abbreviations(
    text: str,
    acronyms: Sequence[Offsets],
    spellings: Spellings | None,
    explained: Set[str] = frozenset(),
) -> list[Offsets]:
    """Return the abbreviations of a text, with the parts of compounds that are known apart.

    A finder decides if `spellings` has one. The package ships no finder weights, so by default the
    rules below decide.

    Args:
        text: The text.
        acronyms: What looks like an acronym.
        spellings: What a dictionary tells; None for shapes alone.
        explained: Acronyms that the text explains.
    """
    if spellings is None:
        return list(split_compounds(text, acronyms, lambda _: False, explained))
    if finder := spellings.finder:
        lexicon = Lexicon(spellings.count, spellings.known)
        found = finder.find(text, acronyms, lexicon)
        return _longer_first([*found, *_entered(text, found, spellings)])
    attested = without_words(text, acronyms, spellings.is_acronym)
    own = spellings.user_entries
    if known := spellings.known:
        attested = _longer_first(
            [*attested, *find_known(text, known, attested, own, spellings.count)]
        )
    together = _longer_first([*attested, *_entered(text, attested, spellings)])
    return list(split_compounds(text, together, spellings.has_meaning, explained))


def _entered(text: str, acronyms: list[Offsets], spellings: Spellings) -> Iterator[Offsets]:
    """Yield what the user entered, and capitals with spaces between that have a meaning."""
    own = spellings.user_entries
    if own:
        yield from find_known(text, own, acronyms, own)
        yield from find_spelled(text, own)
    for span in find_spaced(text):
        if spellings.has_meaning(text[slice(*span)]):
            yield span


def _longer_first(spans: Iterable[Offsets]) -> list[Offsets]:
    """Return spans that do not overlap; of two that do, the longer one."""
    kept: list[Offsets] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
        elif end - start > kept[-1][1] - kept[-1][0]:
            kept[-1] = (start, end)
    return kept


def _apart_from(
    text: str,
    defined: Iterable[Offsets],
    acronyms: Iterable[Offsets],
    spellings: Spellings | None,
) -> Iterator[Offsets]:
    """Yield acronyms of a fitting length that overlap no defined mention and are not ignored."""
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
    """Yield the letters of readings that the dictionary has and that are no mention's part."""
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
    """Whether a word, or what it is the plural of, is among those to ignore."""
    return bool(ignored) and (word in ignored or base_form(word) in ignored)


def cover(text: str, spans: Iterable[Offsets]) -> bytearray:
    """Return for each character of the text 1 where a span covers it, else 0."""
    covered = bytearray(len(text))
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    return covered
