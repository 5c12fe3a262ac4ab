"""Glossaries of the acronyms in a set of documents.

A glossary answers three questions of editors: whether an acronym has several meanings, whether it
is used without a definition, and whether its definition comes after its first use.
"""

from collections import Counter
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from spacy.tokens import Doc

from ..documents.source import Position, Source
from ..pipeline.annotations import definitions_of, mentions_of
from ..resolution import Resolution
from ..text import base_form, merge_key
from ..text.spelling import group_spellings, same_meaning

CONTEXT = 50
"""Maximum number of characters that are shown on either side of an acronym. The context consists of
whole words from the same line."""


class Place(NamedTuple):
    """The place of an acronym in a document, with the text around it.

    Attributes:
        number: Number of the mention, counted from 1 through all documents.
        document: Name of the document.
        line: Number of the line or other unit, counted from 1.
        before: Text before the mention in the same line.
        mention: The acronym as it is written there.
        after: Text after the mention in the same line.
        unit: What `line` counts, such as ``line`` or ``page`` (see `documents.source.Position`).
    """

    number: int
    document: str
    line: int
    before: str
    mention: str
    after: str
    unit: str = "line"

    def __str__(self) -> str:
        """Return the document and the line, such as ``notes.txt:12`` or ``report.pdf:page 3``."""
        return f"{self.document}:{self.line_of_unit}"

    @property
    def line_of_unit(self) -> str:
        """The number of the line, such as "12", or a unit with its number, such as "page 3"."""
        return str(self.line) if self.unit == "line" else f"{self.unit} {self.line}"


@dataclass
class Meaning:
    """A meaning of an acronym, with counts of its mentions in all documents.

    Attributes:
        long_form: The long form. None stands for mentions that weren't resolved.
        first: Place of the first mention.
        example: Resolution of the first mention.
        defined: Whether a document defines the acronym with this meaning.
        mentions: Number of mentions.
        documents: Names of the documents with mentions.
        total: Sum of the probabilities of all mentions.
        gloss: Short description of the long form. Empty if the dictionary has none.
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
        """Count a mention of an acronym that has this meaning.

        Args:
            document: Name of the document that contains the mention.
            answer: Resolution of the mention, with its probability and source.
        """
        self.mentions += 1
        self.total += answer.probability
        self.defined |= answer.source == "definition"
        self.documents.add(document)
        self.gloss = self.gloss or answer.gloss

    @property
    def probability(self) -> float:
        """Mean probability of the mentions with this meaning (0 to 1)."""
        return self.total / self.mentions

    @property
    def source(self) -> str:
        """Where the meaning comes from.

        It is ``definition`` if a document defines the acronym with this meaning. Otherwise, it is
        the source of the first mention, such as ``dictionary``.
        """
        return "definition" if self.defined else self.example.source


@dataclass
class Entry:
    """An entry of a glossary, which consists of an acronym and all its meanings.

    Attributes:
        acronym: The acronym.
        meanings: Meanings of the acronym, most frequent first. Mentions that weren't resolved come
            last.
        defined_late: Place of the first use if the same document defines the acronym only later.
            None otherwise.
        spellings: Spellings of the acronym in the documents, such as its plural. The first is
            `acronym`, and the others follow by frequency.
    """

    acronym: str
    meanings: list[Meaning]
    defined_late: Place | None = None
    spellings: tuple[str, ...] = ()

    @property
    def mentions(self) -> int:
        """Number of mentions of the acronym in all documents."""
        return sum(meaning.mentions for meaning in self.meanings)

    @property
    def first(self) -> Place:
        """Place of the acronym's first mention in all documents."""
        return min(meaning.first for meaning in self.meanings)

    @property
    def conflict(self) -> bool:
        """Whether the acronym has more than one known meaning in the documents."""
        return sum(meaning.long_form is not None for meaning in self.meanings) > 1

    @property
    def undefined(self) -> bool:
        """Whether the acronym is used although no document defines it."""
        return not any(meaning.defined for meaning in self.meanings)

    @property
    def notes(self) -> list[str]:
        """Problems with the acronym, as short notes for an editor, such as "2 meanings"."""
        count = sum(meaning.long_form is not None for meaning in self.meanings)
        notes = [f"{count} meanings"] if self.conflict else []
        notes += ["never defined"] if self.undefined else []
        notes += [f"used at {self.defined_late} before its definition"] if self.defined_late else []
        return notes


class Glossary:
    """A glossary of the acronyms in a set of documents. Add the documents one by one.

    Spellings of an acronym, such as "CNN", "CNNs" and "C.N.N.", share an entry. Spellings of a long
    form share a meaning.

    Attributes:
        documents: Number of documents that were added.
        mentions: Number of mentions of acronyms in all documents.
    """

    def __init__(self) -> None:
        """Create a glossary without documents. Add documents with `add`."""
        self.documents = 0
        self.mentions = 0
        self._spellings: dict[str, Counter[str]] = {}
        self._meanings: dict[str, dict[str | None, Meaning]] = {}
        self._late: dict[str, Place] = {}

    def add(self, name: str, doc: Doc, source: Source | None = None) -> None:
        """Add the acronyms of a document to the glossary.

        Args:
            name: Name of the document, which the glossary shows at its acronyms.
            doc: Document that a pipeline has annotated.
            source: The text that was read from a file, which provides the line numbers in the file.
                None counts the lines in the document's text.
        """
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
        defined = {base_form(text[slice(*definition.acronym)]) for definition in definitions}
        at_definition = {definition.acronym[0] for definition in definitions}
        for key in defined & first.keys():
            start, place = first[key]
            if start not in at_definition:
                self._late.setdefault(key, place)

    def entries(self) -> list[Entry]:
        """Return the entries of the glossary, one for each acronym.

        Returns:
            The entries in alphabetical order, with upper and lower case mixed.
        """
        entries = [
            Entry(
                self._headword(key),
                _join(list(meanings.values())),
                self._late.get(key),
                self._all_spellings(key),
            )
            for key, meanings in self._meanings.items()
        ]
        return sorted(entries, key=lambda entry: (entry.acronym.casefold(), entry.acronym))

    def _headword(self, key: str) -> str:
        """Return the spelling of an acronym that the glossary lists it under.

        It is the singular if it occurs in the documents, and the most frequent spelling otherwise.
        """
        spellings = self._spellings[key]
        return key if key in spellings else spellings.most_common(1)[0][0]

    def _all_spellings(self, key: str) -> tuple[str, ...]:
        """Return all spellings of an acronym.

        The first is the one that the glossary lists it under.
        """
        spellings = [spelling for spelling, _ in self._spellings[key].most_common()]
        return tuple(dict.fromkeys([self._headword(key), *spellings]))


def place_of(
    number: int, name: str, text: str, start: int, end: int, source: Source | None = None
) -> Place:
    """Return the place of an acronym in a document, with the text around it.

    Args:
        number: Number of the mention, counted from 1 through all documents.
        name: Name of the document.
        text: Text of the document.
        start: Character offset at which the mention starts.
        end: Character offset at which the mention ends (exclusive).
        source: The text that was read from a file, which provides the line numbers in the file.
            None counts the lines in `text`.

    Returns:
        The place, with up to `CONTEXT` characters before and after the mention.
    """
    position = source.position(start) if source else Position(text.count("\n", 0, start) + 1, 1)
    before = text[max(0, start - CONTEXT) : start].rpartition("\n")[2]
    if len(before) == CONTEXT:  # leave out the word that was cut off
        before = before.partition(" ")[2] or before
    after = text[end : end + CONTEXT].partition("\n")[0]
    if len(after) == CONTEXT:
        after = after.rpartition(" ")[0] or after
    return Place(number, name, position.line, before, text[start:end], after, position.unit)


def _join(meanings: list[Meaning]) -> list[Meaning]:
    """Join meanings of an acronym whose long forms are spellings of each other.

    The joined meaning has the spelling of a definition if there is one, and the most frequent
    spelling otherwise. Mentions that weren't resolved join the meaning that equals their best
    candidate.
    """
    resolved = [meaning for meaning in meanings if meaning.long_form is not None]
    resolved.sort(key=lambda meaning: (-meaning.defined, -meaning.mentions))
    joined: dict[int, Meaning] = {}
    groups = group_spellings(tuple(str(meaning.long_form) for meaning in resolved))
    for group, meaning in zip(groups, resolved, strict=True):
        joined[group] = _merge(joined[group], meaning) if group in joined else meaning
    unknown = []
    for meaning in (other for other in meanings if other.long_form is None):
        best = meaning.example.candidates[0][0] if meaning.example.candidates else ""
        same = [n for n, other in joined.items() if same_meaning(str(other.long_form), best)]
        if same:  # the mention has a known meaning, but its probability is too low
            joined[same[0]] = _merge(joined[same[0]], meaning)
        else:
            unknown.append(meaning)
    return sorted(joined.values(), key=lambda meaning: -meaning.mentions) + unknown


def _merge(meaning: Meaning, other: Meaning) -> Meaning:
    return Meaning(
        meaning.long_form,
        min(meaning.first, other.first),
        min((meaning, other), key=attrgetter("first")).example,
        meaning.defined or other.defined,
        meaning.mentions + other.mentions,
        meaning.documents | other.documents,
        meaning.total + other.total,
        meaning.gloss or other.gloss,
    )
