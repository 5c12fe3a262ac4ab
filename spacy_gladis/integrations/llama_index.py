"""LlamaIndex classes that let a search find both an acronym and its long form.

They need the extra ``llama-index``.
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
    """A LlamaIndex transformation that adds missing spellings of acronyms to nodes.

    Use it in an `IngestionPipeline` or in the `transformations` of an index, after the splitter.
    For example, a node that says only "ML" gets the metadata "ML = machine learning". Save the
    collection together with the cache of the pipeline, because nodes in the cache aren't read
    again.

    Attributes:
        collection: Collection that learns the acronyms of the nodes. Share it with an
            `AcronymQueryTransform`.
        metadata: Whether to write the spellings to the metadata of a node instead of its text.
            LlamaIndex embeds metadata together with the text.
        key: Key of the metadata that receives the spellings.
        document_key: Key of the metadata that contains the path or name of a document. Nodes of the
            same document have the same value.
    """

    collection: Any = Field(default_factory=AcronymCollection)
    metadata: bool = True
    key: str = METADATA
    document_key: str = "file_path"

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        """Add missing acronyms and long forms to nodes.

        Args:
            nodes: Nodes to index. They are changed in place.
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
    """A LlamaIndex query transform that adds missing spellings of acronyms to a search query.

    For example, "ML papers" becomes "ML papers machine learning". Use it with a
    `TransformQueryEngine`, or call it before a retriever.
    """

    def __init__(self, collection: AcronymCollection) -> None:
        """Create a transform that adds missing spellings to queries.

        Args:
            collection: Collection with the acronyms of the indexed nodes. Share it with an
                `AcronymNodeTransformer`, or read it from a file with `AcronymCollection.load`.
        """
        super().__init__()
        self.collection = collection

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        """Do nothing, because the transform has no prompts."""

    def _run(self, query_bundle: QueryBundle, metadata: dict[str, Any]) -> QueryBundle:
        return QueryBundle(self.collection.expanded_query(query_bundle.query_str))
