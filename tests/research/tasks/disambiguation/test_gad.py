"""Trees, the graph network, and what it takes to train them."""

from pathlib import Path

import numpy as np
import pytest
import spacy
import torch

from spacy_gladis.errors import InputError
from spacy_gladis.research.tasks.bilstm import Vocabulary, load_with
from spacy_gladis.research.tasks.disambiguation.systems.gad import (
    GAD,
    GADNetwork,
    Tree,
    make_batch,
    make_tree,
    parse,
)
from tests.support.samples import sample
from tests.support.tasks import make
from tests.support.training import tiny_bert

VECTORS = np.random.default_rng(0).normal(size=(5, 8)).astype(np.float16)
TREES = [
    Tree(["the", "hr", "rose", "."], ["DT", "NNP", "VBD", "."], [1, 2, 2, 2], 1, VECTORS[:4]),
    Tree(["hr"], ["NNP"], [0], 0, VECTORS[4:]),
]


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_bert(tmp_path_factory.mktemp("bert")))


def test_neighbours_are_the_tree_without_directions_and_with_self_loops() -> None:
    vocabulary = Vocabulary([TREES[0]._replace(tags=[])])
    batch = make_batch(TREES, vocabulary)
    edges = batch.neighbours[0] > 0
    assert edges.int().tolist() == [[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1]]
    np.testing.assert_allclose(batch.neighbours[0].sum(-1), 1)
    assert batch.neighbours[1].sum() == 1
    assert batch.lengths.tolist() == [4, 1] and not batch.vectors[1, 1:].any()
    np.testing.assert_allclose(batch.vectors[0], VECTORS[:4])
    assert (batch.tags[0] == 1).all()


def test_padding_changes_no_answer() -> None:
    torch.manual_seed(0)
    vocabulary = Vocabulary(TREES)
    network = GADNetwork(vocabulary, 8, 3, GAD("", "")).eval()
    together = network(make_batch(TREES, vocabulary))
    alone = network(make_batch(TREES[1:], vocabulary))
    torch.testing.assert_close(together[1:], alone)
    assert together.shape == (2, 3)


@pytest.mark.parametrize("name", ["gad", "decbae"])
def test_networks_learn_and_know_no_other_long_form(
    parser, parts, training, questions, base, name
) -> None:
    pipeline = {} if name == "decbae" else {"parser": str(parser)}
    system = make("ad", name, base=base, **pipeline)
    system.fit(parts._replace(train=training * 3, dev=()))
    scores = system.predict(questions)
    assert [int(score.argmax()) for score in scores] == [2, 1]
    assert scores[0][0] == 0 and scores[0].sum() == pytest.approx(1)


def test_the_printed_learning_rate_is_a_system_of_its_own(parser, base) -> None:
    rates = [make("ad", n, parser=str(parser), base=base).learning_rate for n in ("gad", "gad 0.3")]
    assert rates == [2e-3, 0.3]


def test_gad_says_what_it_needs(parser: Path, parts, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rose\.' was not parsed"):
        make_tree(spacy.blank("en")("The HR rose."), sample("The HR rose."))
    with pytest.raises(InputError, match="labelled samples"):
        make("ad", "gad", parser=str(parser), base="").fit(parts._replace(train=()))
    with pytest.raises(InputError, match=r"no spaCy pipeline 'nowhere'.*project run parser"):
        load_with("nowhere", "parser", ["parser"])
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="has no parser, only nothing"):
        load_with(str(tmp_path / "blank"), "parser", ["parser"])


def test_the_mention_is_found_inside_a_word(parser: Path) -> None:
    (tree,) = parse(
        load_with(str(parser), "parser", ["parser"]), [sample("All of the pseudoHRs rose .")]
    )
    assert tree.words[tree.mention] == "pseudohrs"
