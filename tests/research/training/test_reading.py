"""The cross-encoder that is trained beside the retriever."""

import numpy as np
import pytest
import torch

from spacy_gladis.modeling import AcroBERT, Settings
from spacy_gladis.modeling.network import AcroNetwork, pack
from spacy_gladis.modeling.shared_windows import Stretch
from spacy_gladis.research.training.reading import ReadingNetwork, rows_of
from spacy_gladis.rules import Mention
from tests.support.modeling import CONFIG, make_pieces

CONTEXT = Mention("the AI of potassium in the diet", 4, 6)
OTHER = Mention("AI drug breast cancer", 0, 2)
NAMES = ["artificial intelligence", "adequate intake", "aromatase inhibitor", "a"]


@pytest.fixture
def model() -> AcroBERT:
    torch.manual_seed(0)
    network = ReadingNetwork(CONFIG, 2)
    for name in ("mention.weight", "fit.2.weight"):
        torch.nn.init.normal_(network.get_parameter(name), std=0.1)
    return AcroBERT(network, make_pieces(), Settings(domains=("health", "computing")))


def read(model: AcroBERT, context: Mention, names: list[str]) -> np.ndarray:
    network = model.module
    assert isinstance(network, ReadingNetwork)
    inputs = model.batch([Stretch.of(model.pieces.windows([context], 32)[0])])[:3]
    with torch.no_grad():
        _, _, logits = network.read(*inputs, pack([model.pieces.long_forms(names)], 0))
    return logits.numpy()


def test_a_candidate_is_read_as_if_it_were_alone(model: AcroBERT) -> None:
    together = read(model, CONTEXT, NAMES)
    alone = [float(read(model, CONTEXT, [name])[0]) for name in NAMES]
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert np.ptp(together) > 1e-3


def test_candidates_do_not_change_the_context(model: AcroBERT) -> None:
    inputs = model.batch([Stretch.of(model.pieces.windows([CONTEXT], 32)[0])])[:3]
    network = model.module
    assert isinstance(network, ReadingNetwork)
    with torch.no_grad():
        alone, domains = network(*inputs)
        packed = pack([model.pieces.long_forms(NAMES)], model.pieces.pad)
        beside, same_domains, _ = network.read(*inputs, packed)
    torch.testing.assert_close(alone, beside, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(domains, same_domains, atol=1e-5, rtol=1e-4)


def test_the_context_changes_what_is_read(model: AcroBERT) -> None:
    assert np.abs(read(model, CONTEXT, NAMES) - read(model, OTHER, NAMES)).max() > 1e-3


def test_untrained_it_adds_nothing_and_shares_the_retriever() -> None:
    retriever = AcroNetwork(CONFIG, 2)
    network = ReadingNetwork.of(retriever).eval()
    packed = pack([[[2, 9, 3], [2, 10, 11, 3]]], 0)
    ids = torch.tensor([[2, 8, 9, 3]])
    there = torch.ones_like(ids, dtype=torch.bool)
    with torch.no_grad():
        _, _, logits = network.read(ids, there, there, packed)
    assert logits.tolist() == [0.0, 0.0]
    assert network.scale is retriever.scale and network.bert is retriever.bert


def test_rows_of_long_forms() -> None:
    assert rows_of(pack([[[1, 2], [3]], [[4, 5, 6]]], 0)).tolist() == [0, 0, 1]


def test_the_library_loads_the_weights_without_the_head(model: AcroBERT, tmp_path) -> None:
    model.save(tmp_path)
    loaded = AcroBERT.load(tmp_path)
    assert type(loaded.module) is AcroNetwork
    np.testing.assert_allclose(
        loaded.encode_contexts([CONTEXT]).vectors, model.encode_contexts([CONTEXT]).vectors
    )
