"""A document as the rules see it: definitions and uses of acronyms, and what is running text."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple
from unicodedata import category

from ..dictionary import Dictionary
from ..dictionary.parts import defined_in_parts
from ..dictionary.spellings import DictionarySpellings
from ..documents.source import Position, Source, Spans
from ..output.markup import EDITABLE, Edit, as_markup
from ..text import base_form
from ..text.detect import Detected, detect
from ..text.spelling import letters_of
from .settings import Settings

_LOOK = 100  # characters
_ARTICLE = re.compile(r"\b[Aa]n?[\s*_\"'“‘]+\Z")
_ARTICLE_LOOK = 12  # characters
_BRACKETED = re.compile(r"(.*\w) ?[(\[](?:\w+ (?:and|or) |(?P<more>(?:\w+ ){1,2}))?\Z", re.DOTALL)
_ALONE = re.compile(r"[)\];]| ?[\u2013\u2014]| (?:and|or) ")
_NAMED = re.compile(
    r"\b(?:abbreviated|called|designated|dubbed|named|termed|known as|referred to as)"
    r"(?: as| by| the)? [\"“]?\Z"
)
_DASH = re.compile(r".*\s[-\u2013\u2014]+\s", re.DOTALL)  # "ntpd - Network Time ..."


class Use(NamedTuple):
    """A mention that defines nothing, at `text[start:end]`; key: equal for one acronym's forms."""

    key: str
    acronym: str
    start: int
    end: int


class Defined(NamedTuple):
    """A definition, and where in the original its acronym stands.

    glossary: an entry of a list or of markup, which holds for the whole document.
    acronym_at, long_form_at: offsets in the text; None where the format's markup defines.
    """

    key: str
    acronym: str
    long_form: str
    offset: int
    glossary: bool = False
    acronym_at: tuple[int, int] | None = None
    long_form_at: tuple[int, int] | None = None


class LintDocument:
    """A source with what the rules ask of it.

    proposals: for undefined acronyms, by where they begin in the text, a long form and its
        probability.
    """

    def __init__(
        self,
        source: Source,
        settings: Settings,
        proposals: Mapping[int, tuple[str, float]] | None = None,
    ) -> None:
        self.source, self.settings, self.text = source, settings, source.text
        self.proposals = proposals or {}

    @cached_property
    def _apart(self) -> Spans:
        """What is not running text."""
        return Spans((one.start, one.end) for one in self.source.regions)

    @cached_property
    def _glossaries(self) -> Spans:
        listed = (one for one in self.source.regions if one.kind == "glossary")
        return Spans((one.start, one.end) for one in listed)

    def is_running(self, start: int) -> bool:
        """Whether a character of the text is of running text."""
        return not self._apart.has(start)

    @cached_property
    def _detected(self) -> Detected:
        return detect(self.text, LintSpellings(_dictionary(), user_entries=self.settings.own))

    @cached_property
    def definitions(self) -> list[Defined]:
        """The definitions, in the original's order; one that is marked and spelled out, once."""
        found = {}
        for marked in self.source.definitions:
            key = base_form(marked.acronym)
            words = " ".join(marked.long_form.split())
            found[key, marked.offset] = Defined(key, marked.acronym, words, marked.offset, True)
        for one in self._detected.definitions:
            start, end = one.acronym
            acronym = self.text[start:end]
            offset = self.source.original_offset(start)
            key = base_form(acronym)
            dash = _DASH.match(self.text[slice(*one.long_form)])
            cut = dash.end() if dash else 0
            words = " ".join(one.words(self.text)[cut:].split())
            if sum(map(str.isupper, acronym)) < 2 or _is_name(acronym, words):
                continue
            listed = self._glossaries.has(start)
            place = (one.long_form[0] + cut, one.long_form[1])
            defined = Defined(key, acronym, words, offset, listed, one.acronym, place)
            found.setdefault((key, offset), defined)
        return sorted(found.values(), key=lambda one: one.offset)

    @cached_property
    def defined_in_parts(self) -> frozenset[str]:
        """The keys of acronyms that files define which this one takes in."""
        return frozenset(key for key, _ in defined_in_parts(self.source))

    @cached_property
    def by_key(self) -> dict[str, list[Defined]]:
        """The definitions of each acronym, in the original's order."""
        found: defaultdict[str, list[Defined]] = defaultdict(list)
        for one in self.definitions:
            found[one.key].append(one)
        return dict(found)

    @cached_property
    def running_definitions(self) -> list[Defined]:
        """Those that stand in running text."""
        return [one for one in self.definitions if self._is_running(one)]

    def _is_running(self, one: Defined) -> bool:
        return one.acronym_at is not None and self.is_running(one.acronym_at[0])

    @cached_property
    def uses(self) -> list[Use]:
        """The mentions in running text that define nothing, in the text's order."""
        return [one for one in self._mentions if not self._is_explained(one)]

    @cached_property
    def explained(self) -> list[Use]:
        """The mentions that the text explains, if not by words that spell them: alone in brackets,
        "rice straw (RSB)"; behind a verb, "a model called RSB"; more stands in the brackets, "Rice
        and Straw Bank of Asia (RSB 2.0)"; or if no mark joins words and acronym, "the Rice Straw
        Bank RSB"."""
        return [one for one in self._mentions if self._is_explained(one)]

    @cached_property
    def _mentions(self) -> list[Use]:
        defining = Spans(one.acronym_at for one in self.definitions if one.acronym_at)
        spelled = Spans(one.long_form_at for one in self.definitions if one.long_form_at)
        found: list[Use] = []
        for start, end in self._detected.mentions:
            if self.is_running(start) and not defining.has(start) and not spelled.has(start):
                acronym = self.text[start:end]
                found.append(Use(base_form(acronym), acronym, start, end))
        return found

    def _is_explained(self, use: Use) -> bool:
        before = self.text[max(0, use.start - _LOOK) : use.start]
        words = _BRACKETED.match(before)
        if not words:
            return _NAMED.search(before) is not None
        initials = iter(re.findall(r"\b\w", words[1].casefold()))
        spelled = letters_of(use.key)
        near = " ".join(words[1].casefold().split()[-len(spelled) :])
        inside = iter(near[(" " + near).find(" " + spelled[0]) :])
        if not words["more"] and _ALONE.match(self.text, use.end):
            return True
        return any(all(one in found for one in spelled) for found in (initials, inside))

    @cached_property
    def by_use(self) -> dict[str, list[Use]]:
        """The uses of each acronym, in the text's order."""
        found: defaultdict[str, list[Use]] = defaultdict(list)
        for one in self.uses:
            found[one.key].append(one)
        return dict(found)

    def offset(self, use: Use) -> int:
        """Where a use stands in the original."""
        return self.source.original_offset(use.start)

    def place(self, offset: int) -> Position:
        """The place in the file of an offset of the original."""
        return self.source.position_of_original(offset)

    def replacement(self, start: int, end: int, text: str) -> tuple[Edit, ...]:
        """Return the edit that replaces `self.text[start:end]`; none if it is not safe.

        It is not safe in a format that is not edited, where markup lies inside, outside of running
        text, and behind "a" or "an", which might no longer fit.
        """
        source = self.source
        before = self.text[max(0, start - _ARTICLE_LOOK) : start]
        if source.format not in EDITABLE or not self.is_running(start) or not source.path:
            return ()
        if text and _ARTICLE.search(before):
            return ()
        span = source.original_span(start, end)
        return (Edit(*span, as_markup(text, source.format)),) if span else ()

    def sections(self) -> Iterator[tuple[int, int]]:
        """The text from title to title, by offsets; where sections do not count, all of it."""
        starts = [0]
        if self.settings.scope == "section":
            starts += [one.end for one in self.source.regions if one.kind == "title"]
        yield from zip(starts, [*starts[1:], len(self.text) + 1], strict=True)


@dataclass(frozen=True)
class LintSpellings(DictionarySpellings):
    """What the linter takes for acronyms: their shape, and the project's own list.

    Shorthand in small letters is no acronym that a document has to define, so the dictionary's
    English spellings don't count. It tells acronyms from words in capitals, and compounds from
    their parts.

    Attributes:
        user_entries: The acronyms of the project's own list.
    """

    is_english: bool = False
    user_entries: frozenset[str] = frozenset()

    def is_acronym(self, word: str) -> bool:
        """Whether an English word in capitals is an acronym that texts define often."""
        return self.dictionary.attests(word)


@cache
def _dictionary() -> Dictionary:
    """The packaged dictionary, which tells acronyms from words in capitals."""
    return Dictionary.open()


def _is_name(acronym: str, words: str) -> bool:
    """Whether what looks like a definition is another name: PC9 (PC-9), isisd (IS-IS), A ↔ B."""
    first = acronym.split()[0]
    longer = sum(map(str.isupper, first)) > 1 and words.startswith(first)
    formula = any(category(sign) == "Sm" and sign != "+" for sign in acronym)
    same = letters_of(words).startswith(letters_of(acronym)) and " " not in words
    return formula or longer or same or letters_of(words) == letters_of(acronym)
