"""Documents that spaCy's own functions make of annotated ones: records and expansion as before."""

import pickle

import pytest
import spacy
from spacy.tokens import Doc, DocBin
from spacy.util import filter_spans

from spacy_gladis.errors import InputError
from spacy_gladis.output.expansion import Expand, expand
from spacy_gladis.output.records import to_record
from spacy_gladis.pipeline.annotations import write_answers
from spacy_gladis.resolution import AnswerSource, Resolution

TEXTS = (
    "The World Health Organization (WHO) met. The WHO-QRB and the MRI. Each WHO left.",
    "An EKG of the CT. Magnetic field (MF) of an MF.",
)
MEANINGS = {"MRI": "magnetic resonance imaging", "CT": "computed tomography"}


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    return nlp


@pytest.fixture
def docs(nlp):
    docs = list(nlp.pipe(TEXTS))
    for doc in docs:
        answers = []
        for span in doc.spans["acronyms"]:
            meaning = MEANINGS.get(span.text)
            source: AnswerSource = "nil" if meaning is None else "dictionary"
            answer = Resolution(span.text, meaning, 0.75, source, ((meaning or "x", 0.75),))
            answers.append(span._.resolution or answer)
        write_answers(doc, "acronyms", answers)
    return docs


def records(doc):
    record = to_record(doc, "x")
    mentions = [{**mention, "start": 0, "end": 0} for mention in record["acronyms"]]
    return mentions, [
        (definition["acronym"], definition["long_form"]) for definition in record["definitions"]
    ]


@pytest.mark.filterwarnings("error")
def test_documents_joined_into_one(docs):
    whole = Doc.from_docs(docs)
    parts = [records(doc) for doc in docs]
    assert records(whole) == tuple(left + right for left, right in zip(*parts, strict=True))
    text = whole.text
    assert all(
        text[mention["start"] : mention["end"]] == mention["acronym"]
        for mention in to_record(whole, "x")["acronyms"]
    )
    assert expand(whole, Expand.all) == " ".join(expand(doc, Expand.all) for doc in docs)
    assert records(pickle.loads(pickle.dumps(whole))) == records(whole)


def test_spans_put_into_their_place_again(docs):
    doc, before = docs[1], records(docs[1])
    doc.spans["acronyms"] = filter_spans(doc.spans["acronyms"])
    assert records(doc) == before
    doc.spans["acronyms"] = [span for span in doc.spans["acronyms"] if span.text == "CT"]
    assert [mention["long_form"] for mention in records(doc)[0]] == ["computed tomography"]
    assert doc.spans["acronyms"][0]._.resolution.probability == 0.75


def test_copies_and_stored_documents(nlp, docs):
    doc = docs[0]
    (stored,) = DocBin(docs=[doc]).get_docs(nlp.vocab)
    for other in (doc.copy(), Doc(nlp.vocab).from_bytes(doc.to_bytes()), stored):
        assert records(other) == records(doc)


def test_what_is_lost_is_told(nlp, docs):
    lost = [
        Doc(nlp.vocab).from_json(docs[1].to_json()),
        Doc.from_docs(docs, exclude=["user_data"]),  # type: ignore[call-arg]  # spaCy's stub lacks it
    ]
    for doc in lost:
        with pytest.raises(InputError, match=r"run the pipeline on doc\.text again"):
            to_record(doc, "x")
        with pytest.raises(InputError, match=r"run the pipeline on doc\.text again"):
            expand(doc, Expand.first)


def test_a_document_without_spans_is_told(nlp, docs):
    for doc in (docs[0][:12].as_doc(), nlp.make_doc(TEXTS[0])):
        with pytest.raises(InputError, match=r"no acronyms in doc\.spans.*Span\.as_doc"):
            to_record(doc, "x")
        with pytest.raises(InputError, match=r"no acronyms in doc\.spans"):
            expand(doc, Expand.first)
    assert to_record(nlp("No such word."), "x")["acronyms"] == []
    assert to_record(nlp(""), "x")["acronyms"] == [] == to_record(nlp.make_doc(""), "x")["acronyms"]


def test_a_document_without_acronyms_under_another_key_has_a_record():
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector", config={"spans_key": "short"})
    assert to_record(nlp("No such word."), "x")["acronyms"] == []
