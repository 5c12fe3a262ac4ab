"""Each system learns, answers as probabilities, and does so again with the same seed."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.linking import AcroBERT
from spacy_gladis.research.datasets.wic_tsv import TargetSense
from spacy_gladis.research.tasks.encoders import load_encoder
from spacy_gladis.research.tasks.verification.data import Training
from spacy_gladis.research.tasks.verification.systems.bert import make_pairs
from spacy_gladis.research.tasks.verification.systems.cosines import best_threshold
from spacy_gladis.research.tasks.verification.systems.fasttext import read_vectors
from spacy_gladis.text import Mention
from tests.support.checkpoints import write_mpnet
from tests.support.tasks import make

CONTEXTS = {
    "model learns from data": "artificial intelligence",
    "potassium diet of daily grams": "adequate intake",
    "drug for a patient": "aromatase inhibitor",
}
SENSES = [
    TargetSense(Mention(f"{words} ai is in the {tail}", len(words) + 1, len(words) + 3), definition)
    for tail in ("state", "data", "scan")
    for words in CONTEXTS
    for definition in CONTEXTS.values()
]
LABELS = [CONTEXTS[sense.mention.text.split(" ai ")[0]] == sense.definition for sense in SENSES]


TEXTS = [text for sense in SENSES for text in (sense.mention.text, sense.sense)]
TRAINING = Training(SENSES, LABELS, TEXTS)


def fitted(name: str, **settings):
    verifier = make("wic-tsv", name, **settings)
    verifier.fit(TRAINING)
    return verifier


def accuracy(verifier) -> float:
    result = np.array(verifier.predict(SENSES))
    assert result.shape == (len(SENSES),) and result.min() >= 0 and result.max() <= 1
    return float(np.mean((result >= 0.5) == LABELS))


@pytest.mark.parametrize("name", ["bert-cls", "bert-joint", "bert-marked, MPNet"])
def test_bert_learns_what_it_is_shown(tiny_weights, start, name):
    name, *mpnet = name.split(", ")
    settings: dict[str, Any] = {"learning_rate": 1e-2, "batch_size": 9, "seed": 2}
    settings |= {"base": str(start)} if mpnet else {"model": tiny_weights}
    assert accuracy(fitted(name, epochs=40, **settings)) > 0.9
    first, again = (fitted(name, epochs=2, **settings).predict(SENSES) for _ in range(2))
    np.testing.assert_allclose(first, again, atol=1e-5)


def test_frozen_layers_stay_as_they_are(tiny_weights):
    verifier = fitted("bert", model=tiny_weights, frozen=1, epochs=1, learning_rate=1e-2)
    before, _ = load_encoder(tiny_weights)
    after = verifier._network.encoder.state_dict()
    changed = {name for name, value in before.state_dict().items() if not value.equal(after[name])}
    assert changed
    assert {name.split(".")[2] for name in changed} == {"1"}


def test_cosines_are_weighed_and_their_encoder_is_fine_tuned(tiny_weights):
    weighed = fitted("cosines", model=tiny_weights)
    first = weighed.predict(SENSES)
    assert accuracy(weighed) >= 2 / 3  # answering no is right for two in three
    settings = {"model": tiny_weights, "learning_rate": 3e-3, "batch_size": 9}
    tuned = fitted("cosines-tuned", epochs=40, **settings)
    assert accuracy(tuned) > 0.9
    # Training starts from what the encoder answered as it was.
    tuned = fitted("cosines-tuned", epochs=1, **{**settings, "learning_rate": 1e-12})
    np.testing.assert_allclose(tuned.predict(SENSES), first, atol=0.02)  # bf16


def test_acrobert_takes_the_best_threshold(tiny_weights):
    zero_shot = fitted("acrobert", model=tiny_weights)
    assert accuracy(zero_shot) >= 2 / 3  # answering no is right for two in three
    for scores, labels, low, high in (
        ([0.1, 0.2, 0.6, 0.8], [False, False, True, True], 0.399, 0.401),
        ([0.1, 0.2], [True, True], -1, 0.1),
        ([0.3, 0.4], [False, False], 0.4, 1),
    ):
        assert low < best_threshold(np.array(scores), labels) < high


def test_fasttext_learns_from_words_alone():
    pytest.importorskip("gensim")
    pytest.importorskip("sklearn")
    verifier = make("wic-tsv", "fasttext")
    verifier.fit(Training(SENSES * 4, LABELS * 4, TEXTS * 3))
    first = verifier.predict(SENSES)
    assert accuracy(verifier) > 0.8
    verifier.fit(Training(SENSES * 4, LABELS * 4, TEXTS * 3))
    assert np.array_equal(verifier.predict(SENSES), first)


def test_fasttext_concatenates_what_the_task_shows():
    pytest.importorskip("gensim")
    pytest.importorskip("sklearn")
    both = [sense._replace(hypernyms=("state",)) for sense in SENSES]
    for senses, parts in (
        (SENSES, 2),
        ([sense._replace(definition="") for sense in both], 2),
        (both, 3),
    ):
        verifier = make("wic-tsv", "fasttext")
        verifier.fit(Training(senses * 4, LABELS * 4, TEXTS * 3))
        without = senses[0]._replace(hypernyms=(), definition="")  # an empty line of a file
        assert verifier._features([senses[0], without]).shape == (2, parts * 100)


def test_a_word_of_the_sense_is_the_mean_of_its_pieces():
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers

    pieces = ["[PAD]", "[UNK]", "ai", "in", "##take", "data"]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    whole = Tokenizer(models.WordPiece(vocab=vocabulary, unk_token="[UNK]"))
    whole.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=whole, pad_token="[PAD]")
    contexts = [Mention("intake ai", 7, 9), Mention("ai", 0, 2)]
    pairs = make_pairs(tokenizer, contexts, ["data intake", "data"])
    assert pairs.sense.tolist() == [[0, 0, 0, 1, 0.5, 0.5], [0, 1, 0, 0, 0, 0]]
    assert pairs.target.tolist()[0] == [False, False, True, False, False, False]


def test_the_mean_is_that_of_its_members(tiny_weights):
    settings = {"model": tiny_weights, "epochs": 1, "learning_rate": 1e-3}
    members = ("bert", "cosines-tuned")
    mean = fitted("mean", member=members, **settings).predict(SENSES)
    each = [fitted(name, **settings).predict(SENSES) for name in members]
    np.testing.assert_allclose(mean, np.mean(each, axis=0), atol=1e-5)


def test_vectors_of_a_file(tmp_path):
    pytest.importorskip("gensim")
    path = tmp_path / "small.vec"
    path.write_text("2 3\nriver 1 0 0\nmoney 0 1 0\n", "utf8")
    assert read_vectors(path)["money"].tolist() == [0, 1, 0]
    path.write_text("no vectors", "utf8")
    with pytest.raises(FormatError, match=r"small\.vec is not a file of word vectors"):
        read_vectors(path)
    with pytest.raises(InputError, match="does not exist"):
        read_vectors(tmp_path / "absent.vec")


pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    return write_mpnet(tmp_path_factory.mktemp("mpnet"))


def test_an_encoder_that_was_trained_here_is_that_of_transformers(
    start: Path, tmp_path: Path
) -> None:
    AcroBERT.load(start).save(tmp_path)
    (theirs, tokenizer), (ours, our_tokenizer) = load_encoder(start), load_encoder(tmp_path)
    texts = ("potassium diet", "daily intake")
    inputs = tokenizer(*texts, return_tensors="pt")
    assert our_tokenizer(*texts)["input_ids"] == inputs["input_ids"][0].tolist()
    with torch.no_grad():
        torch.testing.assert_close(ours.eval()(**inputs)[0], theirs.eval()(**inputs)[0])
