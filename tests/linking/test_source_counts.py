"""Who attests a candidate, and what the user and the document say of it."""

import numpy as np
import pytest

from spacy_gladis.dictionary import USER_SOURCE, Candidate, SourceInfo
from spacy_gladis.linking.calibration import FEATURES, Calibration
from spacy_gladis.linking.candidates import add_phrases
from spacy_gladis.linking.features import COMMON as COMMON_COLUMN
from spacy_gladis.linking.features import REACH, Evidence, count_overlap, count_sources
from spacy_gladis.linking.ranking import raise_user_entries
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


def make_evidence(candidates: list[Candidate], counts: list[float]) -> Evidence:
    """The candidates, of which nothing is known but how common they are."""
    table = np.zeros((len(candidates), len(FEATURES)), np.float32)
    table[:, COMMON_COLUMN] = counts
    return evidence_for(candidates, table, acronym="QBR")


def test_what_the_user_typed_comes_first() -> None:
    typed = Candidate("quarterly business review", {USER_SOURCE: 1}, 1, -1)
    stored = Candidate("quarterback rating", {"papers": 9}, 9, 0)
    weights = Calibration(common=1.0)
    both = make_evidence([stored, typed], [9, 0])  # far more common than any bonus
    logits, nil = raise_user_entries(both, np.array([9, 0], np.float32), weights)
    assert weights.probabilities(logits, nil).argmax() == 1
    logits, nil = raise_user_entries(
        make_evidence([typed], [0]), np.array([-8], np.float32), weights
    )
    assert weights.probabilities(logits, nil)[0] > 0.99
    same = np.array([1], np.float32)
    assert raise_user_entries(make_evidence([stored], [9]), same, weights) == (same, weights.nil)


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
    text = "tomography " + "x" * REACH + " CT " + "x" * REACH + " tomography"
    at = text.index("CT")
    assert count_overlap(Mention(text, at, at + 2), ["computed tomography"]).tolist() == [0]
