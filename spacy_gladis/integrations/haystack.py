"""Haystack components that let a search find both an acronym and its long form.

They need the extra ``haystack``.
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
    """Base class of the Haystack components. A component is saved together with its collection."""

    collection: AcronymCollection

    def _to_dict(self, **parameters: Any) -> dict[str, Any]:
        stored = {"settings": self.collection.settings, "acronyms": self.collection.to_records()}
        saved: dict[str, Any] = default_to_dict(self, collection=stored, **parameters)
        return saved

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Any:
        """Restore a Haystack component and its collection of acronyms from a dictionary.

        Args:
            data: Serialized component, as `to_dict` returned it.

        Returns:
            The component. Its collection isn't shared with other restored components.
        """
        stored = data["init_parameters"]["collection"]
        collection = AcronymCollection.from_records(stored["acronyms"], **stored["settings"])
        parameters = {**data["init_parameters"], "collection": collection}
        return default_from_dict(cls, {**data, "init_parameters": parameters})


@component
class AcronymDocumentExpander(_WithCollection):
    """A Haystack component that adds missing spellings of acronyms to documents.

    Use it before documents are indexed. For example, a document that says only "ML" gets the text
    "Acronyms: ML = machine learning".
    """

    def __init__(
        self,
        collection: AcronymCollection | None = None,
        metadata: bool = False,
        key: str = METADATA,
        document_key: str = "file_path",
    ) -> None:
        """Create a component that adds missing spellings to documents.

        Args:
            collection: Collection that learns the acronyms of the documents. Share it with an
                `AcronymQueryExpander`. None creates a collection with the default settings.
            metadata: Whether to write the spellings to the metadata of a document instead of its
                text. If True, name `key` in ``meta_fields_to_embed`` of the embedder.
            key: Key of the metadata that receives the spellings.
            document_key: Key of the metadata that contains the path or name of a document. Parts of
                the same document have the same value.
        """
        self.collection = AcronymCollection() if collection is None else collection
        self.metadata, self.key, self.document_key = metadata, key, document_key

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Add missing acronyms and long forms to documents.

        Args:
            documents: Documents to index. A document without text is returned unchanged.

        Returns:
            A dictionary whose key ``documents`` has the documents in their order. Their ids stay
            the same.
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
        """Return the component and its collection of acronyms as JSON types, to save them.

        Returns:
            The serialized component, which `from_dict` restores.
        """
        return self._to_dict(metadata=self.metadata, key=self.key, document_key=self.document_key)


@component
class AcronymQueryExpander(_WithCollection):
    """A Haystack component that adds missing spellings of acronyms to a search query.

    For example, "ML papers" becomes "ML papers machine learning".
    """

    def __init__(self, collection: AcronymCollection) -> None:
        """Create a component that adds missing spellings to queries.

        Args:
            collection: Collection with the acronyms of the indexed documents. Share it with an
                `AcronymDocumentExpander`, or read it from a file with `AcronymCollection.load`.
        """
        self.collection = collection

    @component.output_types(query=str)
    def run(self, query: str) -> dict[str, str]:
        """Add missing acronyms and long forms to a search query.

        Args:
            query: Words to search for. Acronyms may be in lower case.

        Returns:
            A dictionary whose key ``query`` has the expanded query.
        """
        return {"query": self.collection.expanded_query(query)}

    def to_dict(self) -> dict[str, Any]:
        """Return the component and its collection of acronyms as JSON types, to save them.

        Returns:
            The serialized component, which `from_dict` restores.
        """
        return self._to_dict()
