"""A tiny AcroBERT with random weights."""

import pytest
import torch

from spacy_gladis.encoder.word_pieces import WordPieces
from spacy_gladis.linking import AcroBERT, Settings
from spacy_gladis.research.training.network import AcroNetwork
from tests.support.checkpoints import CONFIG, make_pieces


@pytest.fixture
def pieces() -> WordPieces:
    return make_pieces()


@pytest.fixture
def model() -> AcroBERT:
    torch.manual_seed(0)
    network = AcroNetwork(CONFIG)
    torch.nn.init.normal_(network.mention.weight, std=0.1)
    return AcroBERT(network.weights(), make_pieces(), Settings())
