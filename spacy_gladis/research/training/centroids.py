"""Compute the context centroids: which contexts the mined samples show each long form in."""

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

PARTS, CODES = 48, 256
"""Of a product-quantised vector, and the values that a part can have."""


def build_centroids(
    model: AcroBERT,
    samples: Iterable[Sample],
    *,
    each: int = 4,
    seed: int = 0,
) -> ContextCentroids:
    """The mean context vector of every long form of the samples.

    each: contexts read of one long form; more are counted, not read, so that the common ones do
    not take most of the time.
    """
    seen = Counter[int]()
    read = read_contexts(model, choose(samples, each, seen))
    return centroids_of(read.keys, read.vectors, seen, seed)


def choose(
    samples: Iterable[Sample],
    each: int,
    seen: Counter[int],
    *,
    of_a_document: int | None = None,
    known: Collection[int] | None = None,
) -> Iterator[Sample]:
    """`each` samples of a sense, and of one document `of_a_document` of them at most (None: all).

    seen: is made to count all samples of each sense. known: keys of senses; of the others samples
    are taken if two documents have some; None: of all.
    """
    read: defaultdict[int, Counter[str]] = defaultdict(Counter)
    waiting: defaultdict[int, list[Sample]] = defaultdict(list)
    key_of = cache(sense_key)  # a long form has many samples
    for sample in samples:
        key = key_of(sample.long_form)
        seen[key] += 1
        documents = read[key]
        if documents[sample.document] == of_a_document or documents.total() == each:
            continue
        documents[sample.document] += 1
        waiting[key].append(sample)
        if known is None or key in known or len(documents) > 1:
            yield from waiting.pop(key)


class ReadContexts(NamedTuple):
    """Of each sample the key of its sense, its acronym, its document and its context's vector.

    vectors: [samples, width].
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
    """Read the samples' contexts.

    work: a folder that keeps the vectors, a file every CHUNK samples; a run that was interrupted
    goes on from them. report: is given how many contexts are read.
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
    """The vectors of contexts [contexts, width], or those that the folder has of the same.

    The file's name tells the model's weights and the texts, so that those of others are never
    taken for these; a damaged one is written again.
    """
    if folder is None:
        return model.encode_contexts(contexts)
    told = repr((model.weights.fingerprint(), model.settings.shared, contexts))
    path = folder / f"vectors-{blake2b(told.encode(), digest_size=8).hexdigest()}.npy"
    with suppress(OSError, ValueError, EOFError, TypeError, BadZipFile):
        found: Floats = np.load(path)
        if len(found) == len(contexts):
            return found
    vectors = model.encode_contexts(contexts)
    with writing(path) as temporary, temporary.open("wb") as file:
        np.save(file, vectors)
    return vectors


def centroids_of(
    keys: Iterable[int], contexts: Floats, seen: Mapping[int, int], seed: int = 0
) -> ContextCentroids:
    """The directions of the senses' summed contexts, quantised.

    keys: of the sense of each context [n, width]. seen: how many contexts each sense has, read or
    not.
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
    """What the likelihood expects of the senses, quantised."""
    if not len(seen.keys):
        return ContextCentroids.empty()
    documents = seen.documents
    if len(likelihood.between) >= parts:  # of the likeliest axes as many as the parts divide
        whole = len(likelihood.between) // parts * parts
        likelihood = likelihood.select_axes(np.argsort(-likelihood.between, kind="stable")[:whole])
        variances = likelihood.estimate_senses(seen.centroids, documents).var(axis=0)
        likelihood = likelihood.select_axes(deal(variances, parts))
    likelihood = SenseLikelihood.from_arrays(likelihood.arrays())  # as the file will have it
    codes = quantise(
        likelihood.estimate_senses(seen.centroids, documents), seed, parts, rotate=False
    )
    arrays: dict[str, Any] = {"keys": seen.keys, "seen": seen.seen}
    arrays |= {**codes._asdict(), **likelihood.arrays()}
    return ContextCentroids.from_arrays(arrays)


def with_senses(known: ContextCentroids, new: SenseContexts) -> ContextCentroids:
    """What is known of senses and, beside it, what its likelihood expects of others.

    new: none of them known; coded by the codebooks that there are.
    """
    likelihood = known.likelihood
    assert likelihood is not None
    expected = likelihood.estimate_senses(new.centroids, new.documents)
    codes = np.zeros((len(expected), len(known.codebooks)), np.uint8)
    parts = np.split(expected, len(known.codebooks), axis=1)
    for part, (block, book) in enumerate(zip(parts, known.codebooks, strict=True)):
        distances = np.square(book).sum(axis=1) - 2 * block @ book.T
        codes[:, part] = distances.argmin(axis=1)
    keys = np.concatenate([known.keys, new.keys])
    order = np.argsort(keys)
    return ContextCentroids.from_arrays(
        {
            **known.arrays(),
            "keys": keys[order],
            "codes": np.concatenate([known.codes, codes])[order],
            "seen": np.concatenate([known.seen, new.seen])[order],
        }
    )


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
    rotation: Floats = axes[:, deal(variances, parts)]
    return rotation


def deal(variances: Floats, parts: int) -> Ints:
    """An order of axes in which parts of as many have variances of like products."""
    logs = np.log(np.maximum(variances, 1e-9))
    dealt: list[list[int]] = [[] for _ in range(parts)]
    for axis in np.argsort(-logs).tolist():
        open_parts = [part for part in dealt if len(part) < len(logs) // parts]
        # Offset, so that a part with more axes is not the lesser for it.
        min(open_parts, key=lambda part: sum(logs[one] - logs.min() for one in part)).append(axis)
    return np.array([axis for part in dealt for axis in part])
