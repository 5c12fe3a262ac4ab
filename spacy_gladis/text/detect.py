"""Detect the acronyms in a text and the definitions that the text contains.

The component `acronym_detector`, the linter and the commands for glossaries use this detector. It
depends neither on spaCy nor on a dictionary file. Callers pass in a dictionary as `Spellings`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from .definitions import find_definitions, find_unmarked
from .finder import Finder, Lexicon
from .known import find_known, find_spelled
from .mention import Definition, Offsets, cover
from .occurrences import defined_mentions
from .schwartz_hearst import schwartz_hearst
from .shapes import find_acronyms, find_readings, find_spaced, split_compounds
from .spelling import base_form, plain_hyphens
from .tokens import without_words

SHORTEST, LONGEST = 2, 20
"""Minimum and maximum number of characters of an acronym that the text doesn't define. Entries of
the user may be shorter or longer, and a finder also finds single letters."""


class Spellings(Protocol):
    """Protocol for the information that the detector needs about a dictionary."""

    @property
    def abbreviations(self) -> Collection[str]:
        """Abbreviations that don't look like acronyms, such as ``c/o`` and ``k8s``."""

    @property
    def user_entries(self) -> frozenset[str]:
        """Spellings that the user added to the dictionary. They are detected anywhere in a text."""

    @property
    def ignored(self) -> frozenset[str]:
        """Words that the detector never reports as acronyms, whatever their spelling."""

    @property
    def finder(self) -> Finder | None:
        """The model that finds abbreviations which no rule finds. None means only rules decide."""

    def count(self, acronym: str) -> int:
        """Return how often the dictionary's sources list an acronym in exactly this spelling.

        Args:
            acronym: The acronym as written.
        """

    def has_meaning(self, acronym: str) -> bool:
        """Return whether the dictionary has a long form for an acronym, in any of its spellings.

        Args:
            acronym: The acronym as written, such as ``CNNs``.
        """

    def is_acronym_in_headline(self, word: str) -> bool:
        """Return whether a word of a headline in capitals is an acronym.

        Args:
            word: A word of the headline, in capitals.
        """

    def is_acronym(self, word: str) -> bool:
        """Return whether an English word in capitals is used as an acronym, such as ``AIDS``.

        Args:
            word: An English word in capitals.
        """

    def is_user_entry(self, acronym: str) -> bool:
        """Return whether the user added an acronym, possibly with other spaces or accents.

        Args:
            acronym: The acronym as written.
        """


@dataclass(frozen=True)
class Detected:
    """The acronyms that occur in a text, and the definitions that the text contains.

    Attributes:
        definitions: The definitions that the text contains.
        mentions: Start and end offsets of all acronyms, in text order and without overlaps.
        defined: A dictionary with the mentions that the text defines as keys. Each value is the
            index of the definition in `definitions`. None means that no mention is defined.
    """

    definitions: tuple[Definition, ...] = ()
    mentions: tuple[Offsets, ...] = ()
    defined: Mapping[Offsets, int] | None = None

    @property
    def undefined(self) -> list[Offsets]:
        """Offsets of the mentions whose acronyms the text doesn't define, in text order."""
        defined = self.defined or {}
        return [mention for mention in self.mentions if mention not in defined]


def detect(
    text: str,
    spellings: Spellings | None = None,
    *,
    patterns: bool = True,
    undefined: bool = True,
) -> Detected:
    """Detect the acronyms in a text and the definitions that the text contains.

    Args:
        text: Text of the document.
        spellings: Spellings in a dictionary. If it is None, acronyms are only found by their
            spelling and by definitions.
        patterns: Whether to use all patterns of definitions. If False, only those of Schwartz and
            Hearst (2003) are used.
        undefined: Whether to also find acronyms that the text doesn't define.

    Returns:
        The definitions, and the mentions of all acronyms.
    """
    acronyms = shaped_acronyms(text, spellings)
    definitions = define(text, acronyms, spellings, patterns=patterns)
    return complete(text, definitions, acronyms, spellings, undefined=undefined)


def shaped_acronyms(text: str, spellings: Spellings | None) -> list[Offsets]:
    """Find the words of a text that are spelled like acronyms, such as ``MRI`` and ``mRNA``.

    Args:
        text: Text of the document.
        spellings: Spellings in a dictionary, which decides about words in headlines. It may be
            None.

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
    """Find the definitions that a text contains, except definitions of ignored words.

    Args:
        text: Text of the document.
        acronyms: Character offsets of the words that are spelled like acronyms. If `patterns` is
            True, the neighbouring words are also searched for their long forms.
        spellings: Spellings in a dictionary, including the words to ignore. If it is None, no word
            is ignored.
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
    """Collect the mentions of all acronyms in a text whose definitions are already known.

    The result contains each mention of a defined acronym, and all other acronyms that don't overlap
    such a mention.

    Args:
        text: Text of the document.
        definitions: The definitions that the text contains.
        acronyms: Character offsets of the words that are spelled like acronyms.
        spellings: Spellings in a dictionary. If it is None, acronyms are only found by their
            spelling.
        undefined: Whether to also find acronyms that the text doesn't define.

    Returns:
        The given definitions, and the mentions of all acronyms.
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

    If `spellings.finder` is set, this model adds abbreviations that no rule finds.

    Args:
        text: Text of the document.
        acronyms: Character offsets of the words that are spelled like acronyms.
        spellings: Spellings in a dictionary. If it is None, only `acronyms` are considered.
        explained: Acronyms that the text defines.

    Returns:
        Character offsets of the abbreviations, in text order and without overlaps.
    """
    text = plain_hyphens(text)
    explained = set(map(plain_hyphens, explained))
    if spellings is None:
        return list(split_compounds(text, acronyms, lambda _: False, explained))
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
    found = list(split_compounds(text, candidates, spellings.has_meaning, explained))
    finder = spellings.finder
    if finder is None:
        return found
    lexicon = Lexicon(spellings.count, spellings.abbreviations)
    return sorted([*found, *finder.find(text, acronyms, lexicon, found)])


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
    """Remove overlaps between spans by keeping the longer of two overlapping spans."""
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
            is_letter = spellings.finder is not None and end - start < SHORTEST
            fits = is_letter or spellings.is_user_entry(acronym)
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
    """Return whether a word, or its form without plural ending and dots, is in a set of words.

    Args:
        word: The word as written.
        ignored: The words to ignore.
    """
    return bool(ignored) and (word in ignored or base_form(word) in ignored)
