"""node2vec (Grover and Leskovec 2016): vectors of concepts from walks over the graph.

With the paper's p and q at 1, their defaults: each step goes to any neighbour alike.
"""

import numpy as np

from ....arrays import Floats
from ....concepts import Inventory
from ....errors import InputError, require
from .embeddings import unit
from .protocol import Mentions

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
