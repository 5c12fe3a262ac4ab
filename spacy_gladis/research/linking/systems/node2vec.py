"""node2vec (Grover and Leskovec 2016): vectors of concepts from walks over the graph."""

import numpy as np

from ....concepts import Inventory
from ....errors import InputError, missing_extra
from .embeddings import Floats, unit

SIZE, WALKS, LENGTH, WINDOW, EPOCHS = 100, 10, 20, 5, 3
RETURN, AWAY = 1.0, 1.0
"""The paper's p and q: 1 / p weighs the way back, 1 / q the way to nodes not next to the last."""


def node2vec(inventory: Inventory, seed: int = 0) -> Floats:
    """Unit vectors of the concepts, float32 [concepts, SIZE]; zeros where a concept has no edge.

    Raises InputError where the inventory has no parents at all, MissingExtraError without gensim.
    """
    try:
        from gensim.models import Word2Vec
    except ImportError as error:
        raise missing_extra("gensim", "evaluation") from error
    neighbours: list[set[int]] = [set() for _ in range(len(inventory))]
    for concept in range(len(inventory)):
        for parent in inventory.parents[concept]:
            neighbours[concept].add(parent)
            neighbours[parent].add(concept)
    starts = [concept for concept, near in enumerate(neighbours) if near]
    if not starts:
        raise InputError(
            "The inventory has no graph: none of its concepts has a parent. Build it from a source "
            "with parents, such as SNOMED CT or an OBO ontology."
        )
    random = np.random.default_rng(seed)
    walks = [_walk(start, neighbours, random) for _ in range(WALKS) for start in starts]
    words = [[str(concept) for concept in walk] for walk in walks]
    model = Word2Vec(
        words,
        vector_size=SIZE,
        window=WINDOW,
        min_count=1,
        sg=1,
        workers=1,
        epochs=EPOCHS,
        seed=seed,
    )
    vectors = np.zeros((len(inventory), SIZE), dtype=np.float32)
    vectors[starts] = [model.wv[str(concept)] for concept in starts]
    return unit(vectors)


def _walk(start: int, neighbours: list[set[int]], random: np.random.Generator) -> list[int]:
    """A walk of LENGTH concepts, biased by RETURN and AWAY."""
    walk = [start]
    while len(walk) < LENGTH:
        options = sorted(neighbours[walk[-1]])
        if len(walk) == 1 or RETURN == AWAY == 1:
            walk.append(options[int(random.integers(len(options)))])
            continue
        last = walk[-2]
        weights = np.array(
            [
                1 / RETURN if o == last else 1.0 if o in neighbours[last] else 1 / AWAY
                for o in options
            ]
        )
        walk.append(int(random.choice(options, p=weights / weights.sum())))
    return walk
