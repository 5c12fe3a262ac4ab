"""LangChain classes that let a search find both an acronym and its long form.

Needs the extra ``langchain``.
"""

from collections.abc import Sequence
from typing import Any

from ..errors import missing_extra
from ..output.collection import AcronymCollection, Text
from ..output.missing_spellings import METADATA, format_expansions, with_expansions

try:
    from langchain_core.documents import BaseDocumentTransformer, Document
    from langchain_core.runnables import Runnable, RunnableConfig
except ModuleNotFoundError as error:
    raise missing_extra("langchain-core", "langchain") from error


class AcronymDocumentTransformer(BaseDocumentTransformer):
    """Adds the spellings that documents lack, to their text or to their metadata."""

    def __init__(
        self,
        collection: AcronymCollection | None = None,
        *,
        metadata: bool = False,
        key: str = METADATA,
        document_key: str = "source",
    ) -> None:
        """Share or create the collection.

        Args:
            collection: The collection, which learns the acronyms of the documents. Share it with an
                `AcronymQueryExpander`. None creates one.
            metadata: Whether to write to the metadata instead of the text.
            key: Key of the metadata.
            document_key: Key of the metadata with a document's path or name, which its chunks
                share.
        """
        self.collection = AcronymCollection() if collection is None else collection
        self.metadata, self.key, self.document_key = metadata, key, document_key

    def transform_documents(
        self, documents: Sequence[Document], **kwargs: Any
    ) -> Sequence[Document]:
        """Add the spellings that documents lack.

        Args:
            documents: The documents, which aren't changed.
            **kwargs: Ignored.

        Returns:
            Copies of the documents.
        """
        texts = [
            Text(document.page_content, str(document.metadata.get(self.document_key) or ""))
            for document in documents
        ]
        expanded = []
        for document, expansions in zip(documents, self.collection.read(texts), strict=True):
            changes: dict[str, Any] = {}
            if expansions and self.metadata:
                metadata = {**document.metadata, self.key: format_expansions(expansions)}
                changes = {"metadata": metadata}
            elif expansions:
                changes = {"page_content": with_expansions(document.page_content, expansions)}
            expanded.append(document.model_copy(update=changes))
        return expanded


class AcronymQueryExpander(Runnable[str, str]):
    """Adds the spellings that a query lacks: `AcronymQueryExpander(collection) | retriever`."""

    def __init__(self, collection: AcronymCollection) -> None:
        """Take a collection, or load one.

        Args:
            collection: The collection of the documents, or one that `AcronymCollection.load` reads.
        """
        self.collection = collection

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> str:
        """Add the spellings that a query lacks.

        Args:
            input: The query.
            config: The configuration of the run.
            **kwargs: Ignored.

        Returns:
            The expanded query.
        """
        return self._call_with_config(self.collection.expanded_query, input, config)
