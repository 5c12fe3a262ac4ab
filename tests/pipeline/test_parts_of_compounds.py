"""Compounds with spans inside their spans, in everything that reads the annotations."""

import pytest
from spacy.tokens import Doc, DocBin, Span, SpanGroup
from spacy.training import Example

from spacy_gladis.documents.source import Source
from spacy_gladis.lint.proposals import propose_with
from spacy_gladis.output.expansion import Expand, expand
from spacy_gladis.output.labelling import to_displacy, to_label_studio, to_prodigy
from spacy_gladis.output.records import to_record
from spacy_gladis.pipeline.annotations import mentions_of
from spacy_gladis.pipeline.tags import gold_labels

TEXT = "We ran SDS-PAGE and compared SHA256 values."
WHOLE = ["SDS-PAGE", "SHA256"]
PARTS = ["SDS-PAGE", "SDS", "PAGE", "SHA256", "SHA"]


@pytest.fixture(scope="module")
def nlp(packaged):
    return packaged


@pytest.fixture
def doc(nlp):
    return nlp(TEXT)


def names(doc, **options):
    return [doc.text[start:end] for start, end, _ in mentions_of(doc, **options)]


def test_spans_and_records_have_the_parts_and_other_output_has_the_compounds(nlp, doc):
    assert [span._.resolution.acronym for span in doc._.acronyms] == PARTS
    assert names(doc, parts=True) == PARTS and names(doc) == WHOLE
    assert [row["acronym"] for row in to_record(doc, "x")["acronyms"]] == PARTS
    assert len(to_prodigy(doc, "x")["spans"]) == len(to_displacy(doc)["spans"]) == 2
    regions = to_label_studio(doc, "x")["predictions"][0]["result"]
    assert {region["value"]["start"] for region in regions} == {7, 29}
    answers = {span._.resolution.acronym: span._.long_form for span in doc._.acronyms}
    assert answers["SHA"] in answers["SHA256"] and answers["SDS"] in answers["SDS-PAGE"]
    assert answers["SDS-PAGE"] in expand(doc, Expand.first)


def test_a_proposal_is_for_the_compound(nlp, doc):
    proposals = propose_with(nlp)(Source("x.txt", TEXT))
    answers = {start: answer.long_form for start, _, answer in mentions_of(doc)}
    assert {start: words for start, (words, _) in proposals.items()} == answers


def test_documents_that_spacy_makes_keep_the_parts(nlp, doc):
    other = nlp("The EKG was fine. ")
    both = Doc.from_docs([other, doc])
    assert names(both, parts=True) == ["EKG", *PARTS]
    [stored] = DocBin(docs=[doc], store_user_data=True).get_docs(nlp.vocab)
    assert names(stored, parts=True) == PARTS


def test_a_part_that_the_text_defines_is_no_part_of_the_dictionarys_compound(nlp):
    doc = nlp("The corona virus illness (COVID) is old. They had COVID-19.")
    assert [answer for *_, answer in mentions_of(doc, parts=True) if answer.acronym == "COVID"] == [
        span._.resolution for span in doc._.acronyms[:1]
    ]


def test_a_detectors_parts_are_no_errors_in_its_scores(nlp, doc):
    reference = nlp.make_doc(TEXT)
    spans = [reference.char_span(7, 15, label="ACRONYM"), reference.char_span(29, 35)]
    reference.spans["acronyms"] = SpanGroup(reference, name="acronyms", spans=spans)
    scores = nlp.get_pipe("acronym_detector").score([Example(doc, reference)])
    assert scores["spans_acronyms_p"] == scores["spans_acronyms_r"] == 1
    spans.append(Span(reference, spans[0].start, spans[0].start + 1, label="ACRONYM"))
    reference.spans["acronyms"] = SpanGroup(reference, name="acronyms", spans=spans)
    scores = nlp.get_pipe("acronym_detector").score([Example(doc, reference)])
    assert scores["spans_acronyms_p"] == scores["spans_acronyms_r"] == 1


def test_a_tagger_learns_the_compound(nlp):
    doc = Doc(nlp.vocab, words=["a", "SDS", "-", "PAGE"], spaces=[True, False, False, False])
    labels = gold_labels(doc, [(2, 5), (6, 10), (2, 10)], [])
    assert labels == ["O", "B-short", "I-short", "I-short"]


def test_a_compound_and_its_part_are_one_mention_in_the_density(nlp):
    linker = nlp.get_pipe("acrobert_linker").open()
    from spacy_gladis.text import Mention

    mentions = [Mention("What is SHA256?", 8, 14), Mention("What is SHA256?", 8, 11)]
    questions = linker.questions(mentions)
    assert questions[0].nil[3] == pytest.approx(1 / 4)
