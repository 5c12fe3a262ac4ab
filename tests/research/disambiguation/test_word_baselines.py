"""Systems that read the context's words: they learn from it, and say so when they have not."""

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate
from spacy_gladis.errors import InputError
from spacy_gladis.research.disambiguation.systems.counting import BM25
from spacy_gladis.research.disambiguation.systems.protocol import Baseline, context_words
from spacy_gladis.research.disambiguation.systems.words import AcronymClassifier, features
from tests.support.samples import HEART, STAFF, sample

pytest.importorskip("bm25s")
pytest.importorskip("sklearn")

TABLE = {"HR": [Candidate(name, {}, 0, -1) for name in ("home run", STAFF, HEART)]}


TRAINING = [
    sample("The pulse and HR of patients rose.", HEART),
    sample("Patients with a high HR and pulse.", HEART),
    sample("Ask HR about your contract and salary.", STAFF),
    sample("Salary is decided by HR and managers.", STAFF),
]
QUESTIONS = [sample("A patient's HR and pulse were measured."), sample("My salary: HR knows.")]


@pytest.mark.parametrize("baseline", [BM25(TABLE), AcronymClassifier()])
def test_what_training_showed_decides(baseline: Baseline) -> None:
    baseline.fit(TRAINING)
    scores = baseline.predict(QUESTIONS, [TABLE["HR"]] * 2)
    assert [int(one.argmax()) for one in scores] == [2, 1]
    assert scores[0].shape == (3,) and scores[0].dtype == np.float64


def test_bm25_reads_the_long_form_itself_without_training() -> None:
    baseline = BM25(TABLE)
    baseline.fit([])
    (scores,) = baseline.predict([sample("The heart beats; HR is high.")], [TABLE["HR"]])
    assert scores.argmax() == 2 and scores[0] == 0


def test_a_context_without_words_scores_nothing() -> None:
    baseline = BM25(TABLE)
    baseline.fit(TRAINING)
    (scores,) = baseline.predict([sample("HR .")], [TABLE["HR"]])
    assert scores.tolist() == [0, 0, 0]


def test_the_classifier_knows_no_acronym_it_was_not_trained_on() -> None:
    baseline = AcronymClassifier()
    baseline.fit([*TRAINING, sample("An AI learns.", "artificial intelligence", "AI")])
    options = [
        Candidate(name, {}, 0, -1) for name in ("adequate intake", "artificial intelligence")
    ]
    only, unknown = baseline.predict(
        [sample("The AI is low.", acronym="AI"), sample("The XR.", acronym="XR")], [options] * 2
    )
    assert only.tolist() == [0, 1]
    assert unknown.tolist() == [0, 0]


def test_the_classifier_needs_training() -> None:
    with pytest.raises(InputError, match="learns from labelled samples"):
        AcronymClassifier().fit([])


def test_the_mention_is_no_word_of_its_context() -> None:
    assert context_words(QUESTIONS[1]) == ["my", "salary", "knows"]
    assert features(QUESTIONS[1]) == ["my", "salary", "knows", "<my", "<salary", ">knows"]
