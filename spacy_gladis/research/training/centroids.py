"""Compute the context centroids: which contexts the mined samples show each long form in."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import NamedTuple

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
    return quantised(sums, seen, seed)


def quantised(
    sums: Mapping[int, Floats], seen: Mapping[int, int], seed: int = 0
) -> ContextCentroids:
    """Quantise the directions of long forms' summed contexts [width]; both by the form's key."""
    if not sums:
        return ContextCentroids.empty()
    keys = sorted(sums)
    matrix = np.stack([sums[key] for key in keys])
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    counts = np.array([min(seen[key], 65535) for key in keys], dtype=np.uint16)
    return ContextCentroids(np.array(keys, dtype=np.uint64), counts, *quantise(matrix, seed))


class Codes(NamedTuple):
    """What `CodedVectors` holds beside its keys."""

    codes: NDArray[np.uint8]
    codebooks: NDArray[np.float16]
    rotation: NDArray[np.float16] | None


def quantise(
    matrix: Floats,
    seed: int,
    parts: int = PARTS,
    train_rows: int = 30_000,
    *,
    rotate: bool = True,
) -> Codes:
    """Product quantisation of vectors [n, width], rotated if they are enough to tell how."""
    from sklearn.cluster import MiniBatchKMeans

    if matrix.shape[1] % parts:
        parts = 1
    chosen = np.random.default_rng(seed).permutation(len(matrix))[:train_rows]
    exact = len(matrix) <= CODES
    rotation = None
    if rotate and not exact:
        rotation = balanced_rotation(matrix[chosen], parts).astype(np.float16)
        matrix = matrix @ rotation.astype(np.float32)
    codes = np.zeros((len(matrix), parts), dtype=np.uint8)
    codebooks = np.zeros((parts, CODES, matrix.shape[1] // parts), dtype=np.float16)
    for part, block in enumerate(np.split(matrix, parts, axis=1)):
        if exact:
            codes[:, part] = np.arange(len(matrix))
            codebooks[part, : len(matrix)] = block
            continue
        means = MiniBatchKMeans(
            CODES, batch_size=4096, n_init=1, max_iter=30, random_state=seed
        ).fit(block[chosen])
        codes[:, part] = means.predict(block)
        codebooks[part] = means.cluster_centers_
    return Codes(codes, codebooks, rotation)


def balanced_rotation(matrix: Floats, parts: int) -> Floats:
    """Onto principal axes, dealt out so that the parts' variances have like products.

    Ge et al. 2013, section 4: what is best where the vectors are normally distributed. [width,
    width], orthogonal.
    """
    variances, axes = np.linalg.eigh(matrix.T @ matrix / len(matrix))
    logs = np.log(np.maximum(variances, 1e-9))
    dealt: list[list[int]] = [[] for _ in range(parts)]
    for axis in np.argsort(-logs).tolist():
        open_parts = [part for part in dealt if len(part) < len(logs) // parts]
        # Offset, so that a part with more axes is not the lesser for it.
        min(open_parts, key=lambda part: sum(logs[one] - logs.min() for one in part)).append(axis)
    rotation: Floats = axes[:, [axis for part in dealt for axis in part]]
    return rotation
