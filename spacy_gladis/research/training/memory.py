"""What the contexts of senses teach finished weights: centroids, and the topics of contexts."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from copy import copy
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np

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
    """The model with the centroids and topics that the samples give, whatever it had.

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
    made = copy(model)
    made.centroids, made.topics = centroids_of(keys, contexts, seen), topics
    return made


def centroids_of(keys: Iterable[int], contexts: Floats, seen: Counter[int]) -> ContextCentroids:
    """The mean of each sense's contexts.

    keys: of the sense of each context; contexts: unit vectors [n, width]. seen: how many contexts
    each sense has, read or not.
    """
    rows = defaultdict(list)
    for row, key in enumerate(keys):
        rows[key].append(row)
    return quantised({key: contexts[at].sum(axis=0) for key, at in rows.items()}, seen)


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
