"""LangChain classes that let a search find both an acronym and its long form.

They need the extra ``langchain``.
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
    """A LangChain transformer that adds missing spellings of acronyms to documents.

    Use it before documents are indexed. For example, a document that says only "ML" gets the text
    "Acronyms: ML = machine learning".
    """

    def __init__(
        self,
        collection: AcronymCollection | None = None,
        *,
        metadata: bool = False,
        key: str = METADATA,
        document_key: str = "source",
    ) -> None:
        """Create a transformer that adds missing spellings to documents.

        Args:
            collection: Collection that learns the acronyms of the documents. Share it with an
                `AcronymQueryExpander`. None creates a collection with the default settings.
            metadata: Whether to write the spellings to the metadata of a document instead of its
                text.
            key: Key of the metadata that receives the spellings.
            document_key: Key of the metadata that contains the path or name of a document. Chunks
                of the same document have the same value.
        """
        self.collection = AcronymCollection() if collection is None else collection
        self.metadata, self.key, self.document_key = metadata, key, document_key

    def transform_documents(
        self, documents: Sequence[Document], **kwargs: Any
    ) -> Sequence[Document]:
        """Return copies of documents, with missing acronyms and long forms added.

        Args:
            documents: Documents to index. They stay unchanged.
            **kwargs: Ignored.

        Returns:
            A copy of each document, in their order.
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
    """A LangChain runnable that adds missing spellings of acronyms to a search query.

    For example, "ML papers" becomes "ML papers machine learning". Put it before a retriever:
    `AcronymQueryExpander(collection) | retriever`.
    """

    def __init__(self, collection: AcronymCollection) -> None:
        """Create a runnable that adds missing spellings to queries.

        Args:
            collection: Collection with the acronyms of the indexed documents. Share it with an
                `AcronymDocumentTransformer`, or read it from a file with `AcronymCollection.load`.
        """
        self.collection = collection

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> str:
        """Add missing acronyms and long forms to a search query.

        Args:
            input: Words to search for. Acronyms may be in lower case.
            config: Configuration of the LangChain run. None uses the default.
            **kwargs: Ignored.

        Returns:
            The expanded query.
        """
        return self._call_with_config(self.collection.expanded_query, input, config)
