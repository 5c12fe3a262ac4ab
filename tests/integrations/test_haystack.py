"""Haystack's own in-memory store, BM25 retriever and pipelines."""

from typing import Any

import pytest

REASON = "needs the extra 'haystack': pip install 'spacy-gladis[haystack]'"
pytest.importorskip("haystack", reason=REASON)

from haystack import Document, Pipeline
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore

from spacy_gladis.integrations.haystack import AcronymDocumentExpander, AcronymQueryExpander
from spacy_gladis.output.collection import AcronymCollection

CT = "computed tomography"
DOCUMENTS = [
    Document(id="both", content="A scan by computed tomography (CT) is quick."),
    Document(id="short", content="The CT of the head was read.", meta={"page": 2}),
    Document(id="long", content="We offer computed tomography to all."),
    Document(id="none", content="The weather is fine today."),
    Document(id="empty"),
]


@pytest.fixture
def collection():
    return AcronymCollection(resolve=False)


def retrieve(store, query, expander=None):
    """The ids that a pipeline finds, whose scores are above zero."""
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=3))
    inputs = {"retriever": {"query": query}}
    if expander is not None:
        pipeline.add_component("expander", expander)
        pipeline.connect("expander.query", "retriever.query")
        inputs = {"expander": {"query": query}}
    results = pipeline.run(inputs)["retriever"]["documents"]
    return {document.id for document in results if document.score}


def index(expander=None):
    store, pipeline = InMemoryDocumentStore(), Pipeline()
    pipeline.add_component("writer", DocumentWriter(store))
    inputs = {"writer": {"documents": DOCUMENTS}}
    if expander is not None:
        pipeline.add_component("expander", expander)
        pipeline.connect("expander.documents", "writer.documents")
        inputs = {"expander": {"documents": DOCUMENTS}}
    pipeline.run(inputs)
    return store


def test_expanded_documents_are_found_by_both_spellings(collection):
    plain, expanded = index(), index(AcronymDocumentExpander(collection))
    assert "long" not in retrieve(plain, "CT") and "short" not in retrieve(plain, CT)
    for query in ("CT", CT):
        assert {"both", "short", "long"} <= retrieve(expanded, query)


def test_an_expanded_query_finds_both_spellings(collection):
    AcronymDocumentExpander(collection).run(DOCUMENTS)
    for query in ("CT", CT):
        assert {"both", "short", "long"} <= retrieve(
            index(), query, AcronymQueryExpander(collection)
        )


def test_metadata_leaves_the_text(collection):
    expander = AcronymDocumentExpander(collection, metadata=True)
    documents = expander.run(DOCUMENTS)["documents"]
    assert [document.content for document in documents] == [
        document.content for document in DOCUMENTS
    ]
    assert documents[1].meta == {"page": 2, "acronyms": f"CT = {CT}"}
    assert documents[3].meta == {} and DOCUMENTS[1].meta == {"page": 2}


def test_a_pipeline_is_saved_with_its_meanings(collection):
    AcronymDocumentExpander(collection).run(DOCUMENTS)
    pipeline = Pipeline()
    pipeline.add_component("query", AcronymQueryExpander(collection))
    pipeline.add_component("documents", AcronymDocumentExpander(collection, metadata=True))
    modules = ["spacy_gladis.integrations.haystack"]
    loaded = Pipeline.loads(pipeline.dumps(), allowed_modules=modules)
    assert loaded.get_component("query").run("CT")["query"] == f"CT {CT}"
    documents: Any = loaded.get_component("documents")
    assert documents.metadata is True
