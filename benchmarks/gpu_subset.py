"""A part of a training set that is small enough to travel, and serves best for its size."""

from dataclasses import replace

import numpy as np

from spacy_gladis.modeling.tokens import crop
from spacy_gladis.research.training.dataset import Array, Ragged, TrainingSet, nth


def by_worth(data: TrainingSet, seed: int) -> Array:
    """Samples in an order of which any beginning is a good part: indices.

    Senses (acronym, long form) that several documents have, each with two of them before any has a
    third, those of one acronym together; acronyms with one such sense come last. Senses that one
    document has alone are left out, for `SenseObjective` finds no second context of theirs.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(data))
    acronym, document = data.acronyms[order].astype(np.int64), data.documents[order]
    pair = acronym * len(data.long_forms) + data.positives[order]
    _, first, sense = np.unique(pair, return_index=True, return_inverse=True)
    repeated = nth(sense * (int(document.max()) + 1) + document)
    by_turn = np.lexsort((repeated, sense))
    turn = np.empty_like(sense)
    turn[by_turn] = nth(sense[by_turn])
    several = np.bincount(sense[repeated == 0]) > 1
    senses = np.bincount(acronym[first], weights=several)
    place = rng.permutation(len(data.pools))[acronym]
    sorted_rows = np.lexsort((turn, sense, place, np.maximum(turn, 1), senses[acronym] < 2))
    chosen: Array = order[sorted_rows[several[sense[sorted_rows]]]]
    return chosen


def subset(data: TrainingSet, samples: Array, window: int) -> TrainingSet:
    """Samples with all that their acronyms could mean, numbered anew.

    window: word pieces a context, at most. A document's samples lie together, so that what their
    contexts share is compressed away.
    """
    samples = samples[np.argsort(data.documents[samples], kind="stable")]
    views = [crop(data.windows[i], data.mentions[i], window) for i in samples]
    acronyms, acronym_of = np.unique(data.acronyms[samples], return_inverse=True)
    pools = [data.pools[acronym] for acronym in acronyms]
    rows = np.unique(np.concatenate(pools))
    number = np.full(len(data.long_forms), -1)
    number[rows] = np.arange(len(rows))
    spellings = [number[data.spellings[row]] for row in rows]
    return replace(
        data,
        windows=Ragged.pack([view.ids for view in views], np.uint16),
        mentions=np.array([view.mention for view in views], dtype=np.int16),
        positives=number[data.positives[samples]].astype(np.int32),
        acronyms=acronym_of.astype(np.int32),
        domains=data.domains[samples],
        documents=data.documents[samples],
        long_forms=Ragged.pack([data.long_forms[row] for row in rows], np.uint16),
        pools=Ragged.pack([number[pool] for pool in pools], np.int32),
        spellings=Ragged.pack([others[others >= 0] for others in spellings], np.int32),
    )
