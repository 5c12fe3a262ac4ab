"""Count which words stand beside long forms, `modeling/neighbours.py`."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache

import numpy as np

from ...arrays import Doubles
from ...dictionary import Dictionary
from ...modeling.neighbours import Neighbours, word_key, words_beside
from ...modeling.sense_vectors import sense_key
from ..datasets.sample import Sample
from .memory import senses_of

CELLS = 1 << 18
"""Of the table: half a megabyte."""

KEPT = 0.75
"""Pairs that are written, for each cell; some meet in one, where the one that tells more stays."""

LEAST = 2
"""Documents in which a word stands beside a long form, at least."""

SHRINK = 50.0
"""How many words beside a long form are taken to be like any others: what few contexts show is
little."""

SURE = 0.5
"""Of how much likelier a word is beside a long form; what is below tells nothing."""

CHUNK = 200_000


def fit_neighbours(
    samples: Iterable[Sample],
    dictionary: Dictionary,
    *,
    cells: int = CELLS,
    shrink: float = SHRINK,
    report: Callable[[str], None] = lambda done: None,
) -> Neighbours:
    """What the samples tell of the words beside the dictionary's senses.

    samples: a document's stand together; a word counts once a document and sense. cells: of the
    table, a power of two. shrink: see SHRINK. report: is told how far it is.
    """
    known, key_of = senses_of(dictionary), cache(sense_key)
    pairs, anywhere, beside = Counter[tuple[int, str]](), Counter[str](), Counter[int]()
    document, seen = "", set[tuple[int, str]]()
    for number, sample in enumerate(samples, 1):
        if number % CHUNK == 0:
            report(f"{number} contexts, {len(pairs)} pairs")
        sense = key_of(sample.long_form)
        if sense not in known:
            continue
        if sample.document != document:
            document, seen = sample.document, set()
        words = words_beside(sample.mention)
        anywhere.update(words)
        new = {(sense, word) for word in words} - seen
        pairs.update(new)
        beside[sense] += len(new)
        seen |= new
    kept = [(*pair, count) for pair, count in pairs.items() if count >= LEAST]
    if not kept:
        return Neighbours(np.zeros(cells, np.uint16))
    senses, words_of, numbers = zip(*kept, strict=True)
    counts = np.array(numbers, np.float64)
    usual = np.array([anywhere[word] for word in words_of], np.float64) / anywhere.total()
    whole = np.array([beside[sense] for sense in senses], np.float64)
    logs: Doubles = np.log((counts / usual + shrink) / (whole + shrink))
    worth = np.where(logs > SURE, logs * np.log1p(counts), 0)
    order = np.argsort(worth, kind="stable")[-int(KEPT * cells) :]
    order = order[worth[order] > 0]
    keys = np.array([word_key(words_of[row]) for row in order], np.uint64)
    return Neighbours.of(
        np.array(senses, np.uint64)[order], keys, logs[order].astype(np.float32), cells
    )
