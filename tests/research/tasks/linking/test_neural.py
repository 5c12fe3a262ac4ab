"""COMETA's neural systems, on vectors that are easy to foresee."""

import numpy as np
import pytest
import torch

from spacy_gladis.concepts import Concept, ConceptMention, build_inventory
from spacy_gladis.errors import InputError
from spacy_gladis.research.tasks.linking.data import Training
from spacy_gladis.research.tasks.linking.system import SYSTEMS
from spacy_gladis.research.tasks.linking.systems import alignment, nearest
from spacy_gladis.research.tasks.linking.systems.alignment import Aligner
from spacy_gladis.research.tasks.linking.vectors import (
    fasttext,
    label_vectors,
    node2vec,
    once,
    term_layers,
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


def test_the_nearest_name_wins_and_a_label_is_the_mean_of_a_concept_s_names(monkeypatch):
    monkeypatch.setattr(nearest, "mean_vectors", lambda base, device: counts)
    assert best(make("cometa", "nearest bert"), "big toe") == "C"
    expected = counts(["sore head", "headache"]).sum(0)
    assert label_vectors(TREE, counts)[0] == pytest.approx(expected / np.linalg.norm(expected))


def test_the_views_of_n_1_to_n_6_are_the_paper_s():
    entries = {name[:3]: entry.fixed for name, entry in SYSTEMS.entries.items() if name[:2] == "n."}
    views = {name: (fixed["terms"], fixed["targets"]) for name, fixed in entries.items()}
    ft, bert, mla, graph = "fasttext", "bert", "bert-mla", "node2vec"
    assert views == {
        "n.1": ((ft,), (ft,)),
        "n.2": ((bert,), (bert,)),
        "n.3": ((mla,), (bert,)),
        "n.4": ((ft,), (graph,)),
        "n.5": ((ft,), (ft, graph)),
        "n.6": ((ft, mla), (ft, bert, graph)),
    }
    assert [name for name, fixed in entries.items() if not fixed.get("relu", True)] == [
        "n.3",
        "n.6",
    ]


def test_attention_weighs_layers_by_their_content_and_relu_follows_the_map():
    model = Aligner({"bert-mla": 2}, 2, relu=True)
    with torch.no_grad():
        model.memory.copy_(torch.tensor([[1.0, 0.0]]))
        model.linear.weight.copy_(torch.eye(2))
        model.linear.bias.zero_()
    # Products with the memory are 2 and -3, so that the weights are softmax(2, 0).
    layers = torch.tensor([[[2.0, 1.0], [-3.0, 1.0]]])
    first = np.exp(2) / (np.exp(2) + 1)
    expected = np.array([2 * first - 3 * (1 - first), 1.0])
    assert model([layers])[0].tolist() == pytest.approx(expected / np.linalg.norm(expected))
    assert model([-layers])[0].tolist() == pytest.approx([1.0, 0.0])  # the second is negative
    both = Aligner({"fasttext": 3, "bert-mla": 2}, 4, relu=False)
    assert both([torch.ones(5, 3), torch.ones(5, 6, 2)]).shape == (5, 4)
    assert both.first is not None and model.first is None


@pytest.mark.parametrize("terms", [("bert",), ("bert-mla",)])
def test_the_alignment_model_learns_terms_in_their_contexts(terms, monkeypatch):
    train = [ConceptMention("ouch", ("X",)), ConceptMention("sore head", ("A", "GONE"))]
    noise = np.random.default_rng(0).normal(size=len(WORDS)).astype(np.float32)

    def with_noise(mentions, base, device) -> np.ndarray:
        """A first layer of noise, and a last one of words."""
        words = counts([mention.phrase for mention in mentions])
        return np.stack([np.broadcast_to(noise, words.shape), words], 1)

    monkeypatch.setattr(alignment, "mean_vectors", lambda base, device: counts)
    monkeypatch.setattr(alignment, "term_layers", with_noise)
    system = alignment.Alignment(terms, ("bert",), learning_rate=0.01)
    assert best(system, "ouch", train) == "X"
    with pytest.raises(InputError, match="No training phrase"):
        system.fit(Training(TREE, [], ()))


def test_all_views_serve_together_and_the_best_epoch_is_kept(tiny_weights):
    pytest.importorskip("node2vec")
    train = [ConceptMention("ouch", ("B",), "What an ouch it is", 8), ConceptMention("toe", ("C",))]
    system = make("cometa", "n.6 ft + bert-mla to ft + bert + node2vec", base=str(tiny_weights))
    system.epochs = 3
    training = Training(TREE, train, [ConceptMention("big toe", ("C",))])
    system.fit(training)
    assert system._model.linear.out_features == 300 + 32 + 300
    (result,) = system.rank([ConceptMention("broken toe")], 3)
    assert len({concept for concept, _ in result}) == 3
    assert once(training, "fasttext", lambda: None) is system._fasttext


def test_node2vec_puts_neighbours_together_and_leaves_the_lonely_out():
    pytest.importorskip("node2vec")
    vectors = node2vec(TREE)
    assert vectors.shape == (5, 300)
    assert not vectors[4].any() and np.linalg.norm(vectors[:4], axis=1) == pytest.approx(1)
    with pytest.raises(InputError, match="no graph"):
        node2vec(build_inventory([Concept("A", ("a",))]))


def test_fasttext_embeds_words_it_has_not_seen():
    vectors = fasttext(Training(TREE, (), ()))(["headaches", "sore toe", ""])
    assert vectors.shape == (3, 300)
    assert np.linalg.norm(vectors[:2], axis=1).all()


def test_a_term_has_vectors_of_every_layer_in_its_context(tiny_weights):
    alone = ConceptMention("scan")
    here = ConceptMention("scan", (), "a computed tomography scan", 22)
    there = ConceptMention("scan", (), "scan the text", 0)
    layers = term_layers([alone, here, there], str(tiny_weights), "cpu")
    assert layers.shape == (3, 2, 32)
    assert not np.allclose(layers[1], layers[2], atol=1e-2)
    again = term_layers([here], str(tiny_weights), "cpu")
    assert again[0] == pytest.approx(layers[1], abs=2e-2)


def test_any_encoder_serves_ours_and_the_nearest_name(tmp_path):
    torch.manual_seed(0)
    base = str(write_mpnet(tmp_path))
    train = [ConceptMention("big broken toe", ("C",)), ConceptMention("headaches", ("A",))]
    result = {}
    for name in ("nearest bert", "ours-as-it-is"):
        system = make("cometa", name, base=base)
        system.fit(Training(TREE, train, [ConceptMention("broken toe", ("C",))]))
        (result[name],) = system.rank([ConceptMention("broken toe")], 3)
    assert TREE.ids[result["ours-as-it-is"][0][0]] == "C"
    assert len(result["nearest bert"]) == 3  # its vectors are random
    with pytest.raises(InputError, match="not installed"):
        make("cometa", "nearest bert", base="package:no_such_package").fit(Training(TREE, (), ()))
