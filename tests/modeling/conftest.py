"""A tiny AcroBERT with random weights."""

import pytest
import torch

from spacy_gladis.modeling import AcroBERT, Settings
from spacy_gladis.modeling.network import AcroNetwork
from spacy_gladis.modeling.tokens import WordPieces
from tests.support.modeling import CONFIG, make_pieces


@pytest.fixture
def pieces() -> WordPieces:
    return make_pieces()


@pytest.fixture
def model() -> AcroBERT:
    torch.manual_seed(0)
    network = AcroNetwork(CONFIG)
    torch.nn.init.normal_(network.mention.weight, std=0.1)
    model = AcroBERT(network, make_pieces(), Settings())
    model.precision = torch.float32
    return model
