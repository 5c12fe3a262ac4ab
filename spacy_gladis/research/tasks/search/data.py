"""Data sets for search, which are made from the documents of repositories.

Each repository becomes a collection, whose documents are cut into *chunks*. A chunk is a search
result. A *sense* is an acronym with one of its long forms, according to the authors' glossary. A
chunk can contain a sense in two spellings:

- "short": it contains the acronym as a gold mention of the sense. Other occurrences of the acronym
  also count if the glossary of the repository has a single long form for it.
- "long": it contains the words of the long form, in any inflection.

A query is made from a sentence that contains only one of the two spellings. The relevant results
are all other chunks that contain the sense in any spelling.
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
"""Maximum number of characters of a chunk. Only a chunk of a single sentence can be longer."""

FEWEST_CHUNKS = 30
"""Minimum number of chunks of a collection. Smaller collections are left out, because ten results
would be a large part of them."""

QUERIES_OF_SENSE = 3
"""Maximum number of queries for a sense in each direction. They come from different chunks."""

NEAR = 3
"""Number of words on either side of the acronym or long form in queries of the kind "words"."""

SHORTEST_QUERY, LONGEST_QUERY = 4, 60
"""Minimum and maximum number of words of the sentence from which a query is made."""

KINDS = ("sentence", "words", "term")
"""Kinds of queries. A query is the whole sentence, the term (the acronym or long form) with `NEAR`
words on either side, or the term alone."""

DEEPEST = 100
"""Number of results of a query. Relevant chunks that are not among them count as not found."""

_BREAK = re.compile(r"(?<=[.!?])[ \t]+(?=[A-Z(])|\s*\n\s*")
_WORD = re.compile(r"\S+")

Sense = tuple[str, str]
"""A meaning of an acronym: the base form of the acronym and the merge key of the long form."""

Ranking = Sequence[int]
"""The results of a query: indices of chunks in the query's collection, starting with the best."""


class Chunk(NamedTuple):
    """A part of a document that a search can return, with the meanings of acronyms it contains.

    Attributes:
        text: Text of the chunk.
        document: Name of the document that contains the chunk.
        short: Senses whose acronym occurs in the chunk.
        long: Senses whose long form occurs in the chunk.
    """

    text: str
    document: str
    short: frozenset[Sense]
    long: frozenset[Sense]


@dataclass(frozen=True, eq=False)
class Collection:
    """The documents of a repository, cut into the chunks among which a query is searched.

    Attributes:
        name: Name of the repository.
        chunks: Chunks of all documents, in the order of the documents.
        glossary: Pairs of acronym and long form from the authors' glossary that occur in the
            documents.
    """

    name: str
    chunks: Sequence[Chunk]
    glossary: Sequence[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class Training:
    """The collections of documents that a search system indexes.

    Attributes:
        collections: Collections of chunks. Each query is searched in one of them.
    """

    collections: Sequence[Collection]


class Query(NamedTuple):
    """A search query, made from a sentence of a document.

    Attributes:
        text: Words to search for.
        collection: Index of the collection in which to search.
        chunk: Index of the chunk from which the query was made. It is not a result.
    """

    text: str
    collection: int
    chunk: int


class Relevant(NamedTuple):
    """The right results of a query.

    Attributes:
        chunks: Indices of all chunks that contain the sense of the query in any spelling.
        other: Indices of the chunks that contain the sense only in the spelling that the query does
            not have. They are hard to find without an expansion of the query.
    """

    chunks: frozenset[int]
    other: frozenset[int]


@dataclass
class _Place:
    """An acronym or long form in a sentence, with its offsets in this sentence."""

    sense: Sense
    sentence: str
    start: int
    end: int


@dataclass
class _Parts:
    """The chunks of a repository, and for each chunk the terms from which queries can be made."""

    chunks: list[Chunk] = field(default_factory=list)
    short: list[list[_Place]] = field(default_factory=list)
    long: list[list[_Place]] = field(default_factory=list)


SearchData = DataSet[Training, Query, Sequence[Relevant]]


@dataclass
class Documents(Reader[Training, Query, Sequence[Relevant]]):
    """Reads documents with labelled acronyms, and makes search queries from their sentences."""

    def read(self, paths: Sequence[Path]) -> Iterator[SearchData]:
        """Read the documents of all files, and create the collections and queries.

        Args:
            paths: JSON Lines files of documents with labelled acronyms.

        Yields:
            A data set for each direction ("short to long" and "long to short") and each kind of
            query. All of them have the same collections.

        Raises:
            InputError: If a file does not exist, or if no queries can be made from the documents.
            FormatError: If a line is not a labelled text. The message names the line.
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
                    f"The documents have no queries from {direction}: no repository with at least "
                    f"{FEWEST_CHUNKS} chunks of text contains both an acronym and its long form in "
                    "different chunks. Give more documents."
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
    """Return the entries of the authors' glossary that occur in the documents of a repository.

    The entries are taken from the gold mentions. If a mention has several gold long forms, only the
    first one is used.

    Args:
        texts: Documents of the repository with their gold mentions.

    Returns:
        Distinct pairs of an acronym and its long form. The acronym is in its base form, such as
        "CNN" for "CNNs".
    """
    pairs = {
        (base_form(mention.acronym), merge_key(long_form)): (base_form(mention.acronym), long_form)
        for text in texts
        for mention in text.mentions
        for long_form in mention.long_forms[:1]
    }
    return list(pairs.values())


def make_query(sentence: str, term: Offsets, kind: str) -> str:
    """Make a search query from a sentence that contains an acronym or a long form.

    Args:
        sentence: Sentence of a document.
        term: Character offsets of the acronym or long form in the sentence.
        kind: Kind of query: "sentence", "words" (the term with `NEAR` words on either side) or
            "term".

    Returns:
        The text of the query.
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

    Sentences are added to a chunk as long as it has at most `LONGEST_CHUNK` characters.

    Args:
        text: Text of a document.

    Returns:
        For each chunk, the character offsets of its sentences in the text.
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
    """Cut the texts of a repository into chunks, and find the acronyms and long forms in them."""
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
    """Return the terms in sentences of usable length that lack the other spelling of the sense."""
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
    """Yield the first terms of each sense, with the number of the chunk. A chunk gives only one."""
    numbers: defaultdict[Sense, int] = defaultdict(int)
    for chunk, in_chunk in enumerate(places):
        for place in {place.sense: place for place in reversed(in_chunk)}.values():
            if numbers[place.sense] < QUERIES_OF_SENSE:
                numbers[place.sense] += 1
                yield chunk, place


def _relevant(collection: Collection, query: tuple[int, int, _Place], is_short: bool) -> Relevant:
    """Return the chunks that contain the sense of a query, without the query's own chunk."""
    _, origin, place = query
    short = {n for n, chunk in enumerate(collection.chunks) if place.sense in chunk.short}
    long = {n for n, chunk in enumerate(collection.chunks) if place.sense in chunk.long}
    other = long - short if is_short else short - long
    return Relevant(frozenset((short | long) - {origin}), frozenset(other - {origin}))
