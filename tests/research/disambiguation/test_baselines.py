"""The baselines: counts, words and vectors; each looks at the context alone."""

from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate
from spacy_gladis.errors import InputError
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.disambiguation.systems.bert import BERTEmbedding
from spacy_gladis.research.disambiguation.systems.counting import (
    BM25,
    MostFrequent,
    Popularity,
)
from spacy_gladis.research.disambiguation.systems.protocol import Baseline, context_words
from spacy_gladis.research.disambiguation.systems.registry import (
    SYSTEMS,
    Resources,
    find_systems,
)
from spacy_gladis.research.disambiguation.systems.words import (
    UNSEEN,
    AcronymClassifier,
    FastText,
    SenseVectors,
    features,
    with_sense,
)
from tests.support.samples import HEART, STAFF, sample
from tests.support.training import tiny_bert

pytest.importorskip("bm25s")
pytest.importorskip("sklearn")

OPTIONS = [
    Candidate("home run", {"sport": 0}, 0, 2),
    Candidate(STAFF, {"business": 21}, 21, 1),
    Candidate(HEART, {"medicine": 6, "sport": 1}, 7, 0),
]


def rising(long_form: str, acronym: str = "HR") -> Sample:
    return Sample(acronym, long_form, f"The {acronym} rose.", 4, 4 + len(acronym))


def test_popularity_is_the_share_of_the_counts() -> None:
    (scores,) = Popularity().predict([rising("home run")], [OPTIONS])
    assert scores == pytest.approx([0, 0.75, 0.25])
    uncounted = [one._replace(total=0) for one in OPTIONS]
    (scores,) = Popularity().predict([rising("home run")], [uncounted])
    assert scores == pytest.approx([1 / 3] * 3)
    assert Popularity().predict([rising("x")], [[]])[0].shape == (0,)


def test_most_frequent_counts_each_acronym_by_itself() -> None:
    baseline = MostFrequent()
    baseline.fit([rising("home run"), rising("home run"), rising("heart rate"), rising("x", "X")])
    known, unknown = baseline.predict([rising("?"), rising("?", "HRX")], [OPTIONS, OPTIONS])
    assert known == pytest.approx([2 / 3, 0, 1 / 3])
    assert unknown.tolist() == [0, 0, 0]


def test_all_leaves_out_what_lacks_something_and_says_why() -> None:
    names, left_out = find_systems(["all"], Resources())
    assert "first" in names and "bm25" in names
    assert "--bert" in left_out["bert-embedding"]
    assert "project run parser" in left_out["gad"]
    assert sorted([*names, *left_out]) == sorted(SYSTEMS)
    with pytest.raises(InputError, match="--bert"):  # asked for by name it must have all it needs
        find_systems(["first", "bert-embedding"], Resources())


def test_names_come_once_in_their_order_and_an_unknown_one_gets_the_one_meant() -> None:
    asked = ["popularity", "first", "popularity"]
    assert find_systems(asked, Resources()) == (["popularity", "first"], {})
    with pytest.raises(InputError, match="Did you mean 'popularity'"):
        find_systems(["populartiy"], Resources())
    with pytest.raises(InputError, match=r"No system 'xyz'\. The nearest of 14 names: "):
        find_systems(["xyz"], Resources())


TRAINING = [
    sample("The pulse and HR of patients rose.", HEART),
    sample("Patients with a high HR and pulse.", HEART),
    sample("Ask HR about your contract and salary.", STAFF),
    sample("Salary is decided by HR and managers.", STAFF),
]
QUESTIONS = [sample("A patient's HR and pulse were measured."), sample("My salary: HR knows.")]


@pytest.mark.parametrize("baseline", [BM25({"HR": OPTIONS}), AcronymClassifier()])
def test_what_training_showed_decides(baseline: Baseline) -> None:
    baseline.fit(TRAINING)
    scores = baseline.predict(QUESTIONS, [OPTIONS] * 2)
    assert [int(one.argmax()) for one in scores] == [2, 1]
    assert scores[0].shape == (3,) and scores[0].dtype == np.float64


def test_bm25_reads_the_long_form_itself_without_training() -> None:
    baseline = BM25({"HR": OPTIONS})
    baseline.fit([])
    (scores,) = baseline.predict([sample("The heart beats; HR is high.")], [OPTIONS])
    assert scores.argmax() == 2 and scores[0] == 0


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


def test_the_mention_is_no_word_of_its_context() -> None:
    assert context_words(QUESTIONS[1]) == ["my", "salary", "knows"]
    assert features(QUESTIONS[1]) == ["my", "salary", "knows", "<my", "<salary", ">knows"]
    assert with_sense(sample("So HR, again", "x y")) == ["so", "HR = x y", "again"]


TOPICS = {
    HEART: ["doctor", "patient", "pulse", "nurse", "heart", "ward", "clinic", "fever"],
    STAFF: ["manager", "office", "salary", "contract", "staff", "desk", "meeting", "boss"],
}


def test_sense_vectors_learn_and_put_unseen_senses_last(table) -> None:
    pytest.importorskip("gensim")
    rng = np.random.default_rng(0)
    training = [
        sample(" ".join([*rng.permutation(words)[:4], "HR", *rng.permutation(words)[:3]]), meaning)
        for meaning, words in TOPICS.items()
        for _ in range(100)
    ]
    questions = [sample("the nurse saw HR and pulse"), sample("the boss of HR had a contract")]
    system = SenseVectors()
    with pytest.raises(InputError, match="labelled samples"):
        system.fit([])
    system.fit(training)
    scores = system.predict(questions, [table["HR"]] * 2)
    assert [int(one.argmax()) for one in scores] == [2, 1]
    assert scores[0][0] == UNSEEN


def test_fasttext_looks_at_no_label_and_at_parts_of_words(training, table, tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    (tmp_path / "text.txt").write_text("the heart beats and hearts beat " * 50, "utf8")
    system = FastText(table, tmp_path / "text.txt")
    question = [sample("heart hearts HR")]
    system.fit(training)
    unlabelled = FastText(table, tmp_path / "text.txt")
    unlabelled.fit([one._replace(long_form="") for one in training])
    (scores,) = system.predict(question, [table["HR"]])
    np.testing.assert_array_equal(scores, unlabelled.predict(question, [table["HR"]])[0])
    assert scores.argmax() == 2


def test_bert_embeddings_do_not_depend_on_the_batch(tmp_path: Path, table) -> None:
    bert = str(tiny_bert(tmp_path))
    questions = [sample("heart rate HR"), sample("the human resources beats the home run HR")]
    system = BERTEmbedding(bert)
    together = system.predict(questions, [table["HR"]] * 2)
    alone = BERTEmbedding(bert).predict(questions[1:], [table["HR"]])
    np.testing.assert_allclose(together[1], alone[0], atol=1e-5)
    assert all(np.abs(one).max() <= 1 + 1e-5 for one in together)


def test_a_bert_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Give the folder of one"):
        BERTEmbedding(str(tmp_path))
