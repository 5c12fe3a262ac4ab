"""Vectors of phrases and of concepts, from their names and their graph (COMETA, section 4.2)."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from ....arrays import Floats
from ....concepts import Inventory
from ....errors import InputError, require
from ....linking.acrobert import AcroBERT
from ....linking.concepts.evidence import NameVectors
from ....text import Mention
from ...training.start import find_start
from .data import Mentions, Training

Made = TypeVar("Made")
Embed = Callable[[Sequence[str]], Floats]
"""Function that takes texts and returns a vector for each of them, float32 [texts, width]."""


@lru_cache(1)
def load_encoder(base: str | None, device: str) -> AcroBERT:
    """Load a pretrained encoder, or return it if it was the last one to be loaded.

    The systems of a run therefore share one encoder.

    Args:
        base: Checkpoint of the encoder: a folder, `package:NAME` or a Hugging Face name. None for
            the packaged AcroBERT.
        device: Torch device to compute on, such as "cpu" or "cuda".

    Returns:
        The encoder on the device.
    """
    return AcroBERT.load(find_start(base)).to(device)


@lru_cache(1)
def mean_vectors(base: str | None, device: str) -> Embed:
    """Return a function that computes vectors of terms with a pretrained encoder.

    The vector of a term is the mean of its tokens' vectors, including those of the special tokens.
    It is scaled to length 1. Terms are lower-cased. The encoder is not trained. The paper states
    none of these details except for the mean.

    Args:
        base: Checkpoint of the encoder: a folder, `package:NAME` or a Hugging Face name. None for
            the packaged AcroBERT.
        device: Torch device to compute on, such as "cpu" or "cuda".

    Returns:
        A function that takes terms and returns their vectors, float32 [terms, width]. It caches the
        vector of each term.
    """
    return NameVectors(load_encoder(base, device))


def unit(vectors: Floats) -> Floats:
    """Scale vectors to length 1, so that their dot products are cosines.

    Args:
        vectors: Vectors in the last dimension of an array, [..., width].

    Returns:
        The scaled vectors, float32 [..., width]. Zero vectors stay zero.
    """
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Floats = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return scaled


_made: dict[str, Any] = {}


def once(training: Training, name: str, make: Callable[[], Made]) -> Made:
    """Compute a value only once for all systems that have the same training data.

    For example, several systems can share the same vectors. The values are stored until the
    function is called with other training data.

    Args:
        training: Training data on which the value depends.
        name: Name under which the value is stored.
        make: Function that computes the value. It is called only if the value is not stored yet.

    Returns:
        The stored or newly computed value.
    """
    if _made.get("") is not training:
        _made.clear()
        _made[""] = training
    if name not in _made:
        _made[name] = make()
    value: Made = _made[name]
    return value


WIDTH = 300
"""Number of dimensions of the FastText and node2vec vectors (section 4.2)."""


def fasttext(training: Training) -> Embed:
    """Train FastText word vectors on the names of concepts and on the training texts.

    The paper trains them on 800,000 discussions and states only the width. The other settings were
    chosen here: skip-gram, 10 epochs, 200,000 buckets of character n-grams, no minimum count, and
    words in lower case.

    Args:
        training: Training data, of which the inventory and the texts of the training phrases are
            used.

    Returns:
        A function that takes terms and returns their vectors, float32 [terms, WIDTH]. The vector of
        a term is the mean of its words' vectors.

    Raises:
        MissingExtraError: If gensim is not installed.
    """
    texts = [*training.inventory.names, *(m.text or m.phrase for m in training.train)]
    sentences = [words for text in dict.fromkeys(texts) if (words := text.lower().split())]
    model = require("gensim.models", "evaluation").FastText(
        sentences,
        vector_size=WIDTH,
        sg=1,
        epochs=10,
        min_count=1,
        bucket=200_000,
        workers=1,
        seed=0,
    )

    def embed(terms: Sequence[str]) -> Floats:
        means = [np.mean([model.wv[w] for w in term.lower().split() or [""]], 0) for term in terms]
        return np.array(means, dtype=np.float32)

    return embed


REACH, LONGEST, TOGETHER = 200, 128, 32
"""Number of characters of the context on either side of a term, maximum number of word pieces that
the encoder reads, and number of texts in a batch."""


def term_layers(mentions: Mentions, base: str | None, device: str) -> Floats:
    """Compute a vector of each term at every layer of a pretrained encoder.

    The encoder reads the term in its context. The vector of a term at a layer is the mean of its
    tokens' vectors, without the special tokens. Terms are not lower-cased before the encoder's own
    tokenizer reads them, whereas the names of concepts are (`mean_vectors`). If the position of the
    term in its text is unknown, the encoder reads the term without a context.

    Args:
        mentions: Terms in their contexts. A negative `start` stands for an unknown position.
        base: Checkpoint of the encoder: a folder, `package:NAME` or a Hugging Face name. None for
            the packaged AcroBERT.
        device: Torch device to compute on, such as "cpu" or "cuda".

    Returns:
        The vectors, float32 [terms, layers, width], in the order of `mentions`.
    """
    import torch

    from ...training.network import inference, mean_of
    from ..encoders import load_encoder as load_transformer

    encoder, tokenizer = load_transformer(find_start(base))
    encoder.to(device)
    cut = [
        Mention(mention.text, mention.start, mention.start + len(mention.phrase)).within(REACH)
        if mention.start >= 0
        else ("", mention.phrase, "")
        for mention in mentions
    ]
    order = sorted(range(len(cut)), key=lambda row: sum(map(len, cut[row])))
    layers_of_terms: list[Any] = [None] * len(cut)
    with inference(encoder):
        for first in range(0, len(order), TOGETHER):
            rows = order[first : first + TOGETHER]
            inputs = tokenizer(
                ["".join(cut[row]) for row in rows],
                padding=True,
                truncation=True,
                max_length=LONGEST,
                return_offsets_mapping=True,
                return_tensors="pt",
            )
            starts, ends = inputs.pop("offset_mapping").unbind(-1)
            term = torch.tensor(
                [[len(cut[row][0]), len(cut[row][0] + cut[row][1])] for row in rows]
            )
            inside = ((starts < term[:, 1:]) & (ends > term[:, :1])).to(device)
            states = encoder(**inputs.to(device), output_hidden_states=True).hidden_states[1:]
            layers = torch.stack([mean_of(state.float(), inside) for state in states], 1)
            for row, vectors in zip(rows, layers.cpu().numpy(), strict=True):
                layers_of_terms[row] = vectors
    return np.array(layers_of_terms, dtype=np.float32)


def label_vectors(inventory: Inventory, embed: Embed) -> Floats:
    """Compute a vector of each concept, the mean of the vectors of its names.

    The mean is scaled to length 1. Vectors of names from BERT also have length 1 (`mean_vectors`).
    The paper does not mention that vectors are scaled.

    Args:
        inventory: Inventory with the concepts and their names.
        embed: Function that takes names and returns their vectors, float32 [names, width].

    Returns:
        A vector of length 1 for each concept, float32 [concepts, width].
    """
    vectors = embed(inventory.names)
    sums = np.zeros((len(inventory), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, inventory.owners, vectors)
    return unit(sums)


WALKS, LENGTH, WINDOW = 10, 20, 10
"""Settings of node2vec that were chosen here: number of walks from each concept, number of concepts
in a walk, and size of the context window."""


def node2vec(inventory: Inventory) -> Floats:
    """Compute a vector of each concept from its position in the graph of concepts.

    An edge of the graph joins a concept and its parent. The vectors are those of node2vec (Grover
    and Leskovec 2016) with p = q = 1: concepts that are close in the graph have similar vectors.

    The paper uses the parameters that Agarwal et al. (2019) suggest. Here, the number and length of
    the walks and the window were chosen without them. SNOMED CT also has other relations, which are
    not edges here.

    Args:
        inventory: Inventory with the concepts and their parents.

    Returns:
        A vector of length 1 for each concept, float32 [concepts, WIDTH]. Concepts without parents
        and children have zero vectors.

    Raises:
        InputError: If no concept of the inventory has a parent.
        MissingExtraError: If node2vec is not installed.
    """
    graph = require("networkx", "evaluation").Graph(
        (concept, parent)
        for concept in range(len(inventory))
        for parent in inventory.parents_of(concept)
    )
    if not graph:
        raise InputError(
            "The inventory has no graph because none of its concepts has a parent. Build it from "
            "a source with parents, such as SNOMED CT or an OBO ontology."
        )
    walker = require("node2vec", "evaluation").Node2Vec(
        graph, dimensions=WIDTH, walk_length=LENGTH, num_walks=WALKS, seed=0, quiet=True
    )
    model = walker.fit(window=WINDOW, min_count=1, seed=0)
    vectors = np.zeros((len(inventory), WIDTH), dtype=np.float32)
    for concept in graph:
        vectors[concept] = model.wv[str(concept)]
    return unit(vectors)
