"""LlamaIndex classes that let a search find both an acronym and its long form.

Needs the extra ``llama-index``.
"""

from collections.abc import Sequence
from typing import Any

from ..errors import missing_extra
from ..output.collection import AcronymCollection, Text
from ..output.missing_spellings import METADATA, format_expansions, with_expansions

try:
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.indices.query.query_transform.base import BaseQueryTransform
    from llama_index.core.prompts.mixin import PromptDictType
    from llama_index.core.schema import BaseNode, MetadataMode, QueryBundle, TransformComponent
except ModuleNotFoundError as error:
    raise missing_extra("llama-index-core", "llama-index") from error


class AcronymNodeTransformer(TransformComponent):
    """Adds the spellings that nodes lack, to their metadata or to their text.

    Use it in an `IngestionPipeline` or among an index's `transformations`, after the splitter. Save
    the collection together with the pipeline's cache, as the cache skips nodes that it has seen.

    Attributes:
        collection: The collection, which learns the acronyms of the nodes. Share it with an
            `AcronymQueryTransform`.
        metadata: Whether to write to the metadata instead of the text. LlamaIndex embeds metadata
            together with the text.
        key: Key of the metadata.
        document_key: Key of the metadata with a document's path or name, which its nodes share.
    """

    collection: Any = Field(default_factory=AcronymCollection)
    metadata: bool = True
    key: str = METADATA
    document_key: str = "file_path"

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        """Add the spellings that nodes lack.

        Args:
            nodes: The nodes, which are changed.
            **kwargs: Ignored.

        Returns:
            The same nodes.
        """
        contents = [node.get_content(metadata_mode=MetadataMode.NONE) for node in nodes]
        texts = [
            Text(content, str(node.metadata.get(self.document_key) or ""))
            for content, node in zip(contents, nodes, strict=True)
        ]
        for node, content, expansions in zip(
            nodes, contents, self.collection.read(texts), strict=True
        ):
            if expansions and self.metadata:
                node.metadata[self.key] = format_expansions(expansions)
            elif expansions:
                node.set_content(with_expansions(content, expansions))
        return nodes


class AcronymQueryTransform(BaseQueryTransform):
    """Adds the spellings that a query lacks.

    Use it with `TransformQueryEngine`, or call it before a retriever.
    """

    def __init__(self, collection: AcronymCollection) -> None:
        """Take a collection, or load one.

        Args:
            collection: The collection of the nodes, or one that `AcronymCollection.load` reads.
        """
        super().__init__()
        self.collection = collection

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        """Do nothing, as there are no prompts."""

    def _run(self, query_bundle: QueryBundle, metadata: dict[str, Any]) -> QueryBundle:
        return QueryBundle(self.collection.expanded_query(query_bundle.query_str))
