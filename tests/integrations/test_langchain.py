"""LangChain's own in-memory store and runnables."""

import pytest

REASON = "needs the extra 'langchain': pip install 'spacy-gladis[langchain]'"
pytest.importorskip("langchain_core", reason=REASON)

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore

from spacy_gladis.integrations.langchain import AcronymDocumentTransformer, AcronymQueryExpander
from spacy_gladis.output.collection import AcronymCollection
from tests.support.word_vectors import embed

CT = "computed tomography"
DOCUMENTS = [
    Document(id="both", page_content="A scan by computed tomography (CT) is quick."),
    Document(id="short", page_content="The CT of the head was read.", metadata={"page": 2}),
    Document(id="long", page_content="We offer computed tomography to all."),
    *(Document(id=f"none {n}", page_content="The weather is fine today.") for n in range(3)),
]


class WordEmbeddings(Embeddings):
    """Vectors of words, without a model."""

    def embed_documents(self, texts):
        return list(map(embed, texts))

    def embed_query(self, text):
        return embed(text)


def retriever(documents):
    store = InMemoryVectorStore(WordEmbeddings())
    store.add_documents(list(documents))
    return store.as_retriever(search_kwargs={"k": 3})


@pytest.fixture
def collection():
    return AcronymCollection(resolve=False)


def ids(documents):
    return {document.id for document in documents}


def test_expanded_documents_are_found_by_both_spellings(collection):
    plain = retriever(DOCUMENTS)
    transformer = AcronymDocumentTransformer(collection)
    expanded = retriever(transformer.transform_documents(DOCUMENTS))
    assert "long" not in ids(plain.invoke("CT")) and "short" not in ids(plain.invoke(CT))
    for query in ("CT", CT):
        assert ids(expanded.invoke(query)) == {"both", "short", "long"}


def test_an_expanded_query_finds_both_spellings(collection):
    AcronymDocumentTransformer(collection).transform_documents(DOCUMENTS)
    chain = AcronymQueryExpander(collection) | retriever(DOCUMENTS)
    for query in ("CT", CT):
        assert ids(chain.invoke(query)) == {"both", "short", "long"}
    assert AcronymQueryExpander(collection).batch(["CT", "x"]) == [f"CT {CT}", "x"]


def test_metadata_leaves_the_text(collection):
    transformer = AcronymDocumentTransformer(collection, metadata=True)
    documents = transformer.transform_documents(DOCUMENTS)
    assert [document.page_content for document in documents] == [
        document.page_content for document in DOCUMENTS
    ]
    assert documents[1].metadata == {"page": 2, "acronyms": f"CT = {CT}"}
    assert documents[3].metadata == {} and DOCUMENTS[1].metadata == {"page": 2}
