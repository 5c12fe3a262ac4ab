"""A tiny AcroBERT with random weights."""

import pytest
import torch
from tokenizers.implementations import BertWordPieceTokenizer

from spacy_gladis.modeling import AcroBERT, Settings
from spacy_gladis.modeling.encoder import EncoderConfig
from spacy_gladis.modeling.network import AcroNetwork
from spacy_gladis.modeling.tokens import WordPieces

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused1]", "[unused2]")
WORDS = (
    "the a of in to and model learns from potassium diet grams daily intake adequate "
    "artificial intelligence aromatase inhibitor breast cancer drug ai"
)
CONFIG = EncoderConfig(len(SPECIAL) + len(WORDS.split()), 48, 2, 2, 64, hidden_dropout_prob=0.0)


def make_pieces() -> WordPieces:
    numbers = {word: number for number, word in enumerate([*SPECIAL, *WORDS.split()])}
    return WordPieces(BertWordPieceTokenizer(numbers, lowercase=True)._tokenizer)


@pytest.fixture
def pieces() -> WordPieces:
    return make_pieces()


@pytest.fixture
def model() -> AcroBERT:
    torch.manual_seed(0)
    network = AcroNetwork(CONFIG, 2)
    for parameter in (network.mention.weight, network.fit[2].weight):
        torch.nn.init.normal_(parameter, std=0.1)  # an untrained network corrects nothing
    model = AcroBERT(network, make_pieces(), Settings(domains=("health", "computing")))
    model.precision = torch.float32
    return model
