"""Vectors of terms: FastText over an inventory's names, an encoder, and its layers one by one."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ....arrays import Floats
from ....concepts import ConceptMention, Inventory
from ....errors import require

if TYPE_CHECKING:
    from ....modeling.acrobert import AcroBERT

Embed = Callable[[Sequence[str]], Floats]
"""Texts to unit vectors, float32 [texts, width]."""
MakeEmbed = Callable[[Inventory, Sequence[ConceptMention]], Embed]
"""Vectors that may be learnt from an inventory's names and the training texts."""

SIZE, EPOCHS = 100, 5


def unit(vectors: Floats) -> Floats:
    """The vectors at length 1; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Floats = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return scaled


def fasttext(inventory: Inventory, train: Sequence[ConceptMention]) -> Embed:
    """FastText trained on the names and the training texts; a term is the mean of its words.

    Raises MissingExtraError without gensim.
    """
    texts = dict.fromkeys([*inventory.names, *(one.text or one.phrase for one in train)])
    sentences = [words for text in texts if (words := text.lower().split())]
    model = require("gensim.models", "evaluation").FastText(
        sentences, vector_size=SIZE, epochs=EPOCHS, min_count=1, bucket=200_000, workers=1, seed=0
    )

    def embed(terms: Sequence[str]) -> Floats:
        means = [np.mean([model.wv[w] for w in term.lower().split() or [""]], 0) for term in terms]
        return unit(np.array(means, dtype=np.float32))

    return embed


def bert(model: "AcroBERT") -> MakeEmbed:
    """An encoder as it is; a term is the mean of its tokens, and encoded once for all systems."""
    from ....modeling.concepts.vectors import NameVectors

    vectors = NameVectors(model)
    return lambda inventory, train: vectors


def bert_layers(model: "AcroBERT") -> Embed:
    """Texts to the mean of their tokens at every layer, float32 [texts, layers, width]."""
    import torch

    from ....modeling.engines.torch import tokens_per_pass
    from ....modeling.tokens import length_buckets, pad
    from ...training.network import AcroNetwork, mean_of
    from ...training.precision import inference

    device = torch.device(model.encoder.device)
    encoder = AcroNetwork.of(model.weights).to(device).bert

    def embed(texts: Sequence[str]) -> Floats:
        token_ids = model.pieces.long_forms([text.lower() for text in texts])
        layers = encoder.config.num_hidden_layers
        found = np.zeros((len(texts), layers, model.width), dtype=np.float32)
        with inference(encoder):
            for batch in length_buckets(list(map(len, token_ids)), tokens_per_pass(device)):
                padded = pad([token_ids[i] for i in batch], model.pieces.pad)
                ids = torch.from_numpy(padded).to(device)
                there = ids != model.pieces.pad
                positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
                states = encoder.layers(ids, positions, torch.zeros_like(ids), there[:, None, None])
                means = [mean_of(state.float(), there) for state in states]
                found[batch] = torch.stack(means, 1).cpu().numpy()
        return unit(found)

    return embed
