"""The acronyms of a set of documents: how often, where first, what they mean, what is amiss.

Editors and technical writers ask three things of it: does one acronym mean two things, is one
used that nobody defines, and does its definition come too late.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from spacy.tokens import Doc

from ..documents.source import Position, Source
from ..pipeline.annotations import definitions_of, mentions_of
from ..resolution import Resolution
from ..text import base_form, merge_key
from ..text.spelling import group_spellings, same_meaning

CONTEXT = 50
"""Characters of context at most on either side of a first use: of its line, in whole words."""


class Place(NamedTuple):
    """Where a mention stands: its number among all, document, line (from 1), what is around it.

    unit: what `line` counts, as in `documents.source.Position`.
    """

    number: int
    document: str
    line: int
    before: str
    mention: str
    after: str
    unit: str = "line"

    def __str__(self) -> str:
        return f"{self.document}:{self.line_of_unit}"

    @property
    def line_of_unit(self) -> str:
        """The line's number; what is counted before it where that is no line: "page 3"."""
        return str(self.line) if self.unit == "line" else f"{self.unit} {self.line}"


@dataclass
class Meaning:
    """What an acronym stands for somewhere; `first` and `example` are its first mention.

    `long_form` is None for mentions that nothing explains. `gloss` says what the meaning is, empty
    where the dictionary does not say.
    """

    long_form: str | None
    first: Place
    example: Resolution
    defined: bool = False
    mentions: int = 0
    documents: set[str] = field(default_factory=set)
    total: float = 0.0
    gloss: str = ""

    def count(self, document: str, answer: Resolution) -> None:
        """Take one mention in."""
        self.mentions += 1
        self.total += answer.probability
        self.defined |= answer.source == "definition"
        self.documents.add(document)
        self.gloss = self.gloss or answer.gloss

    @property
    def probability(self) -> float:
        """The mean probability of its mentions, 0..1."""
        return self.total / self.mentions

    @property
    def source(self) -> str:
        """`definition` where a document defines it, else `dictionary` or `nil`."""
        return "definition" if self.defined else self.example.source


@dataclass
class Entry:
    """An acronym with its meanings, those that occur most first and what is unknown last."""

    acronym: str
    meanings: list[Meaning]
    defined_late: Place | None = None
    """The first use, where it comes before the same document's definition."""

    @property
    def mentions(self) -> int:
        """How often it occurs in all documents."""
        return sum(meaning.mentions for meaning in self.meanings)

    @property
    def first(self) -> Place:
        """The first use of all."""
        return min(meaning.first for meaning in self.meanings)

    @property
    def conflict(self) -> bool:
        """Whether it has more than one known meaning."""
        return sum(meaning.long_form is not None for meaning in self.meanings) > 1

    @property
    def undefined(self) -> bool:
        """Whether no document defines it."""
        return not any(meaning.defined for meaning in self.meanings)

    @property
    def notes(self) -> list[str]:
        """What an editor should look at, in words."""
        known = sum(meaning.long_form is not None for meaning in self.meanings)
        notes = [f"{known} meanings"] if self.conflict else []
        notes += ["never defined"] if self.undefined else []
        notes += [f"used at {self.defined_late} before its definition"] if self.defined_late else []
        return notes


class Glossary:
    """Gathers the acronyms of documents, one document after the other.

    Spellings of one acronym (plural, possessive, dots) are one entry, spellings of one long form
    one meaning.
    """

    def __init__(self) -> None:
        self.documents = 0
        self.mentions = 0
        self._spellings: dict[str, Counter[str]] = {}
        self._meanings: dict[str, dict[str | None, Meaning]] = {}
        self._late: dict[str, Place] = {}

    def add(self, name: str, doc: Doc, source: Source | None = None) -> None:
        """Take the acronyms of a document in; lines are those of `source`, where it was read."""
        self.documents += 1
        text = doc.text
        first: dict[str, tuple[int, Place]] = {}
        for start, end, answer in mentions_of(doc):
            self.mentions += 1
            key = base_form(answer.acronym)
            self._spellings.setdefault(key, Counter())[answer.acronym] += 1
            meanings = self._meanings.setdefault(key, {})
            sense = None if answer.long_form is None else merge_key(answer.long_form)
            if sense not in meanings or key not in first:
                place = place_of(self.mentions, name, text, start, end, source)
                first.setdefault(key, (start, place))
                meanings.setdefault(sense, Meaning(answer.long_form, place, answer))
            meanings[sense].count(name, answer)
        definitions = definitions_of(doc)
        defined = {base_form(text[slice(*one.acronym)]) for one in definitions}
        at_definition = {one.acronym[0] for one in definitions}
        for key in defined & first.keys():
            start, place = first[key]
            if start not in at_definition:
                self._late.setdefault(key, place)

    def entries(self) -> list[Entry]:
        """The acronyms in alphabetical order."""
        entries = [
            Entry(self._headword(key), _join(list(found.values())), self._late.get(key))
            for key, found in self._meanings.items()
        ]
        return sorted(entries, key=lambda entry: (entry.acronym.casefold(), entry.acronym))

    def _headword(self, key: str) -> str:
        """The singular, if it occurs; else the most frequent spelling."""
        spellings = self._spellings[key]
        return key if key in spellings else spellings.most_common(1)[0][0]


def place_of(
    number: int, name: str, text: str, start: int, end: int, source: Source | None = None
) -> Place:
    """The place of `text[start:end]` in a document of this name, or in the source it is of."""
    at = source.position(start) if source else Position(text.count("\n", 0, start) + 1, 1)
    before = text[max(0, start - CONTEXT) : start].rpartition("\n")[2]
    if len(before) == CONTEXT:  # cut somewhere: leave the broken word out
        before = before.partition(" ")[2] or before
    after = text[end : end + CONTEXT].partition("\n")[0]
    if len(after) == CONTEXT:
        after = after.rpartition(" ")[0] or after
    return Place(number, name, at.line, before, text[start:end], after, at.unit)


def _join(found: list[Meaning]) -> list[Meaning]:
    """One meaning for its spellings, named as a definition or else most mentions name it."""
    known = [meaning for meaning in found if meaning.long_form is not None]
    known.sort(key=lambda meaning: (-meaning.defined, -meaning.mentions))
    joined: dict[int, Meaning] = {}
    groups = group_spellings(tuple(str(meaning.long_form) for meaning in known))
    for place, meaning in zip(groups, known, strict=True):
        joined[place] = _merge(joined[place], meaning) if place in joined else meaning
    unknown = []
    for meaning in (one for one in found if one.long_form is None):
        likeliest = meaning.example.candidates[0][0] if meaning.example.candidates else ""
        same = [n for n, one in joined.items() if same_meaning(str(one.long_form), likeliest)]
        if same:  # the same meaning, below the threshold
            joined[same[0]] = _merge(joined[same[0]], meaning)
        else:
            unknown.append(meaning)
    return sorted(joined.values(), key=lambda meaning: -meaning.mentions) + unknown


def _merge(one: Meaning, other: Meaning) -> Meaning:
    return Meaning(
        one.long_form,
        min(one.first, other.first),
        min((one, other), key=lambda meaning: meaning.first).example,
        one.defined or other.defined,
        one.mentions + other.mentions,
        one.documents | other.documents,
        one.total + other.total,
        one.gloss or other.gloss,
    )
