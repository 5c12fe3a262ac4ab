"""The baselines: counts, words and vectors; each looks at the context alone."""

from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate, Dictionary
from spacy_gladis.errors import InputError
from spacy_gladis.research.datasets.sample import Sample, write_samples
from spacy_gladis.research.tasks.disambiguation.data import Question
from spacy_gladis.research.tasks.disambiguation.systems.bm25 import find_long_forms
from spacy_gladis.research.tasks.disambiguation.systems.word_vectors import UNSEEN, with_sense
from spacy_gladis.research.tasks.disambiguation.words import context_words
from tests.support.samples import HEART, STAFF, sample
from tests.support.tasks import make
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
    system = make("ad", "popularity")
    (scores,) = system.predict([Question(rising("home run"), OPTIONS)])
    assert scores == pytest.approx([0, 0.75, 0.25])
    uncounted = [option._replace(total=0) for option in OPTIONS]
    (scores,) = system.predict([Question(rising("home run"), uncounted)])
    assert scores == pytest.approx([1 / 3] * 3)


def test_our_popularity_has_the_counts_of_the_dictionary(parts, tmp_path: Path) -> None:
    (tmp_path / "entries.json").write_text('{"HR": [["Heart rates", 9], ["home run", 3]]}', "utf8")
    system = make("gladis", "popularity-ours")
    opened = Dictionary.open(tmp_path / "entries.json")
    system.fit(parts._replace(table={"HR": OPTIONS}, dictionary=opened))
    (scores,) = system.predict([Question(rising("home run"), OPTIONS)])
    assert scores == pytest.approx([0.25, 0, 0.75])


def test_most_frequent_counts_each_acronym_by_itself(parts) -> None:
    system = make("ad", "most-frequent")
    rows = [rising("home run"), rising("home run"), rising("heart rate"), rising("x", "X")]
    system.fit(parts._replace(train=rows))
    questions = [Question(rising("?"), OPTIONS), Question(rising("?", "HRX"), OPTIONS)]
    seen, unknown = system.predict(questions)
    assert seen == pytest.approx([2 / 3, 0, 1 / 3])
    assert unknown.tolist() == [0, 0, 0]


TRAINING = [
    sample("The pulse and HR of patients rose.", HEART),
    sample("Patients with a high HR and pulse.", HEART),
    sample("Ask HR about your contract and salary.", STAFF),
    sample("Salary is decided by HR and managers.", STAFF),
]
ASKED = [sample("A patient's HR and pulse were measured."), sample("My salary: HR knows.")]


@pytest.mark.parametrize("name", ["ade", "bm25"])
def test_what_training_showed_decides(name: str, parts) -> None:
    system = make("ad", name)
    system.fit(parts._replace(train=TRAINING, table={"HR": OPTIONS}))
    scores = system.predict([Question(question, OPTIONS) for question in ASKED])
    assert [int(score.argmax()) for score in scores] == [2, 1]
    assert scores[0].shape == (3,) and scores[0].dtype == np.float64


def test_bm25_reads_the_long_form_itself_without_training(parts) -> None:
    system = make("gladis", "bm25")
    system.fit(parts._replace(train=(), table={"HR": OPTIONS}))
    (scores,) = system.predict([Question(sample("The heart beats; HR is high."), OPTIONS)])
    assert scores.argmax() == 2 and scores[0] == 0


def test_bm25_reads_text_that_writes_a_long_form_out(parts, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("A doctor counts the Heart-Rate with a watch.", "utf8")
    question = [Question(sample("The doctor saw the HR on her watch."), OPTIONS)]
    plain, fuller = make("gladis", "bm25"), make("gladis", "bm25", corpus=tmp_path / "text.txt")
    for system in (plain, fuller):
        system.fit(parts._replace(train=(), table={"HR": OPTIONS}))
    assert plain.predict(question)[0].tolist() == [0, 0, 0]
    assert fuller.predict(question)[0].argmax() == 2
    text = ["the", "heart", "rate", "and", "heart", "rate", "run"]
    assert [len(near) for _, near in find_long_forms(text, [HEART, "run"])] == [5, 5]


@pytest.mark.parametrize("mined", [True, False])
def test_maddog_learns_each_chunk_of_acronyms_by_itself(mined: bool, parts, tmp_path) -> None:
    others = [
        sample._replace(acronym="XR", long_form=sample.long_form + "s") for sample in parts.train
    ]
    write_samples(tmp_path / "mined.jsonl", [*parts.train, *others])
    system = make("gladis", "maddog", **({"samples": tmp_path / "mined.jsonl"} if mined else {}))
    system.chunk, system.epochs = 1, 30
    options = {"HR": OPTIONS, "XR": [Candidate(HEART, {}, 0, -1)], "UN": OPTIONS}
    given = () if mined else [*parts.train, *others]
    system.fit(parts._replace(train=given, table=options))
    queries = [sample("the patient said HR is high"), sample("the manager said HR is open")]
    questions = [Question(question, OPTIONS) for question in queries]
    first, second, unknown = system.predict([*questions, Question(rising("?", "UN"), OPTIONS)])
    assert (first.argmax(), second.argmax()) == (2, 1)
    assert first[0] == 0 and first.sum() == pytest.approx(1, abs=1e-5)
    assert unknown.tolist() == [0, 0, 0]
    assert len({id(chunk) for chunk in system._chunks.values()}) == 2


def test_the_mention_is_no_word_of_its_context() -> None:
    assert context_words(ASKED[1]) == ["my", "salary", "knows"]
    assert with_sense(sample("So HR, again", "x y")) == ["so", "HR = x y", "again"]


TOPICS = {
    HEART: ["doctor", "patient", "pulse", "nurse", "heart", "ward", "clinic", "fever"],
    STAFF: ["manager", "office", "salary", "contract", "staff", "desk", "meeting", "boss"],
}


ASKED_BY_TOPIC = [sample("the nurse saw HR and pulse"), sample("the boss of HR had a contract")]


@pytest.fixture(scope="module")
def by_topic() -> list[Sample]:
    rng = np.random.default_rng(0)
    return [
        sample(" ".join([*rng.permutation(words)[:4], "HR", *rng.permutation(words)[:3]]), meaning)
        for meaning, words in TOPICS.items()
        for _ in range(100)
    ]


@pytest.mark.parametrize("name", ["uad", "sense-vectors"])
def test_sense_vectors_learn_and_put_unseen_senses_last(name: str, parts, table, by_topic) -> None:
    pytest.importorskip("gensim")
    system = make("ad", name)
    with pytest.raises(InputError, match="labelled samples"):
        system.fit(parts._replace(train=()))
    system.fit(parts._replace(train=by_topic))
    scores = system.predict([Question(query, table["HR"]) for query in ASKED_BY_TOPIC])
    assert [int(score.argmax()) for score in scores] == [2, 1]
    assert scores[0][0] == UNSEEN


def test_noa_compares_the_long_form_s_words_and_reads_no_label(parts, table, by_topic) -> None:
    pytest.importorskip("gensim")
    # Resources are written of among managers, rates among patients.
    names = {HEART: "heart rate", STAFF: "human resources staff"}
    texts = [f"{names[sample.long_form]} {sample.text}" for sample in by_topic]
    system = make("ad", "noa")
    system.fit(parts._replace(train=(), texts=texts))
    scores = system.predict([Question(query, table["HR"]) for query in ASKED_BY_TOPIC])
    assert [int(score.argmax()) for score in scores] == [2, 1]
    assert scores[0][0] == UNSEEN  # no text has a word of "home run"


def test_ade_counts_and_compares_contexts(parts) -> None:
    system = make("ad", "ade")
    system.fit(parts._replace(train=TRAINING * 5, table={"HR": OPTIONS}))
    unseen, staff, heart = system._features(sample("pulse , HR of home patients"), OPTIONS)
    assert unseen == [0, 0, 0, 0, 0.5]  # "home" is a word of "home run"
    assert staff[:2] == heart[:2] == [10, 0.5]
    assert 0 < heart[2] <= 1 and 0 < heart[3] <= 1 and heart[2] > staff[2]


def test_bem_learns_from_glosses_and_does_not_depend_on_the_batch(parts, tmp_path) -> None:
    names = ("central time", "computed tomography")
    table = {"CT": [Candidate(name, {}, 0, -1) for name in names]}
    rows = [
        sample(f"the {cue} of CT is for our {cue}", name, "CT")
        for name, cues in zip(names, (("clock", "river"), ("scan", "patient")), strict=True)
        for cue in cues
    ]
    base = str(tiny_bert(tmp_path))
    system = make("ad", "bem", base=base, learning_rate=1e-2, epochs=60)
    with pytest.raises(InputError, match="among the candidates of its acronym"):
        system.fit(parts._replace(train=rows, table={}))
    system.fit(parts._replace(train=rows * 8, table=table))
    questions = [Question(row._replace(long_form=""), table["CT"]) for row in rows]
    scores = system.predict(questions)
    assert [names[score.argmax()] for score in scores] == [row.long_form for row in rows]
    np.testing.assert_allclose(system.predict(questions[1:2])[0], scores[1], atol=0.02)  # bf16
    assert scores[0].sum() == pytest.approx(1)


def test_fasttext_looks_at_no_label_and_at_parts_of_words(parts, table, tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    (tmp_path / "text.txt").write_text("the heart beats and hearts beat " * 50, "utf8")
    question = [Question(sample("heart hearts HR"), table["HR"])]
    unlabelled = parts._replace(train=[sample._replace(long_form="") for sample in parts.train])
    scores = []
    for training in (parts, unlabelled):
        system = make("gladis", "fasttext", corpus=tmp_path / "text.txt")
        system.fit(training)
        scores += system.predict(question)
    np.testing.assert_array_equal(*scores)
    assert scores[0].argmax() == 2


def test_fasttext_takes_published_vectors(parts, table, tmp_path: Path) -> None:
    fasttext = pytest.importorskip("gensim.models.fasttext")
    texts = [["heart", "rate", "beat"], ["human", "resources", "office"]] * 20
    model = fasttext.FastText(texts, vector_size=12, min_count=1, bucket=50, seed=1, workers=1)
    fasttext.save_facebook_model(model, str(tmp_path / "vectors.bin"))
    system = make("gladis", "fasttext", vectors=tmp_path / "vectors.bin")
    system.fit(parts)
    (scores,) = system.predict([Question(sample("heart rate HR"), table["HR"])])
    assert scores.argmax() == 2


def test_bert_embeddings_do_not_depend_on_the_batch(tmp_path: Path, parts, table) -> None:
    texts = ("heart rate HR", "the human resources beats the home run HR")
    questions = [Question(sample(text), table["HR"]) for text in texts]
    system = make("gladis", "bert-embedding", checkpoint=str(tiny_bert(tmp_path)))
    system.fit(parts)
    together, (alone,) = system.predict(questions), system.predict(questions[1:])
    np.testing.assert_allclose(together[1], alone, atol=1e-5)
    assert all(np.abs(scores).max() <= 1 + 1e-5 for scores in together)


def test_a_bert_that_is_not_there_is_named(tmp_path: Path, parts) -> None:
    with pytest.raises(InputError, match=r"Give a folder with the config\.json"):
        make("gladis", "bert-embedding", checkpoint=str(tmp_path)).fit(parts)
    with pytest.raises(InputError, match="'bert-embedding' needs --checkpoint"):
        make("gladis", "bert-embedding")
