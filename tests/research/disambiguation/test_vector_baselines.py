"""Word vectors, sense vectors and BERT's embeddings."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.research.disambiguation.systems.bert import BERTEmbedding
from spacy_gladis.research.disambiguation.systems.words import (
    UNSEEN,
    FastText,
    SenseVectors,
    with_sense,
)
from tests.support.samples import sample

TOPICS = {
    "heart rate": ["doctor", "patient", "pulse", "nurse", "heart", "ward", "clinic", "fever"],
    "human resources": [
        "manager",
        "office",
        "salary",
        "contract",
        "staff",
        "desk",
        "meeting",
        "boss",
    ],
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


def test_a_sense_is_one_token_in_the_place_of_the_mention() -> None:
    assert with_sense(sample("So HR, again", "x y")) == ["so", "HR = x y", "again"]


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


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny BERT with random weights, in transformers' own files."""
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("bert")
    words = "[PAD] [UNK] [CLS] [SEP] [MASK] heart rate human resources home run the beats"
    (folder / "vocab.txt").write_text("\n".join(words.split()), "utf8")
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    config: Any = BertConfig(
        vocab_size=13, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16,
    )  # fmt: skip
    BertModel(config).save_pretrained(folder)
    return str(folder)


def test_bert_embeddings_do_not_depend_on_the_batch(bert: str, table) -> None:
    questions = [sample("heart rate HR"), sample("the human resources beats the home run HR")]
    system = BERTEmbedding(bert)
    together = system.predict(questions, [table["HR"]] * 2)
    alone = BERTEmbedding(bert).predict(questions[1:], [table["HR"]])
    np.testing.assert_allclose(together[1], alone[0], atol=1e-5)
    assert all(np.abs(one).max() <= 1 + 1e-5 for one in together)


def test_a_bert_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Give the folder of one"):
        BERTEmbedding(str(tmp_path))
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', "utf8")
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "Nothing"}', "utf8")
    with pytest.raises(InputError, match="Give the folder of one"):
        BERTEmbedding(str(tmp_path))
