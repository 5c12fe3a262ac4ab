"""Compute the context centroids: which contexts the mined samples show each long form in."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice

import numpy as np

from ...modeling.acrobert import AcroBERT
from ...modeling.calibration import Floats
from ...modeling.senses import SenseMemory, sense_key
from ...rules import Mention
from ..datasets.sample import Sample

CHUNK = 5000


def build_centroids(
    model: AcroBERT,
    samples: Iterable[Sample],
    *,
    each: int = 4,
    seed: int = 0,
    report: Callable[[int], None] = lambda done: None,
) -> SenseMemory:
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
    return SenseMemory.build(means, seed)
