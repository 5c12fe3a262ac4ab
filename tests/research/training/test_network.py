"""The network that is trained, against what is served of its weights."""

import numpy as np
import torch

from spacy_gladis.encoder.shared_windows import SharedWindow, WindowBatch, shared_windows
from spacy_gladis.encoder.word_pieces import group_into_rows
from spacy_gladis.linking import AcroBERT, Settings
from spacy_gladis.research.training.network import AcroNetwork, pack
from spacy_gladis.text import Mention
from tests.support.training import CONFIG, MEANINGS, tiny_pieces

TEXT = "the AI of the CT is potassium for the CO"


def served(shared: bool) -> tuple[AcroBERT, AcroNetwork]:
    torch.manual_seed(0)
    network = AcroNetwork(CONFIG).eval()
    torch.nn.init.normal_(network.mention.weight, std=0.1)
    return AcroBERT(network.weights(), tiny_pieces(), Settings(shared=shared)), network


def test_long_forms_have_the_vectors_that_were_trained():
    model, network = served(False)
    names = [name for meanings in MEANINGS.values() for name in meanings]
    packed = pack(list(group_into_rows(model.pieces.encode_long_forms(names))), model.pieces.pad)
    with torch.no_grad():
        trained = network.encode_long_forms(packed)
    np.testing.assert_allclose(model.encode_long_forms(names), trained.numpy(), atol=1e-5)


def test_contexts_have_the_vectors_that_were_trained():
    mentions = [Mention(TEXT, TEXT.index(name), TEXT.index(name) + 2) for name in MEANINGS]
    model, network = served(True)
    read = shared_windows(model.pieces, mentions)
    with torch.no_grad():
        trained = network(*map(torch.from_numpy, WindowBatch.from_windows(read, model.pieces.pad)))
    np.testing.assert_allclose(model.encode_contexts(mentions), trained.numpy(), atol=1e-5)
    model, network = served(False)
    windows = model.pieces.encode_windows(mentions, model.settings.window)
    batch = WindowBatch.from_windows(
        [SharedWindow.from_window(window) for window in windows], model.pieces.pad
    )
    arrays = (batch.ids, batch.mask, batch.mention_mask)
    with torch.no_grad():
        trained = network(*map(torch.from_numpy, arrays))
    np.testing.assert_allclose(model.encode_contexts(mentions), trained.numpy(), atol=1e-5)
