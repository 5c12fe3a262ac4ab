"""COMETA's neural systems, on vectors that are easy to foresee."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from spacy_gladis.concepts import Concept, ConceptMention, build_inventory
from spacy_gladis.errors import InputError
from spacy_gladis.linking.acrobert import AcroBERT
from spacy_gladis.research.tasks.linking.data import Training
from spacy_gladis.research.tasks.linking.systems import alignment, nearest
from spacy_gladis.research.tasks.linking.vectors import (
    fasttext,
    label_vectors,
    layer_vectors,
    node2vec,
    unit,
)
from tests.support.checkpoints import write_mpnet
from tests.support.tasks import make

TREE = build_inventory(
    [
        Concept("A", ("sore head", "headache"), parents=("R",)),
        Concept("B", ("sore toe",), parents=("R",)),
        Concept("C", ("broken toe", "broken big toe"), parents=("B",)),
        Concept("R", ("pain",)),
        Concept("X", ("potassium",)),
    ]
)
WORDS = ("sore", "head", "headache", "toe", "broken", "big", "pain", "potassium", "ouch")


def counts(texts):
    """A vector of word counts."""
    rows = [[text.split().count(word) for word in WORDS] for text in texts]
    return unit(np.array(rows, dtype=np.float32))


def best(system, phrase, train=()):
    system.fit(Training(TREE, train, ()))
    return TREE.ids[system.rank([ConceptMention(phrase)], 3)[0][0][0]]


def test_the_nearest_name_wins_or_the_nearest_mean_of_a_concept_s_names(monkeypatch):
    monkeypatch.setattr(nearest, "mean_vectors", lambda base, device: counts)
    assert best(make("cometa", "n.2 bert"), "big toe") == "C"
    expected = counts(["sore head", "headache"]).sum(0)
    assert label_vectors(TREE, counts)[0] == pytest.approx(expected / np.linalg.norm(expected))
    assert best(make("cometa", "n.4 labels"), "broken") == "C"


@pytest.mark.parametrize("layers", [False, True])
def test_the_alignment_model_learns_words_it_never_saw_in_names(layers, monkeypatch):
    train = [ConceptMention("ouch", ("X",)), ConceptMention("sore head", ("A", "GONE"))]
    noise = np.random.default_rng(0).normal(size=(1, 1, len(WORDS))).astype(np.float32)

    def with_noise(texts: Sequence[str]) -> np.ndarray:
        """A second layer, which the attention may leave out."""
        return np.concatenate([counts(texts)[:, None], np.repeat(noise, len(texts), 0)], 1)

    monkeypatch.setattr(alignment, "mean_vectors", lambda base, device: counts)
    monkeypatch.setattr(alignment, "layer_vectors", lambda model: with_noise)
    system = alignment.Alignment(("labels",), layers=layers)
    assert best(system, "ouch", train) == "X"
    with pytest.raises(InputError, match="No training phrase"):
        system.fit(Training(TREE, [], ()))


def test_node2vec_puts_neighbours_together_and_leaves_the_lonely_out():
    vectors = node2vec(TREE)
    assert vectors[2] @ vectors[1] > vectors[2] @ vectors[0]
    assert not vectors[4].any()
    assert np.array_equal(vectors, node2vec(TREE))
    with pytest.raises(InputError, match="no graph"):
        node2vec(build_inventory([Concept("A", ("a",))]))


def test_fasttext_embeds_words_it_has_not_seen():
    vectors = fasttext(Training(TREE, (), ()))(["headaches", "sore toe", ""])
    assert vectors.shape == (3, 100)
    assert np.linalg.norm(vectors[:2], axis=1) == pytest.approx([1, 1])


def test_the_last_layer_is_what_the_encoder_gives(tiny_weights):
    texts = ["computed tomography", "scan"]
    layers = layer_vectors(AcroBERT.load(tiny_weights))(texts)
    assert layers.shape == (2, 2, 32)
    assert layers[:, -1] == pytest.approx(
        AcroBERT.load(tiny_weights).encode_long_forms(texts), abs=2e-2
    )


def test_any_encoder_serves_ours_and_the_nearest_name(tmp_path):
    torch.manual_seed(0)
    base = str(write_mpnet(tmp_path))
    train = [ConceptMention("big broken toe", ("C",)), ConceptMention("headaches", ("A",))]
    found = {}
    for name in ("n.2 bert", "ours-as-it-is"):
        system = make("cometa", name, base=base)
        system.fit(Training(TREE, train, [ConceptMention("broken toe", ("C",))]))
        (found[name],) = system.rank([ConceptMention("broken toe")], 3)
    assert TREE.ids[found["ours-as-it-is"][0][0]] == "C"
    assert len(found["n.2 bert"]) == 3  # its vectors are random
    with pytest.raises(InputError, match="not installed"):
        make("cometa", "n.2 bert", base="package:no_such_package").fit(Training(TREE, (), ()))
