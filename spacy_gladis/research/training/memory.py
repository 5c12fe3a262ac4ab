"""What the contexts of senses teach finished weights: their centroids, and the topics of contexts.

Centroids that are there stay as they are, since the encoder does.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from copy import copy
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...dictionary import Dictionary
from ...files import writing
from ...modeling.acrobert import AcroBERT
from ...modeling.calibration import Floats
from ...modeling.centroids import ContextCentroids
from ...modeling.coded_vectors import sense_key
from ..datasets.sample import Sample
from .centroids import quantised
from .topics import fit_topics, source_topics

CHUNK = 2000

OF_A_DOCUMENT = 2
"""Contexts of a sense that are read of one document, at most."""


def extend(
    model: AcroBERT,
    samples: Iterable[Sample],
    dictionary: Dictionary,
    work: Path,
    *,
    each: int = 4,
    report: Callable[[int], None] = lambda done: None,
) -> AcroBERT:
    """The model with centroids for the senses that it has none of, and with topics.

    samples: of each sense that the dictionary has, or that two documents have, `each` contexts are
    read, few of one document. work: a folder for the vectors, a file every CHUNK samples; a run
    that was interrupted goes on from them. report: is given how many samples are encoded.
    """
    names, shares = source_topics(dictionary)
    seen = Counter[int]()
    chosen = _choose(samples, shares.keys(), each, seen)
    keys, vectors = [], []
    done = 0
    for number, chunk in enumerate(_chunks(chosen)):
        keys += [sense_key(sample.long_form) for sample in chunk]
        vectors.append(_encoded(model, chunk, work / f"contexts-{number:05}.npy"))
        done += len(chunk)
        report(done)
    contexts = np.concatenate(vectors)
    told = [row for row, key in enumerate(keys) if key in shares]
    topics = fit_topics(names, contexts[told], np.stack([shares[keys[row]] for row in told]))
    centroids = with_centroids(model.centroids, keys, contexts, seen)
    made = copy(model)
    made.centroids, made.topics = centroids, topics
    return made


def with_centroids(
    known: ContextCentroids, keys: Iterable[int], contexts: Floats, seen: Counter[int]
) -> ContextCentroids:
    """The centroids with those of senses that they lack, coded by their own codebooks if they have.

    keys: of the sense of each context; contexts: unit vectors [n, width]. seen: how many contexts
    each sense has, read or not.
    """
    rows = defaultdict(list)
    there = set(known.keys.tolist())
    for row, key in enumerate(keys):
        if key not in there:
            rows[key].append(row)
    if not rows:
        return known
    means = np.stack([contexts[rows[key]].sum(axis=0) for key in rows])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    if not len(known):
        return quantised({key: (mean, seen[key]) for key, mean in zip(rows, means, strict=True)})
    found = np.concatenate([known.keys, np.array(list(rows), np.uint64)])
    counts = np.array([min(seen[key], 65535) for key in rows], np.uint16)
    order = np.argsort(found)
    return ContextCentroids(
        found[order],
        np.concatenate([known.seen, counts])[order],
        np.concatenate([known.codes, _nearest(known.rotated(means), known.codebooks)])[order],
        known.codebooks.astype(np.float16),
        known.arrays().get("rotation"),
    )


def _nearest(vectors: Floats, codebooks: Floats) -> NDArray[np.uint8]:
    """Codes [n, parts]: the nearest centre of each part; codebooks: [parts, 256, width / parts]."""
    parts, _, width = codebooks.shape
    codes = np.zeros((len(vectors), parts), np.uint8)
    for part, centres in enumerate(codebooks):
        block = vectors[:, part * width : (part + 1) * width]
        codes[:, part] = ((centres**2).sum(axis=1) - 2 * block @ centres.T).argmin(axis=1)
    return codes


def _choose(
    samples: Iterable[Sample], known: Collection[int], each: int, seen: Counter[int]
) -> Iterator[Sample]:
    """`each` samples of a sense; of one that is not known, if two documents have it.

    seen: is made to count all samples of each sense.
    """
    read: defaultdict[int, Counter[str]] = defaultdict(Counter)
    waiting: defaultdict[int, list[Sample]] = defaultdict(list)
    key_of = cache(sense_key)  # a long form has many samples
    for sample in samples:
        key = key_of(sample.long_form)
        seen[key] += 1
        documents = read[key]
        if documents[sample.document] == OF_A_DOCUMENT or documents.total() == each:
            continue
        documents[sample.document] += 1
        waiting[key].append(sample)
        if key in known or len(documents) > 1:
            yield from waiting.pop(key)


def _chunks(samples: Iterator[Sample]) -> Iterator[list[Sample]]:
    while chunk := list(islice(samples, CHUNK)):
        yield chunk


def _encoded(model: AcroBERT, chunk: list[Sample], path: Path) -> Floats:
    if path.is_file():
        found: Floats = np.load(path)
        if len(found) == len(chunk):
            return found
    path.parent.mkdir(parents=True, exist_ok=True)
    vectors = model.encode_contexts([sample.mention for sample in chunk]).vectors
    with writing(path) as temporary, temporary.open("wb") as file:
        np.save(file, vectors)
    return vectors
