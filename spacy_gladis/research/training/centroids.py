"""Compute the context centroids: which contexts the mined samples show each long form in."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ...modeling.acrobert import AcroBERT
from ...modeling.calibration import Floats
from ...modeling.centroids import ContextCentroids
from ...modeling.coded_vectors import sense_key
from ...rules import Mention
from ..datasets.sample import Sample

CHUNK = 5000

PARTS, CODES = 48, 256
"""Of a product-quantised vector, and the values that a part can have."""


def build_centroids(
    model: AcroBERT,
    samples: Iterable[Sample],
    *,
    each: int = 4,
    seed: int = 0,
    report: Callable[[int], None] = lambda done: None,
) -> ContextCentroids:
    """The mean context vector of every long form of the samples.

    each: contexts encoded of one long form; more are counted, not read, so that the common ones
        do not take most of the time. report: is given how many samples are done.
    """
    sums: dict[int, Floats] = {}
    read: Counter[int] = Counter()
    seen: Counter[int] = Counter()
    stream = iter(samples)
    done = 0
    while chunk := list(islice(stream, CHUNK)):
        chosen: list[tuple[int, Mention]] = []
        for sample in chunk:
            key = sense_key(sample.long_form)
            seen[key] += 1
            if read[key] < each:
                read[key] += 1
                chosen.append((key, sample.mention))
        vectors = model.encode_contexts([context for _, context in chosen]).vectors
        for (key, _), vector in zip(chosen, vectors, strict=True):
            sums[key] = sums[key] + vector if key in sums else vector
        done += len(chunk)
        report(done)
    means = {key: (total / np.linalg.norm(total), seen[key]) for key, total in sums.items()}
    return quantised(means, seed)


def quantised(vectors: dict[int, tuple[Floats, int]], seed: int = 0) -> ContextCentroids:
    """Quantise mean vectors: {key of the long form: (unit vector [width], contexts seen)}."""
    keys = np.array(sorted(vectors), dtype=np.uint64)
    if not len(keys):
        return ContextCentroids.empty()
    matrix = np.stack([vectors[int(key)][0] for key in keys])
    seen = np.array([min(vectors[int(key)][1], 65535) for key in keys], dtype=np.uint16)
    return ContextCentroids(keys, seen, *quantise(matrix, seed))


def quantise(
    matrix: Floats, seed: int, parts: int = PARTS, train_rows: int = 30_000
) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """Product quantisation: codes [n, parts] and codebooks [parts, 256, width / parts]."""
    from sklearn.cluster import MiniBatchKMeans

    if matrix.shape[1] % parts:
        parts = 1
    width = matrix.shape[1] // parts
    chosen = np.random.default_rng(seed).permutation(len(matrix))[:train_rows]
    codes = np.zeros((len(matrix), parts), dtype=np.uint8)
    codebooks = np.zeros((parts, CODES, width), dtype=np.float16)
    for part in range(parts):
        block = np.ascontiguousarray(matrix[:, part * width : (part + 1) * width])
        if len(matrix) <= CODES:
            codes[:, part] = np.arange(len(matrix))
            codebooks[part, : len(matrix)] = block
            continue
        means = MiniBatchKMeans(
            CODES, batch_size=4096, n_init=1, max_iter=30, random_state=seed
        ).fit(block[chosen])
        codes[:, part] = means.predict(block)
        codebooks[part] = means.cluster_centers_
    return codes, codebooks
