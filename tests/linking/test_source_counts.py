"""Who attests a candidate, and what the user and the document say of it."""

from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import USER_SOURCE, Candidate, Dictionary, SourceInfo
from spacy_gladis.linking import AcroBERT, Linker
from spacy_gladis.linking.calibration import FEATURES
from spacy_gladis.linking.candidates import add_phrases
from spacy_gladis.linking.features import ATTESTING, count_sources
from spacy_gladis.linking.neighbours import LONG_FORM_REACH, count_overlap
from spacy_gladis.linking.ranking import rank_candidates
from spacy_gladis.text import Mention
from spacy_gladis.text.alignment import has_initials
from tests.support.questions import evidence_for

TEXTS, SOURCES, GLOSSARIES, COMMON = range(4)
KINDS = {
    "common: law": SourceInfo("common", {}),
    "glossary: irs": SourceInfo("glossary", {}),
    "papers": SourceInfo("text", {}),
}


def test_counts_go_to_their_kind_and_unknown_sources_are_texts() -> None:
    counts = {"common: law": 20, "glossary: irs": 7, "papers": 4, "elsewhere": 3}
    (row,) = np.expm1(count_sources([Candidate("a b", counts, 34, 0)], KINDS))
    assert np.allclose(row[[TEXTS, SOURCES, GLOSSARIES, COMMON]], [7, 2, 1, 20])
    assert count_sources([], KINDS).shape == (0, 4)


def test_a_phrase_of_the_document_joins_its_candidate_or_is_one() -> None:
    candidates = [Candidate("color space", {"papers": 2}, 2, 0)]
    result, likely = add_phrases(candidates, {"colour  space": 0.4, "cold start": 0.9})
    assert [candidate.long_form for candidate in result] == ["color space", "cold start"]
    assert result[1].counts == {} and np.allclose(likely, [0.4, 0.9])
    assert add_phrases(candidates, {})[0] == candidates


TYPED = Candidate("quarterly business review", {USER_SOURCE: 1}, 1, -1)
STORED = Candidate("quarterback rating", {"papers": 9}, 9, 0)


def rank_scores(candidates: list[Candidate], scores: list[float]) -> list[tuple[str, float]]:
    """Rank candidates with these logits, and 0 for NIL."""
    table = np.zeros((len(candidates), len(FEATURES)), np.float32)
    question = evidence_for(candidates, table, acronym="QBR").question
    ranked = rank_candidates(question, np.array(scores, np.float32), 0.0)
    return [(candidate.long_form, probability) for candidate, probability in ranked]


def test_an_entry_of_the_user_is_raised_above_other_candidates_and_nil() -> None:
    (first, probability), _ = rank_scores([STORED, TYPED], [1, 1])
    assert first == TYPED.long_form and probability > 0.95
    assert rank_scores([TYPED], [-8])[0][1] > 0.99
    assert rank_scores([STORED], [0])[0][1] == pytest.approx(0.5)


def test_an_entry_of_the_user_is_attested_as_well_as_the_best_candidate(
    tiny_weights: Path, tiny_dictionary: Path
) -> None:
    dictionary, model = Dictionary.open(tiny_dictionary), AcroBERT.load(tiny_weights)
    reader = Linker(model, dictionary).reader
    candidates = [*dictionary.lookup("AI"), TYPED]
    table = np.zeros((len(candidates), len(FEATURES)), np.float32)
    reader.attest("AI", candidates, table)
    assert table[:-1, ATTESTING].any()
    np.testing.assert_array_equal(table[-1, ATTESTING], table[:-1, ATTESTING].max(axis=0))


SENTENCE = "scans of the CT group were sharper than other tomographic images"
AT = SENTENCE.index("CT")


@pytest.mark.parametrize(
    ("acronym", "long_form", "expected"),
    [
        ("AUC", "area under the curve", True),
        ("CNNs", "convolutional neural networks", True),
        ("EEG", "electroencephalogram", False),
        ("CD", "cumulative radiation dose", False),
        ("CD", "celiac disease patients", False),
        ("CD", "", False),
    ],
)
def test_initials_tell_the_candidates_apart(acronym: str, long_form: str, expected: bool) -> None:
    assert has_initials(acronym, long_form) == expected


def test_an_echo_is_the_number_of_words_that_stand_near() -> None:
    names = ["computed tomography", "group tomographies", "central time", "CT"]
    assert count_overlap(Mention(SENTENCE, AT, AT + 2), names).tolist() == [1, 2, 0, 0]


def test_what_stands_far_away_is_no_echo() -> None:
    text = "tomography " + "x" * LONG_FORM_REACH + " CT " + "x" * LONG_FORM_REACH + " tomography"
    at = text.index("CT")
    assert count_overlap(Mention(text, at, at + 2), ["computed tomography"]).tolist() == [0]
