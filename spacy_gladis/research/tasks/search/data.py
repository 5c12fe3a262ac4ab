"""Collections of chunks, and queries made from their sentences.

A repository is a collection. Its texts are cut into chunks. A chunk speaks of a *sense*, which is
an acronym with its long form according to the authors' glossary, in two spellings:

- short: it has a gold mention of the sense. An occurrence of the acronym without a gold mention
  counts, too, if the repository's glossary has a single long form for it.
- long: it has the words of the long form, in any inflection.

A query is a sentence with only one of the spellings. The relevant chunks are all other chunks that
speak of the sense in any spelling.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ....errors import InputError
from ....text import Offsets, base_form, find_occurrences, merge_key
from ....text.long_form_finder import LongFormFinder
from ...datasets.texts import LabelledText, read_texts
from ..task import DataSet, Details, Reader

LONGEST_CHUNK = 800
"""Characters from which a chunk takes no further sentence."""

FEWEST_CHUNKS = 30
"""Collections with fewer chunks are left out: ten results would be a large part of them."""

QUERIES_OF_SENSE = 3
"""Maximum number of queries for a sense in each direction, each from another chunk."""

NEAR = 3
"""Words on either side of the acronym or long form in the queries called "words"."""

SHORTEST_QUERY, LONGEST_QUERY = 4, 60
"""Limits of a query's sentence, in words."""

KINDS = ("sentence", "words", "term")
"""What a query has: the sentence, the term with `NEAR` words on either side, or the term."""

DEEPEST = 100
"""Number of results of a query. A relevant chunk beyond counts as not found."""

_BREAK = re.compile(r"(?<=[.!?])[ \t]+(?=[A-Z(])|\s*\n\s*")
_WORD = re.compile(r"\S+")

Sense = tuple[str, str]
"""The acronym's base form and the long form's merge key."""

Ranking = Sequence[int]
"""Numbers of chunks of the query's collection, best first."""


class Chunk(NamedTuple):
    """A part of a document.

    Attributes:
        text: The text.
        document: The document's name.
        short: The senses that it speaks of by the acronym.
        long: The senses that it speaks of by the long form.
    """

    text: str
    document: str
    short: frozenset[Sense]
    long: frozenset[Sense]


@dataclass(frozen=True, eq=False)
class Collection:
    """The chunks of a repository.

    Attributes:
        name: The repository.
        chunks: The chunks.
        glossary: The acronyms and long forms of the authors' glossary that the documents use.
    """

    name: str
    chunks: Sequence[Chunk]
    glossary: Sequence[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class Training:
    """What a search indexes.

    Attributes:
        collections: The collections.
    """

    collections: Sequence[Collection]


class Query(NamedTuple):
    """A query.

    Attributes:
        text: The query.
        collection: Number of the collection.
        chunk: Number of the chunk that it comes from, which isn't a result.
    """

    text: str
    collection: int
    chunk: int


class Relevant(NamedTuple):
    """The right results of a query.

    Attributes:
        chunks: Numbers of the chunks that speak of the sense.
        other: Those of them that have only the other spelling.
    """

    chunks: frozenset[int]
    other: frozenset[int]


@dataclass
class _Place:
    """A term in a sentence of a chunk."""

    sense: Sense
    sentence: str
    start: int
    end: int


@dataclass
class _Parts:
    """The chunks of a repository with the terms that queries are made of."""

    chunks: list[Chunk] = field(default_factory=list)
    short: list[list[_Place]] = field(default_factory=list)
    long: list[list[_Place]] = field(default_factory=list)


SearchData = DataSet[Training, Query, Sequence[Relevant]]


@dataclass
class Documents(Reader[Training, Query, Sequence[Relevant]]):
    """Reads documents with their authors' glossaries as collections with queries."""

    def read(self, paths: Sequence[Path]) -> Iterator[SearchData]:
        """Read the documents of all files.

        Args:
            paths: Files of JSON lines, as `datasets.texts` reads them.

        Yields:
            A data set for each direction and kind of query.

        Raises:
            InputError: If there is no such file, or the documents give no queries.
            FormatError: If a line is not a labelled text. The message names it.
        """
        repositories: defaultdict[str, list[LabelledText]] = defaultdict(list)
        for path in paths:
            for text in read_texts(path):
                repositories[text.repository].append(text)
        collections: list[Collection] = []
        short: list[tuple[int, int, _Place]] = []
        long: list[tuple[int, int, _Place]] = []
        for name, texts in repositories.items():
            glossary = authors_glossary(texts)
            parts = _cut_repository(texts, glossary)
            if len(parts.chunks) >= FEWEST_CHUNKS:
                number = len(collections)
                collections.append(Collection(name, parts.chunks, glossary))
                short += [(number, *place) for place in _choose(parts.short)]
                long += [(number, *place) for place in _choose(parts.long)]
        training = Training(collections)
        directions = {"short to long": (short, True), "long to short": (long, False)}
        for direction, (places, is_short) in directions.items():
            usable = [
                (query, relevant)
                for query in places
                if (relevant := _relevant(collections[query[0]], query, is_short)).other
            ]
            if not usable:
                raise InputError(
                    f"The documents have no queries from {direction}: no collection with at least "
                    f"{FEWEST_CHUNKS} chunks has both spellings of an acronym."
                )
            for kind in KINDS:
                queries = [
                    Query(make_query(place.sentence, (place.start, place.end), kind), number, chunk)
                    for (number, chunk, place), _ in usable
                ]
                details: Details = {
                    "queries": len(queries),
                    "senses": len({(number, place.sense) for (number, _, place), _ in usable}),
                    "collections": len({query.collection for query in queries}),
                    "chunks": sum(len(collection.chunks) for collection in collections),
                }
                gold = [relevant for _, relevant in usable]
                texts_of = [query.text for query in queries]
                yield DataSet(f"{direction}, {kind}", training, queries, gold, details, texts_of)


def authors_glossary(texts: Sequence[LabelledText]) -> list[tuple[str, str]]:
    """Return the entries of the authors' glossary that a repository's documents use.

    Args:
        texts: The documents with their gold mentions.

    Returns:
        Acronyms in their base form and long forms, each pair once.
    """
    pairs = {
        (base_form(mention.acronym), merge_key(long_form)): (base_form(mention.acronym), long_form)
        for text in texts
        for mention in text.mentions
        for long_form in mention.long_forms[:1]
    }
    return list(pairs.values())


def make_query(sentence: str, term: Offsets, kind: str) -> str:
    """Make a query of a sentence.

    Args:
        sentence: The sentence.
        term: Offsets of the acronym or long form in it.
        kind: One of `KINDS`.

    Returns:
        The query.
    """
    start, end = term
    if kind == "sentence":
        return sentence
    if kind == "term":
        return sentence[start:end]
    before = sentence[:start].split()[-NEAR:]
    after = sentence[end:].split()[:NEAR]
    return " ".join([*before, sentence[start:end], *after])


def cut_text(text: str) -> list[list[Offsets]]:
    """Cut a text into chunks of whole sentences.

    Args:
        text: The text.

    Returns:
        The offsets of the sentences of each chunk.
    """
    sentences, start = [], 0
    for gap in [*_BREAK.finditer(text), None]:
        end = gap.start() if gap else len(text)
        if text[start:end].strip():
            sentences.append((start, end))
        start = gap.end() if gap else end
    chunks: list[list[Offsets]] = []
    for sentence in sentences:
        if chunks and sentence[1] - chunks[-1][0][0] <= LONGEST_CHUNK:
            chunks[-1].append(sentence)
        else:
            chunks.append([sentence])
    return chunks


def _cut_repository(texts: Sequence[LabelledText], glossary: Sequence[tuple[str, str]]) -> _Parts:
    """Cut the texts of a repository into chunks, and find their senses."""
    finder = LongFormFinder(long_form for _, long_form in glossary)
    senses_of: defaultdict[str, list[Sense]] = defaultdict(list)
    long_forms: defaultdict[str, list[Sense]] = defaultdict(list)
    for acronym, long_form in glossary:
        sense = acronym, merge_key(long_form)
        long_forms[sense[1]].append(sense)
        senses_of[acronym].append(sense)
    single = {acronym: senses[0] for acronym, senses in senses_of.items() if len(senses) == 1}
    parts = _Parts()
    for text in texts:
        gold = {
            (mention.start, mention.end): (base_form(mention.acronym), merge_key(long_form))
            for mention in text.mentions
            for long_form in mention.long_forms[:1]
        }
        places = {
            (start, end): single[acronym]
            for start, end, acronym in find_occurrences(text.text, single)
        }
        short = sorted({**places, **gold}.items())
        long = [
            (place, sense)
            for place, long_form in finder.find(text.text)
            for sense in long_forms[merge_key(long_form)]
        ]
        for sentences in cut_text(text.text):
            start, end = sentences[0][0], sentences[-1][1]
            in_chunk = [
                [(place, sense) for place, sense in terms if start <= place[0] and place[1] <= end]
                for terms in (short, long)
            ]
            of_short, of_long = (frozenset(sense for _, sense in terms) for terms in in_chunk)
            parts.chunks.append(Chunk(text.text[start:end], text.name, of_short, of_long))
            in_gold = [(place, sense) for place, sense in in_chunk[0] if place in gold]
            parts.short.append(_places(text.text, sentences, in_gold, in_chunk[1]))
            parts.long.append(_places(text.text, sentences, in_chunk[1], in_chunk[0]))
    return parts


def _places(
    text: str,
    sentences: Sequence[Offsets],
    terms: Sequence[tuple[Offsets, Sense]],
    others: Sequence[tuple[Offsets, Sense]],
) -> list[_Place]:
    """Return the terms in sentences of usable length without the sense's other spelling."""
    places = []
    for begin, end in sentences:
        if not SHORTEST_QUERY <= len(_WORD.findall(text[begin:end])) <= LONGEST_QUERY:
            continue
        with_other = {sense for place, sense in others if begin <= place[0] and place[1] <= end}
        places += [
            _Place(sense, text[begin:end], place[0] - begin, place[1] - begin)
            for place, sense in terms
            if begin <= place[0] and place[1] <= end and sense not in with_other
        ]
    return places


def _choose(places: Sequence[Sequence[_Place]]) -> Iterator[tuple[int, _Place]]:
    """Yield the first places of each sense, each from another chunk, with the chunk's number."""
    numbers: defaultdict[Sense, int] = defaultdict(int)
    for chunk, in_chunk in enumerate(places):
        for place in {place.sense: place for place in reversed(in_chunk)}.values():
            if numbers[place.sense] < QUERIES_OF_SENSE:
                numbers[place.sense] += 1
                yield chunk, place


def _relevant(collection: Collection, query: tuple[int, int, _Place], is_short: bool) -> Relevant:
    """Return the chunks that speak of a query's sense, without its own chunk."""
    _, origin, place = query
    short = {n for n, chunk in enumerate(collection.chunks) if place.sense in chunk.short}
    long = {n for n, chunk in enumerate(collection.chunks) if place.sense in chunk.long}
    other = long - short if is_short else short - long
    return Relevant(frozenset((short | long) - {origin}), frozenset(other - {origin}))
