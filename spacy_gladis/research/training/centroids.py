"""Computation of context centroids: the mean vector of the contexts in which a sense was mined."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ...arrays import Floats, Ints
from ...files import writing
from ...linking.acrobert import AcroBERT
from ...linking.sense_vectors import ContextCentroids, SenseLikelihood, sense_key
from ...text import Mention
from ..datasets.sample import Sample
from .likelihood import SenseContexts

CHUNK = 2000
"""Number of samples whose context vectors are stored in one file of the cache."""

PARTS, CODES = 48, 256
"""Number of parts of a product-quantised vector, and number of values that a part can have."""


def build_centroids(
    model: AcroBERT,
    samples: Iterable[Sample],
    *,
    each: int = 4,
    seed: int = 0,
) -> ContextCentroids:
    """Compute the mean context vector of every sense in mined samples.

    Args:
        model: Model that encodes the contexts.
        samples: Mined samples, each with an acronym in its context and a long form.
        each: Maximum number of contexts to encode per sense. Further contexts are only counted.
        seed: Random seed of the quantisation.

    Returns:
        The centroids of all senses, compressed by product quantisation.
    """
    seen = Counter[int]()
    encoded = read_contexts(model, choose(samples, each, seen))
    return centroids_of(encoded.keys, encoded.vectors, seen, seed)


def choose(
    samples: Iterable[Sample],
    each: int,
    seen: Counter[int],
    *,
    of_a_document: int | None = None,
    senses: Collection[int] | None = None,
) -> Iterator[Sample]:
    """Select samples for encoding, up to a maximum number for each sense.

    Args:
        samples: Mined samples, each with an acronym in its context and a long form.
        each: Maximum number of samples per sense.
        seen: Number of samples by sense key, including samples that are not selected. Updated in
            place.
        of_a_document: Maximum number of samples per sense and document. None for no limit.
        senses: Keys of senses whose samples are always selected. Other senses are selected only if
            they occur in two documents or more. None to select all senses.

    Yields:
        The selected samples. Those of a sense that is waiting for a second document are yielded
        when this document comes.
    """
    taken: defaultdict[int, Counter[str]] = defaultdict(Counter)
    waiting: defaultdict[int, list[Sample]] = defaultdict(list)
    key_of = cache(sense_key)  # many samples have the same long form
    for sample in samples:
        key = key_of(sample.long_form)
        seen[key] += 1
        documents = taken[key]
        if documents[sample.document] == of_a_document or documents.total() == each:
            continue
        documents[sample.document] += 1
        waiting[key].append(sample)
        if senses is None or key in senses or len(documents) > 1:
            yield from waiting.pop(key)


class ReadContexts(NamedTuple):
    """Mined samples with the vectors of their contexts.

    Attributes:
        keys: Key of each sample's sense; see `sense_key`.
        acronyms: Acronym of each sample.
        documents: Id of each sample's document.
        vectors: Vector of each sample's context, float32 [samples, width].
    """

    keys: list[int]
    acronyms: list[str]
    documents: list[str]
    vectors: Floats


def read_contexts(
    model: AcroBERT,
    chosen: Iterator[Sample],
    work: Path | None = None,
    report: Callable[[int], None] = lambda done: None,
) -> ReadContexts:
    """Encode the contexts of mined samples.

    Args:
        model: Model that encodes the contexts.
        chosen: Samples to encode, such as those that `choose` yields.
        work: Cache folder. The vectors are stored there after every `CHUNK` samples, so that an
            interrupted run can resume. None to store nothing.
        report: Function that is called with the number of contexts encoded so far.

    Returns:
        The samples with their vectors, in the order of `chosen`.
    """
    keys: list[int] = []
    acronyms: list[str] = []
    documents: list[str] = []
    vectors = [np.zeros((0, model.width), np.float32)]

    while chunk := list(islice(chosen, CHUNK)):
        contexts = [sample.mention for sample in chunk]
        keys += [sense_key(sample.long_form) for sample in chunk]
        acronyms += [sample.acronym for sample in chunk]
        documents += [sample.document for sample in chunk]
        vectors.append(kept_vectors(work, model, contexts))
        report(len(keys))
    return ReadContexts(keys, acronyms, documents, np.concatenate(vectors))


def kept_vectors(folder: Path | None, model: AcroBERT, contexts: Sequence[Mention]) -> Floats:
    """Load the vectors of contexts from a cache folder, or compute and store them.

    The file is named by a hash of the model's weights and the contexts. A damaged file is replaced.

    Args:
        folder: Cache folder. None to encode the contexts without storing them.
        model: Model that encodes the contexts.
        contexts: Mentions to encode, with their texts.

    Returns:
        A vector for each mention, float32 [contexts, width].
    """
    if folder is None:
        return model.encode_contexts(contexts)
    identity = repr((model.weights.fingerprint(), model.settings.shared, contexts))
    path = folder / f"vectors-{blake2b(identity.encode(), digest_size=8).hexdigest()}.npy"
    with suppress(OSError, ValueError, EOFError, TypeError, BadZipFile):
        cached: Floats = np.load(path)
        if len(cached) == len(contexts):
            return cached
    vectors = model.encode_contexts(contexts)
    with writing(path) as temporary, temporary.open("wb") as file:
        np.save(file, vectors)
    return vectors


def centroids_of(
    keys: Iterable[int], contexts: Floats, seen: Mapping[int, int], seed: int = 0
) -> ContextCentroids:
    """Compute the centroid of each sense from the vectors of its contexts.

    Args:
        keys: Key of each context's sense; see `sense_key`.
        contexts: Vectors of the contexts, float32 [contexts, width].
        seen: A mapping from each sense key to the number of contexts in which the sense was seen.
            It includes contexts that were not encoded.
        seed: Random seed of the quantisation.

    Returns:
        The centroids, scaled to length 1 and compressed by product quantisation. Empty if there are
        no contexts.
    """
    rows = defaultdict(list)
    for row, key in enumerate(keys):
        rows[key].append(row)
    if not rows:
        return ContextCentroids.empty()
    senses = sorted(rows)
    matrix = np.stack([contexts[rows[key]].sum(axis=0) for key in senses])
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    counts = np.array([min(seen[key], 65535) for key in senses], dtype=np.uint16)
    arrays: dict[str, Any] = {"keys": np.array(senses, dtype=np.uint64), "seen": counts}
    return ContextCentroids.from_arrays({**arrays, **quantise(matrix, seed)._asdict()})


def likely_centroids(
    seen: SenseContexts, likelihood: SenseLikelihood, parts: int = PARTS, seed: int = 0
) -> ContextCentroids:
    """Compute centroids from a PLDA model: the mean context that it expects for each sense.

    With few contexts, this estimate is nearer to the mean of all senses than the mean of the
    contexts is.

    Args:
        seen: Contexts of the senses.
        likelihood: PLDA model of how likely a context is under a sense.
        parts: Number of parts of a quantised vector.
        seed: Random seed of the quantisation.

    Returns:
        The centroids, compressed by product quantisation, together with the PLDA model. Empty if
        there are no senses.
    """
    if not len(seen.keys):
        return ContextCentroids.empty()
    documents = seen.documents
    if len(likelihood.between) >= parts:  # keep a number of axes that the parts divide
        whole = len(likelihood.between) // parts * parts
        likelihood = likelihood.select_axes(np.argsort(-likelihood.between, kind="stable")[:whole])
        variances = likelihood.estimate_senses(seen.centroids, documents).var(axis=0)
        likelihood = likelihood.select_axes(deal(variances, parts))
    likelihood = SenseLikelihood.from_arrays(likelihood.arrays())  # rounded as in the file
    codes = quantise(
        likelihood.estimate_senses(seen.centroids, documents), seed, parts, rotate=False
    )
    arrays: dict[str, Any] = {"keys": seen.keys, "seen": seen.seen}
    arrays |= {**codes._asdict(), **likelihood.arrays()}
    return ContextCentroids.from_arrays(arrays)


def with_senses(centroids: ContextCentroids, new: SenseContexts) -> ContextCentroids:
    """Add senses to existing centroids, and quantise them with the existing codebooks.

    The vectors of the existing senses stay the same.

    Args:
        centroids: Centroids that have a PLDA model.
        new: Contexts of senses that `centroids` doesn't have.

    Returns:
        Centroids of the existing and the new senses.
    """
    likelihood = centroids.likelihood
    assert likelihood is not None
    expected = likelihood.estimate_senses(new.centroids, new.documents)
    codes = np.zeros((len(expected), len(centroids.codebooks)), np.uint8)
    parts = np.split(expected, len(centroids.codebooks), axis=1)
    for part, (block, book) in enumerate(zip(parts, centroids.codebooks, strict=True)):
        distances = np.square(book).sum(axis=1) - 2 * block @ book.T
        codes[:, part] = distances.argmin(axis=1)
    keys = np.concatenate([centroids.keys, new.keys])
    order = np.argsort(keys)
    return ContextCentroids.from_arrays(
        {
            **centroids.arrays(),
            "keys": keys[order],
            "codes": np.concatenate([centroids.codes, codes])[order],
            "seen": np.concatenate([centroids.seen, new.seen])[order],
        }
    )


class Codes(NamedTuple):
    """Product-quantised vectors: the arrays of `CodedVectors`, without its keys.

    Attributes:
        codes: For each part of each vector, the index of its value in the codebook, uint8 [n,
            parts].
        codebooks: The values that each part can have, float16 [parts, CODES, width / parts].
        rotation: Orthogonal matrix by which the vectors were multiplied before coding, float16
            [width, width]. None if they were not rotated.
    """

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
    """Compress vectors by product quantisation.

    A vector is divided into parts. Each part is replaced by the nearest of `CODES` values, which
    are found by clustering. Up to `CODES` vectors are stored exactly instead, without rotation.

    Args:
        matrix: Vectors to compress, float32 [n, width].
        seed: Random seed of sampling and clustering.
        parts: Number of parts of a vector. If it doesn't divide the width, vectors have a single
            part.
        train_rows: Maximum number of vectors that are clustered.
        rotate: Whether to rotate the vectors first, so that all parts are about equally
            informative.

    Returns:
        The codes, the codebooks and the rotation.
    """
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
    """Compute a rotation after which all parts of vectors have similar products of variances.

    Its columns are the principal axes of the vectors, distributed over the parts. This is optimal
    for normally distributed vectors (Ge et al. 2013, section 4).

    Args:
        matrix: Vectors, [n, width].
        parts: Number of parts of a vector. It divides the width.

    Returns:
        An orthogonal matrix by which to multiply vectors, [width, width].
    """
    variances, axes = np.linalg.eigh(matrix.T @ matrix / len(matrix))
    rotation: Floats = axes[:, deal(variances, parts)]
    return rotation


def deal(variances: Floats, parts: int) -> Ints:
    """Distribute axes over parts of equal size, so that the products of variances are similar.

    The axes are assigned in descending order of variance, each to the part with the smallest
    product.

    Args:
        variances: Variance of the vectors on each axis, [axes].
        parts: Number of parts. It divides the number of axes.

    Returns:
        Indices of the axes of the first part, followed by those of the second part, and so on.
    """
    logs = np.log(np.maximum(variances, 1e-9))
    dealt: list[list[int]] = [[] for _ in range(parts)]
    for axis in np.argsort(-logs).tolist():
        open_parts = [part for part in dealt if len(part) < len(logs) // parts]
        # Logs are offset to be positive, so that each further axis adds to a part's sum.
        min(open_parts, key=lambda part: sum(logs[member] - logs.min() for member in part)).append(
            axis
        )
    return np.array([axis for part in dealt for axis in part])
