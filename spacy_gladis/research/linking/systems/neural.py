"""n.1 to n.6: concepts by vectors of names and of the graph (COMETA, section 4.2).

node2vec (Grover and Leskovec 2016): vectors of concepts from walks over the graph.

With the paper's p and q at 1, their defaults: each step goes to any neighbour alike.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ....arrays import Floats, Ints
from ....concepts import Inventory
from ....errors import InputError, require
from .protocol import NAMES_A_CONCEPT, LinkingSystem, Mentions, Ranking, by_concept

if TYPE_CHECKING:
    from ....linking.acrobert import AcroBERT

Embed = Callable[[Sequence[str]], Floats]
"""Texts to unit vectors, float32 [texts, width]."""
MakeEmbed = Callable[[Inventory, Mentions], Embed]
"""Vectors that may be learnt from an inventory's names and the training texts."""

SIZE, EPOCHS = 100, 5


def unit(vectors: Floats) -> Floats:
    """The vectors at length 1; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Floats = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return scaled


def fasttext(inventory: Inventory, train: Mentions) -> Embed:
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


def bert(model: "AcroBERT") -> Embed:
    """An encoder as it is; a term is the mean of its tokens, and encoded once for all systems."""
    from ....linking.concepts.evidence import NameVectors

    return NameVectors(model)


def bert_layers(model: "AcroBERT") -> Embed:
    """Texts to the mean of their tokens at every layer, float32 [texts, layers, width]."""
    import torch

    from ....encoder.engines.torch import tokens_per_pass
    from ....encoder.word_pieces import length_buckets, pad
    from ...training.network import AcroNetwork, inference, mean_of

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


class NearestName(LinkingSystem):
    """Ranks concepts by the cosine of their nearest name."""

    def __init__(self, make_embed: MakeEmbed) -> None:
        self._make_embed = make_embed

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        self._embed = self._make_embed(inventory, train)
        self._owners, self._vectors = self._targets(inventory)

    def _targets(self, inventory: Inventory) -> tuple[Ints, Floats]:
        return inventory.owners, self._embed(inventory.names)

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Exact: every vector is compared."""
        wanted = min(NAMES_A_CONCEPT * k, len(self._vectors))
        for vector in self._embed(phrases):
            cosines = self._vectors @ vector
            near = np.argpartition(-cosines, wanted - 1)[:wanted]
            yield by_concept(near, cosines[near], self._owners, k)


class NearestLabel(NearestName):
    """Ranks concepts by the cosine of their label vector, the mean of their names' vectors."""

    def _targets(self, inventory: Inventory) -> tuple[Ints, Floats]:
        return np.arange(len(inventory)), label_vectors(inventory, self._embed)


def label_vectors(inventory: Inventory, embed: Embed) -> Floats:
    """One vector a concept, the mean of its names', float32 [concepts, width]."""
    vectors = embed(inventory.names)
    sums = np.zeros((len(inventory), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, inventory.owners, vectors)
    return unit(sums)


SIZE, WALKS, LENGTH, WINDOW, EPOCHS = 100, 10, 20, 5, 3


def node2vec(inventory: Inventory, train: Mentions = ()) -> Floats:
    """Unit vectors of the concepts, float32 [concepts, SIZE]; zeros where a concept has no edge.

    train: is not looked at.

    Raises InputError where the inventory has no parents at all, MissingExtraError without gensim.
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
        words, vector_size=SIZE, window=WINDOW, min_count=1, sg=1, workers=1, epochs=EPOCHS, seed=0
    )
    vectors = np.zeros((len(inventory), SIZE), dtype=np.float32)
    vectors[starts] = [model.wv[str(concept)] for concept in starts]
    return unit(vectors)


def _walk(start: int, neighbours: list[list[int]], random: np.random.Generator) -> list[int]:
    """A walk of LENGTH concepts."""
    walk = [start]
    while len(walk) < LENGTH:
        options = neighbours[walk[-1]]
        walk.append(options[int(random.integers(len(options)))])
    return walk


MARGIN = 0.2
STEPS, BATCH, RATE = 600, 128, 1e-3

Targets = Callable[[Inventory, Mentions], Floats]
"""One unit vector a concept, float32 [concepts, width]."""


def concatenated(*parts: Targets) -> Targets:
    """Targets side by side, each of equal weight."""

    def make(inventory: Inventory, train: Mentions) -> Floats:
        return unit(np.concatenate([part(inventory, train) for part in parts], axis=1))

    return make


class AlignmentModel(LinkingSystem):
    """Maps a term's vector into the space of concepts' vectors and ranks by the cosine.

    The loss of a term is `max(0, margin - cos(right) + cos(hardest))`, where the hardest is the
    nearest other concept of the batch. Terms are the concepts' names and the training phrases.

    targets: the concepts' vectors; they stay as they are.
    make_embed: the terms' vectors, [texts, width]; or with several layers, [texts, layers, width],
        under an attention that is learnt with the map, a softmax over one number a layer
        (multi-level attention).
    """

    def __init__(self, targets: Targets, make_embed: MakeEmbed) -> None:
        self._make_targets, self._make_embed = targets, make_embed

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        """Learn the map. Raises InputError where no training concept is in the inventory."""
        import torch
        from torch.nn import functional as F  # noqa: N812

        self._targets = self._make_targets(inventory, train)
        self._embed = self._make_embed(inventory, train)
        pairs = [
            (one.phrase, number)
            for one in train
            for id in one.concepts
            if (number := inventory.find(id)) is not None
        ]
        linked = sorted({number for _, number in pairs})
        pairs += [(inventory.preferred(number), number) for number in linked]
        pairs = list(dict.fromkeys(pairs))
        if not pairs:
            raise InputError("No training phrase has a concept of the inventory.")
        terms = torch.from_numpy(self._layers([phrase for phrase, _ in pairs]))
        right = torch.tensor([number for _, number in pairs])
        wanted = torch.from_numpy(self._targets)
        torch.manual_seed(0)
        attention = torch.zeros(terms.shape[1], requires_grad=True)
        projection = torch.nn.Linear(terms.shape[2], wanted.shape[1])
        optimizer = torch.optim.Adam([attention, *projection.parameters()], RATE)
        for _ in range(STEPS):
            rows = torch.randperm(len(pairs))[:BATCH]
            mixed = torch.einsum("l,blw->bw", attention.softmax(0), terms[rows])
            mapped = F.normalize(projection(mixed), dim=-1)
            cosines = mapped @ wanted[right[rows]].T
            same = right[rows][:, None] == right[rows][None, :]
            hardest = cosines.masked_fill(same, -1).amax(1)
            loss = (MARGIN - cosines.diagonal() + hardest).relu().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        self._attention = attention.detach().softmax(0).numpy()
        self._weight, self._bias = (one.detach().numpy() for one in projection.parameters())

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Exact: every concept is compared."""
        mixed = np.einsum("l,blw->bw", self._attention, self._layers(phrases))
        for vector in unit(mixed @ self._weight.T + self._bias):
            cosines = self._targets @ vector
            best = np.argsort(-cosines, kind="stable")[:k]
            yield [(int(concept), float(cosines[concept])) for concept in best]

    def _layers(self, texts: Sequence[str]) -> Floats:
        """The terms' vectors with an axis of layers, [texts, layers, width]."""
        vectors = self._embed(texts)
        return vectors if vectors.ndim == 3 else vectors[:, None]
