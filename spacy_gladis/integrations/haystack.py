"""Haystack components that let a search find both an acronym and its long form.

Needs the extra ``haystack``.
"""

from dataclasses import replace
from typing import Any

from ..errors import missing_extra
from ..output.collection import AcronymCollection, Text
from ..output.missing_spellings import METADATA, format_expansions, with_expansions

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ModuleNotFoundError as error:
    raise missing_extra("haystack-ai", "haystack") from error


class _WithCollection:
    """Base class of the components, which are saved together with their collection."""

    collection: AcronymCollection

    def _to_dict(self, **parameters: Any) -> dict[str, Any]:
        stored = {"settings": self.collection.settings, "acronyms": self.collection.to_records()}
        saved: dict[str, Any] = default_to_dict(self, collection=stored, **parameters)
        return saved

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Any:
        """Restore a component.

        Args:
            data: The component as `to_dict` returned it.

        Returns:
            The component, with a collection of its own.
        """
        stored = data["init_parameters"]["collection"]
        collection = AcronymCollection.from_records(stored["acronyms"], **stored["settings"])
        parameters = {**data["init_parameters"], "collection": collection}
        return default_from_dict(cls, {**data, "init_parameters": parameters})


@component
class AcronymDocumentExpander(_WithCollection):
    """Adds the spellings that documents lack, to their text or to their metadata."""

    def __init__(
        self,
        collection: AcronymCollection | None = None,
        metadata: bool = False,
        key: str = METADATA,
        document_key: str = "file_path",
    ) -> None:
        """Share or create the collection.

        Args:
            collection: The collection, which learns the acronyms of the documents. Share it with an
                `AcronymQueryExpander`. None creates one.
            metadata: Whether to write to the metadata instead of the text. Name the key in
                ``meta_fields_to_embed`` of the embedder.
            key: Key of the metadata.
            document_key: Key of the metadata with a document's path or name, which its parts share.
        """
        self.collection = AcronymCollection() if collection is None else collection
        self.metadata, self.key, self.document_key = metadata, key, document_key

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Add the spellings that documents lack.

        Args:
            documents: The documents. Those without text are returned unchanged.

        Returns:
            The documents, under "documents". Their ids stay the same.
        """
        texts = [
            Text(document.content or "", str(document.meta.get(self.document_key) or ""))
            for document in documents
        ]
        expanded = []
        for document, expansions in zip(documents, self.collection.read(texts), strict=True):
            if expansions and self.metadata:
                meta = {**document.meta, self.key: format_expansions(expansions)}
                document = replace(document, meta=meta)
            elif expansions:
                content = with_expansions(document.content or "", expansions)
                document = replace(document, content=content)
            expanded.append(document)
        return {"documents": expanded}

    def to_dict(self) -> dict[str, Any]:
        """Return the component with its collection as JSON types.

        Returns:
            The serialized component.
        """
        return self._to_dict(metadata=self.metadata, key=self.key, document_key=self.document_key)


@component
class AcronymQueryExpander(_WithCollection):
    """Adds the spellings that a query lacks."""

    def __init__(self, collection: AcronymCollection) -> None:
        """Take a collection, or load one.

        Args:
            collection: The collection of the documents, or one that `AcronymCollection.load` reads.
        """
        self.collection = collection

    @component.output_types(query=str)
    def run(self, query: str) -> dict[str, str]:
        """Add the spellings that a query lacks.

        Args:
            query: The query.

        Returns:
            The expanded query, under "query".
        """
        return {"query": self.collection.expanded_query(query)}

    def to_dict(self) -> dict[str, Any]:
        """Return the component with its collection as JSON types.

        Returns:
            The serialized component.
        """
        return self._to_dict()
