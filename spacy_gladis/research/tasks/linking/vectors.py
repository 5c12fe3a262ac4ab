"""Vectors of phrases, of concepts' names and of the graph of concepts."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from ....arrays import Floats
from ....concepts import Inventory
from ....errors import InputError, require
from ....linking.acrobert import AcroBERT
from ....linking.concepts.evidence import NameVectors
from ...training.start import find_start
from .data import Training

Embed = Callable[[Sequence[str]], Floats]
"""Texts to unit vectors, float32 [texts, width]."""


@lru_cache(1)
def load_encoder(base: str | None, device: str) -> AcroBERT:
    """Load an encoder; systems of one run share it.

    Args:
        base: See `find_start`; None for the packaged AcroBERT's.
        device: Where it computes.
    """
    return AcroBERT.load(find_start(base) if base else None).to(device)


@lru_cache(1)
def mean_vectors(base: str | None, device: str) -> Embed:
    """Return an encoder as it is: the mean of a term's tokens, each term encoded once a run."""
    return NameVectors(load_encoder(base, device))


def unit(vectors: Floats) -> Floats:
    """Return the vectors at length 1; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Floats = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return scaled


def fasttext(training: Training, width: int = 100, epochs: int = 3) -> Embed:
    """Train FastText on the names and the training texts; a term is the mean of its words.

    Raises:
        MissingExtraError: If gensim is not installed.
    """
    texts = [*training.inventory.names, *(one.text or one.phrase for one in training.train)]
    sentences = [words for text in dict.fromkeys(texts) if (words := text.lower().split())]
    model = require("gensim.models", "evaluation").FastText(
        sentences, vector_size=width, epochs=epochs, min_count=1, bucket=200_000, workers=1, seed=0
    )

    def embed(terms: Sequence[str]) -> Floats:
        means = [np.mean([model.wv[w] for w in term.lower().split() or [""]], 0) for term in terms]
        return unit(np.array(means, dtype=np.float32))

    return embed


def layer_vectors(model: AcroBERT) -> Embed:
    """Return the means of a text's tokens at every layer, float32 [texts, layers, width]."""
    import torch

    from ....encoder.engines.torch import tokens_per_pass
    from ....encoder.word_pieces import batch_by_length, pad
    from ...training.network import AcroNetwork, inference, mean_of

    device = torch.device(model.encoder.device)
    encoder = AcroNetwork.of(model.weights).to(device).bert

    def embed(texts: Sequence[str]) -> Floats:
        token_ids = model.pieces.encode_long_forms([text.lower() for text in texts])
        layers = encoder.config.num_hidden_layers
        found = np.zeros((len(texts), layers, model.width), dtype=np.float32)
        with inference(encoder):
            for batch in batch_by_length(list(map(len, token_ids)), tokens_per_pass(device)):
                padded = pad([token_ids[i] for i in batch], model.pieces.pad)
                ids = torch.from_numpy(padded).to(device)
                there = ids != model.pieces.pad
                positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
                states = encoder.layers(ids, positions, torch.zeros_like(ids), there[:, None, None])
                means = [mean_of(state.float(), there) for state in states]
                found[batch] = torch.stack(means, 1).cpu().numpy()
        return unit(found)

    return embed


def label_vectors(inventory: Inventory, embed: Embed) -> Floats:
    """Return one vector a concept, the mean of its names', float32 [concepts, width]."""
    vectors = embed(inventory.names)
    sums = np.zeros((len(inventory), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, inventory.owners, vectors)
    return unit(sums)


WIDTH, WALKS, LENGTH, WINDOW, EPOCHS = 100, 10, 20, 5, 3


def node2vec(inventory: Inventory) -> Floats:
    """Return unit vectors of the concepts, float32 [concepts, WIDTH]; zeros without an edge.

    node2vec (Grover and Leskovec 2016): vectors from walks over the graph, with p and q at 1, their
    defaults: each step goes to any neighbour alike.

    Raises:
        InputError: If the inventory has no parents at all.
        MissingExtraError: If gensim is not installed.
    """
    models = require("gensim.models", "evaluation")
    neighbours: list[set[int]] = [set() for _ in range(len(inventory))]
    for concept in range(len(inventory)):
        for parent in inventory.parents_of(concept):
            neighbours[concept].add(parent)
            neighbours[parent].add(concept)
    starts = [concept for concept, near in enumerate(neighbours) if near]
    if not starts:
        raise InputError(
            "The inventory has no graph: none of its concepts has a parent. Build it from a source "
            "with parents, such as SNOMED CT or an OBO ontology."
        )
    random = np.random.default_rng(0)
    options = [sorted(near) for near in neighbours]
    walks = [_walk(start, options, random) for _ in range(WALKS) for start in starts]
    words = [[str(concept) for concept in walk] for walk in walks]
    model = models.Word2Vec(
        words, vector_size=WIDTH, window=WINDOW, min_count=1, sg=1, workers=1, epochs=EPOCHS, seed=0
    )
    vectors = np.zeros((len(inventory), WIDTH), dtype=np.float32)
    vectors[starts] = [model.wv[str(concept)] for concept in starts]
    return unit(vectors)


def _walk(start: int, neighbours: list[list[int]], random: np.random.Generator) -> list[int]:
    """A walk of LENGTH concepts."""
    walk = [start]
    while len(walk) < LENGTH:
        options = neighbours[walk[-1]]
        walk.append(options[int(random.integers(len(options)))])
    return walk
