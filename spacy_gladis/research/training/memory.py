"""What finished weights are given: centroids and topics of contexts, vectors of long forms."""

from collections import Counter
from collections.abc import Callable, Iterable
from copy import copy
from functools import cache
from heapq import nlargest
from pathlib import Path

import numpy as np

from ...dictionary import Dictionary
from ...modeling.acrobert import AcroBERT
from ...modeling.calibration import FEATURES
from ...modeling.evidence import COUNTED, source_counts
from ...modeling.sense_vectors import ContextCentroids, StoredVectors, sense_key
from ..datasets.sample import Sample
from .centroids import ReadContexts, choose, likely_centroids, quantise, read_contexts
from .likelihood import SenseContexts, fit_likelihood, pools_of
from .topics import fit_topics, source_topics

OF_A_DOCUMENT = 2
"""Contexts of a sense that are read of one document, at most."""


def extend(
    model: AcroBERT,
    samples: Iterable[Sample],
    dictionary: Dictionary,
    work: Path,
    *,
    each: int = 12,
    report: Callable[[str], None] = lambda done: None,
) -> AcroBERT:
    """The model with the centroids and topics that the samples give, whatever it had.

    samples: of each sense that the dictionary has, or that two documents have, `each` contexts are
    read, few of one document. work: as `read_contexts` has it. report: is told how far it is.
    """
    names, shares = source_topics(dictionary)
    seen = Counter[int]()
    chosen = choose(samples, each, seen, of_a_document=OF_A_DOCUMENT, known=shares.keys())
    read = read_contexts(model, chosen, work, lambda done: report(f"{done} contexts read"))
    told = [row for row, key in enumerate(read.keys) if key in shares]
    of_told = np.stack([shares[read.keys[row]] for row in told])
    made = copy(model)
    made.topics = fit_topics(names, read.vectors[told], of_told)
    made.centroids = _centroids(read, dictionary, report)
    return made


def _centroids(
    read: ReadContexts, dictionary: Dictionary, report: Callable[[str], None]
) -> ContextCentroids:
    """Of the senses of contexts, told apart from all that the dictionary has of their acronyms."""
    seen = SenseContexts.of(read.keys, read.documents, read.vectors)
    rivals = pools_of(zip(read.acronyms, read.keys, strict=True))
    key_of = cache(sense_key)
    for acronym, senses in rivals.items():
        senses |= {key_of(one.long_form) for one in dictionary.lookup(acronym)}

    def say(step: int, loss: float) -> None:
        if step % 100 == 0:
            report(f"step {step}: loss {loss:.3f}")

    return likely_centroids(seen, fit_likelihood(seen, read.acronyms, rivals, report=say))


def store_long_forms(model: AcroBERT, dictionary: Dictionary, limit: int) -> StoredVectors:
    """Vectors of the `limit` long forms of the dictionary that are likeliest before any context.

    A text's first pass so encodes only the rarer ones.
    """
    likely: dict[str, float] = {}
    for acronym in dictionary:
        candidates = dictionary.candidates(acronym)
        table = np.zeros((len(candidates), len(FEATURES)), np.float32)
        table[:, COUNTED] = source_counts(candidates, dictionary.sources)[:, 1:]
        logits = model.settings.calibration.logits(table).tolist()
        for candidate, logit in zip(candidates, logits, strict=True):
            likely[candidate.long_form] = max(logit, likely.get(candidate.long_form, -np.inf))
    names = {sense_key(name): name for name in nlargest(limit, likely, key=likely.__getitem__)}
    if not names:
        return StoredVectors.empty()
    keys = np.array(sorted(names), np.uint64)
    vectors = model.encode_long_forms([names[key] for key in keys.tolist()])
    return StoredVectors(keys, *quantise(vectors, seed=0))
