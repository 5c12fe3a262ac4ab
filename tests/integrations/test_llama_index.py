"""LlamaIndex's own in-memory store, ingestion pipeline and query engine."""

import pytest

REASON = "needs the extra 'llama-index': pip install 'spacy-gladis[llama-index]'"
pytest.importorskip("llama_index.core", reason=REASON)

from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import MetadataMode, QueryBundle, TextNode

from spacy_gladis.integrations.llama_index import AcronymNodeTransformer, AcronymQueryTransform
from spacy_gladis.output.collection import AcronymCollection
from tests.support.word_vectors import embed

CT = "computed tomography"
TEXTS = {
    "both": "A scan by computed tomography (CT) is quick.",
    "short": "The CT of the head was read.",
    "long": "We offer computed tomography to all.",
    **{f"none {number}": "The weather is fine today." for number in range(3)},
}


class WordEmbedding(BaseEmbedding):
    """Vectors of words, without a model."""

    def _get_text_embedding(self, text):
        return embed(text)

    def _get_query_embedding(self, query):
        return embed(query)

    async def _aget_query_embedding(self, query):
        return embed(query)


def nodes():
    return [TextNode(id_=name, text=text) for name, text in TEXTS.items()]


def retriever(text_nodes):
    index = VectorStoreIndex(list(text_nodes), embed_model=WordEmbedding())
    return index.as_retriever(similarity_top_k=3)


@pytest.fixture
def collection():
    return AcronymCollection(resolve=False)


def ids(results):
    return {result.node.node_id for result in results}


@pytest.mark.parametrize("metadata", [True, False])
def test_expanded_nodes_are_found_by_both_spellings(collection, metadata):
    plain = retriever(nodes())
    transformer = AcronymNodeTransformer(collection=collection, metadata=metadata)
    expanded = retriever(IngestionPipeline(transformations=[transformer]).run(nodes=nodes()))
    assert "long" not in ids(plain.retrieve("CT")) and "short" not in ids(plain.retrieve(CT))
    for query in ("CT", CT):
        assert ids(expanded.retrieve(query)) == {"both", "short", "long"}


def test_an_expanded_query_finds_both_spellings(collection):
    AcronymNodeTransformer(collection=collection)(nodes())
    transform = AcronymQueryTransform(collection)
    for query in ("CT", CT):
        results = retriever(nodes()).retrieve(transform.run(QueryBundle(query)))
        assert ids(results) == {"both", "short", "long"}


def test_metadata_leaves_the_text(collection):
    _, short, _, plain, *_ = AcronymNodeTransformer(collection=collection)(nodes())
    assert short.metadata == {"acronyms": f"CT = {CT}"} and plain.metadata == {}
    assert short.get_content(metadata_mode=MetadataMode.NONE) == TEXTS["short"]
