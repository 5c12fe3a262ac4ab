"""Expansion of queries and chunks: with the authors' glossary, with ours, with both.

Every expansion is computed once for all systems that index the same collections.
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
"""What is expanded, by the name of the expansion."""


class Expander:
    """Expands queries and chunks.

    Our meanings are learned from the chunks. Gold mentions are not used for them.
    """

    def __init__(self, training: Training) -> None:
        """Read nothing yet.

        Args:
            training: The collections.
        """
        self._collections = training.collections
        self._queries: dict[tuple[Query, str], str] = {}

    def chunks(self, number: int, expansion: str) -> list[str]:
        """Return the texts to index of a collection.

        Args:
            number: Number of the collection.
            expansion: One of `EXPANSIONS`.

        Returns:
            The texts of the chunks.
        """
        if expansion == "documents":
            return self._ours[number].chunks
        return [chunk.text for chunk in self._collections[number].chunks]

    def query(self, query: Query, expansion: str) -> str:
        """Return the text to search for.

        Args:
            query: The query.
            expansion: One of `EXPANSIONS`.

        Returns:
            The query, followed by the spellings that it lacks.
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
    """A collection that was read with the pipeline that all collections share."""

    def __init__(self, collection: Collection, acronyms: AcronymCollection) -> None:
        """Start without documents."""
        self._acronyms, self._linker = acronyms, linker_of(acronyms.nlp)
        self._linker.folder_definitions = FolderDefinitions()
        texts = [Text(chunk.text, chunk.document) for chunk in collection.chunks]
        expansions = acronyms.read(texts)
        self._definitions = self._linker.folder_definitions
        self.chunks = [
            with_expansions(text.text, added) for text, added in zip(texts, expansions, strict=True)
        ]

    def added(self, query: str) -> Sequence[str]:
        """Return the spellings that a query lacks."""
        self._linker.folder_definitions = self._definitions
        return _added(self._acronyms, query)


def _added(acronyms: AcronymCollection, query: str) -> list[str]:
    return [expansion.added for expansion in acronyms.expand_query(query)]


@lru_cache(1)
def expander(training: Training) -> Expander:
    """Return the expander of some collections, which their systems share.

    Args:
        training: The collections.

    Returns:
        The expander.
    """
    return Expander(training)
