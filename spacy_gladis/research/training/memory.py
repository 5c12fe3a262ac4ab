"""Teach finished weights the contexts of more senses: new centroids, and the topics of contexts.

The encoder stays as it is, so the centroids that are there stay valid.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...dictionary import Dictionary
from ...files import writing
from ...modeling.acrobert import AcroBERT
from ...modeling.calibration import Floats
from ...modeling.centroids import ContextCentroids, sense_key
from ..datasets.sample import Sample
from .topics import fit_topics, source_topics

CHUNK = 2000


def extend(
    model: AcroBERT,
    samples: Iterable[Sample],
    dictionary: Dictionary,
    work: Path,
    *,
    each: int = 3,
    report: Callable[[int], None] = lambda done: None,
) -> AcroBERT:
    """The model with centroids for the dictionary's senses that it has none of, and its topics.

    samples: at most `each` contexts a sense are read. work: a folder for the vectors, a file every
    CHUNK samples; a run that was interrupted goes on from them. report: is given how many samples
    are encoded.
    """
    names, shares = source_topics(dictionary)
    chosen = _choose(samples, shares.keys(), each)
    keys, vectors = [], []
    done = 0
    for number, chunk in enumerate(_chunks(chosen)):
        keys += [sense_key(sample.long_form) for sample in chunk]
        vectors.append(_encoded(model, chunk, work / f"contexts-{number:05}.npy"))
        done += len(chunk)
        report(done)
    contexts = np.concatenate(vectors)
    topics = fit_topics(names, contexts, np.stack([shares[key] for key in keys]))
    centroids = with_centroids(model.centroids, keys, contexts)
    return AcroBERT(model.module, model.pieces, model.settings, centroids, topics)


def with_centroids(
    known: ContextCentroids, keys: Iterable[int], contexts: Floats
) -> ContextCentroids:
    """The centroids with those of senses that they lack, coded by their own codebooks.

    keys: of the sense of each context; contexts: unit vectors [n, width].
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
    found = np.concatenate([known.keys, np.array(list(rows), np.uint64)])
    seen = np.array([min(len(rows[key]), 65535) for key in rows], np.uint16)
    order = np.argsort(found)
    return ContextCentroids(
        found[order],
        np.concatenate([known.seen, seen])[order],
        np.concatenate([known.codes, _nearest(means, known.codebooks)])[order],
        known.codebooks.astype(np.float16),
    )


def _nearest(vectors: Floats, codebooks: Floats) -> NDArray[np.uint8]:
    """Codes [n, parts]: the nearest centre of each part; codebooks: [parts, 256, width / parts]."""
    parts, _, width = codebooks.shape
    codes = np.zeros((len(vectors), parts), np.uint8)
    for part, centres in enumerate(codebooks):
        block = vectors[:, part * width : (part + 1) * width]
        codes[:, part] = ((centres**2).sum(axis=1) - 2 * block @ centres.T).argmin(axis=1)
    return codes


def _choose(samples: Iterable[Sample], known: Iterable[int], each: int) -> Iterator[Sample]:
    wanted, read = set(known), Counter[int]()
    for sample in samples:
        key = sense_key(sample.long_form)
        if key in wanted and read[key] < each:
            read[key] += 1
            yield sample


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
