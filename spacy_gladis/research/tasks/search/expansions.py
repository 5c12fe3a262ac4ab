"""Adds missing spellings of acronyms to queries or chunks, to improve a search.

The spellings come from the authors' glossary, from the meanings that this package finds in the
documents, or from both. Every expansion is computed only once for all systems that search the same
collections.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache

from ....dictionary.folder_definitions import FolderDefinitions
from ....output.collection import AcronymCollection, Text
from ....output.missing_spellings import with_expansions
from ....pipeline.learn import linker_of
from ....pipeline.load import load_pipeline
from ....text import merge_key
from .data import Collection, Query, Training

EXPANSIONS = {
    "plain": "the query as it is",
    "glossary": "queries with the authors' glossary",
    "ours": "queries with our collection's meanings",
    "both": "queries with the authors' glossary, and ours",
    "documents": "chunks with our spellings, the query as it is",
}
"""Descriptions of the expansions by name: what is expanded, and with which spellings."""


class Expander:
    """Expands the queries and chunks of collections by missing spellings of acronyms.

    The package learns the meanings of acronyms from the chunks, without their gold mentions. Only
    the expansions with the authors' glossary use these.
    """

    def __init__(self, training: Training) -> None:
        """Store the collections. They are read when an expansion first needs them.

        Args:
            training: Collections of chunks with the authors' glossaries.
        """
        self._collections = training.collections
        self._queries: dict[tuple[Query, str], str] = {}

    def chunks(self, number: int, expansion: str) -> list[str]:
        """Return the texts of a collection's chunks that a search system indexes.

        Args:
            number: Index of the collection.
            expansion: Name of the expansion, one of `EXPANSIONS`. Only "documents" expands the
                chunks.

        Returns:
            A text for each chunk, in the order of the chunks.
        """
        if expansion == "documents":
            return self._ours[number].chunks
        return [chunk.text for chunk in self._collections[number].chunks]

    def query(self, query: Query, expansion: str) -> str:
        """Return the text to search for, which is the query with missing spellings added.

        Args:
            query: Query to expand.
            expansion: Name of the expansion, one of `EXPANSIONS`. "plain" and "documents" do not
                change the query.

        Returns:
            The text of the query, followed by the acronyms and long forms that it lacks.
        """
        if (query, expansion) not in self._queries:
            added: list[str] = []
            if expansion in ("glossary", "both"):
                added += _added(self._by_glossary[query.collection], query.text)
            if expansion in ("ours", "both"):
                added += self._ours[query.collection].added(query.text)
            distinct = {merge_key(term): term for term in reversed(added)}
            self._queries[query, expansion] = " ".join([query.text, *reversed(distinct.values())])
        return self._queries[query, expansion]

    @cached_property
    def _by_glossary(self) -> list[AcronymCollection]:
        return [
            AcronymCollection.from_pairs(collection.glossary, resolve=False)
            for collection in self._collections
        ]

    @cached_property
    def _ours(self) -> "list[_Read]":
        nlp = load_pipeline()
        return [_Read(collection, AcronymCollection(nlp=nlp)) for collection in self._collections]


class _Read:
    """A collection whose acronyms were learned with the pipeline that all collections share."""

    def __init__(self, collection: Collection, acronyms: AcronymCollection) -> None:
        """Learn the meanings of acronyms from the chunks, and expand the chunks."""
        self._acronyms, self._linker = acronyms, linker_of(acronyms.nlp)
        self._linker.folder_definitions = FolderDefinitions()
        texts = [Text(chunk.text, chunk.document) for chunk in collection.chunks]
        expansions = acronyms.read(texts)
        self._definitions = self._linker.folder_definitions
        self.chunks = [
            with_expansions(text.text, added) for text, added in zip(texts, expansions, strict=True)
        ]

    def added(self, query: str) -> Sequence[str]:
        """Return the acronyms and long forms that a query lacks."""
        self._linker.folder_definitions = self._definitions
        return _added(self._acronyms, query)


def _added(acronyms: AcronymCollection, query: str) -> list[str]:
    return [expansion.added for expansion in acronyms.expand_query(query)]


@lru_cache(1)
def expander(training: Training) -> Expander:
    """Return the expander of the given collections, which all search systems share.

    Args:
        training: Collections of chunks with the authors' glossaries.

    Returns:
        The expander of the previous call if the collections are the same, otherwise a new one.
    """
    return Expander(training)
