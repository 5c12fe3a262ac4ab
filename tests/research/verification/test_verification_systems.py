"""Each system learns, answers as probabilities, and does so again with the same seed."""

from pathlib import Path

import numpy as np
import pytest
import torch

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.linking import AcroBERT
from spacy_gladis.research.datasets.wic_tsv import TargetSense
from spacy_gladis.research.verification.systems.bert import BertVerifier, load_encoder
from spacy_gladis.research.verification.systems.cosines import (
    AcroBERTZeroShot,
    LayerCosineVerifier,
    best_threshold,
)
from spacy_gladis.research.verification.systems.fasttext import (
    FastTextVerifier,
    read_vectors,
    train_vectors,
)
from spacy_gladis.text import Mention
from tests.support.checkpoints import write_mpnet

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
LABELS = [CONTEXTS[one.mention.text.split(" ai ")[0]] == one.definition for one in SENSES]


def accuracy(verifier) -> float:
    found = verifier.predict(SENSES)
    assert found.shape == (len(SENSES),) and found.min() >= 0 and found.max() <= 1
    return float(np.mean((found >= 0.5) == LABELS))


@pytest.mark.parametrize("pooling", ["cls", "joint", "concat, MPNet"])
def test_bert_learns_what_it_is_shown(tiny_weights, start, pooling):
    pooling, *mpnet = pooling.split(", ")

    def fitted(epochs: int) -> BertVerifier:
        settings = {"pooling": pooling, "marked": True, "learning_rate": 1e-2, "batch_size": 9}
        verifier = BertVerifier(start if mpnet else tiny_weights, epochs=epochs, **settings)
        verifier.fit(SENSES, LABELS, seed=1)
        return verifier

    assert accuracy(fitted(40)) > 0.9
    one, again = (fitted(2).predict(SENSES) for _ in range(2))
    np.testing.assert_allclose(one, again, atol=1e-5)


def test_frozen_layers_stay_as_they_are(tiny_weights):
    verifier = BertVerifier(tiny_weights, frozen=1, epochs=1, learning_rate=1e-2)
    verifier.fit(SENSES, LABELS, seed=0)
    before, _ = load_encoder(tiny_weights)
    after = verifier.network.encoder.state_dict()
    changed = {name for name, value in before.state_dict().items() if not value.equal(after[name])}
    assert changed
    assert {name.split(".")[2] for name in changed} == {"1"}


def test_cosines_are_weighed_and_their_encoder_is_fine_tuned(tiny_weights):
    weighed = LayerCosineVerifier(tiny_weights, epochs=0)
    weighed.fit(SENSES, LABELS, seed=0)
    first = weighed.predict(SENSES)
    assert accuracy(weighed) >= 2 / 3  # answering no is right for two in three
    tuned = LayerCosineVerifier(tiny_weights, epochs=40, learning_rate=3e-3, batch_size=9)
    tuned.fit(SENSES, LABELS, seed=0)
    assert accuracy(tuned) > 0.9
    # Training starts from what the encoder answered as it was.
    tuned.learning_rate, tuned.epochs = 1e-12, 1
    tuned.fit(SENSES, LABELS, seed=0)
    np.testing.assert_allclose(tuned.predict(SENSES), first, atol=0.02)  # bf16


def test_acrobert_takes_the_best_threshold(tiny_weights):
    zero_shot = AcroBERTZeroShot(tiny_weights)
    zero_shot.fit(SENSES, LABELS, seed=0)
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
    vectors = train_vectors(
        [one.mention.text for one in SENSES] * 3 + [one.sense for one in SENSES]
    )
    verifier = FastTextVerifier(vectors)
    verifier.fit(SENSES * 4, LABELS * 4, seed=0)
    first = verifier.predict(SENSES)
    assert accuracy(verifier) > 0.8
    verifier.fit(SENSES * 4, LABELS * 4, seed=0)
    assert (verifier.predict(SENSES) == first).all()


def test_vectors_of_a_file(tmp_path):
    pytest.importorskip("gensim")
    path = tmp_path / "small.vec"
    path.write_text("2 3\nriver 1 0 0\nmoney 0 1 0\n", "utf8")
    assert read_vectors(path)["money"].tolist() == [0, 1, 0]
    path.write_text("no vectors", "utf8")
    with pytest.raises(FormatError, match=r"small\.vec is not a file of word vectors"):
        read_vectors(path)
    with pytest.raises(InputError, match="no such file"):
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
