"""Computation of a model's tables: context centroids, topics, stored vectors and neighbours."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from heapq import nlargest
from itertools import chain
from pathlib import Path

import numpy as np

from ...arrays import Doubles
from ...dictionary import Dictionary
from ...dictionary.glosses import describe
from ...encoder.word_pieces import GLOSSED_PIECES
from ...errors import InputError
from ...linking.acrobert import AcroBERT
from ...linking.calibration import FEATURES
from ...linking.features import COUNTED, count_sources
from ...linking.neighbours import Neighbours, collect_neighbours, word_key
from ...linking.sense_vectors import ContextCentroids, StoredVectors, sense_key
from ..datasets.sample import Sample, read_samples
from .centroids import (
    ReadContexts,
    choose,
    likely_centroids,
    quantise,
    read_contexts,
    with_senses,
)
from .likelihood import SenseContexts, fit_likelihood, pools_of
from .run import samples_of
from .sense_calibration import calibrate_sense
from .topics import fit_topics
from .weighing import QUESTIONS, weigh

OF_A_DOCUMENT = 2
"""Maximum number of contexts of a sense that are encoded from the same document."""


def remember(
    model: AcroBERT,
    paths: Sequence[Path],
    dictionary: Dictionary,
    work: Path,
    *,
    each: int = 12,
    long_forms: int = 0,
    keep: bool = False,
    report: Callable[[str], None] = lambda done: None,
) -> AcroBERT:
    """Compute context centroids, topics and feature weights for a model from samples.

    Feature weights that `train evidence` fitted on labelled texts are kept.

    Args:
        model: Model to copy. It stays unchanged.
        paths: Files or folders of samples; see `read_samples`.
        dictionary: Dictionary with the senses to add.
        work: Cache folder of the context vectors, from which an interrupted run can resume.
        each: Maximum number of contexts to encode per sense.
        long_forms: Number of long forms whose vectors are stored in advance. 0 to keep those of the
            model.
        keep: Whether to keep the existing centroids and feature weights, and to add only senses
            that the model doesn't have (see `add`). By default, all centroids are replaced (see
            `extend`).
        report: Function that is called with messages about the progress.

    Returns:
        A copy of the model with the new tables and weights.
    """
    make = add if keep else extend
    samples = chain.from_iterable(map(read_samples, paths))
    made = make(model, samples, dictionary, work, each=each, report=report)
    if not (keep or model.settings.given or len(model.network)):
        held_out = [sample for path in paths for sample in samples_of(path, held_out=True)]
        weights = weigh(made, dictionary, held_out, work)
        odds, _ = calibrate_sense(made, held_out, limit=QUESTIONS)
        made.settings = replace(made.settings, calibration=weights, one_sense=odds)
    if long_forms:
        made.stored = store_long_forms(made, dictionary, long_forms)
    return made


def extend(
    model: AcroBERT,
    samples: Iterable[Sample],
    dictionary: Dictionary,
    work: Path,
    *,
    each: int = 12,
    report: Callable[[str], None] = lambda done: None,
) -> AcroBERT:
    """Replace the context centroids and topics of a model with new ones from samples.

    A sense gets a centroid if it is in the dictionary, or if it occurs in at least two documents.

    Args:
        model: Model to copy. It stays unchanged.
        samples: Samples with an acronym in its context and a long form.
        dictionary: Dictionary that defines the senses to tell apart, and their topics.
        work: Cache folder of the context vectors.
        each: Maximum number of contexts to encode per sense, of which up to `OF_A_DOCUMENT` come
            from the same document.
        report: Function that is called with messages about the progress.

    Returns:
        A copy of the model with the new centroids and topics.
    """
    senses = senses_of(dictionary)
    chosen = choose(samples, each, Counter(), of_a_document=OF_A_DOCUMENT, senses=senses)
    encoded = read_contexts(model, chosen, work, lambda done: report(f"{done} contexts read"))
    made = copy(model)
    made.centroids = _centroids(encoded, dictionary, report)
    made.topics = fit_topics(dictionary, made.centroids, report=_epochs(report))
    return made


def add(
    model: AcroBERT,
    samples: Iterable[Sample],
    dictionary: Dictionary,
    work: Path,
    *,
    each: int = 2,
    report: Callable[[str], None] = lambda done: None,
) -> AcroBERT:
    """Add centroids for a dictionary's new senses to a model, and fit its topics again.

    The centroids of senses that the model already has stay the same.

    Args:
        model: Model to copy. It stays unchanged.
        samples: Samples with an acronym in its context and a long form. They are only encoded if
            their sense is in the dictionary and not yet in the model.
        dictionary: Dictionary with the senses and their topics.
        work: Cache folder of the context vectors.
        each: Maximum number of contexts to encode per sense, each from a different document.
        report: Function that is called with messages about the progress.

    Returns:
        A copy of the model with the added centroids and the new topics.

    Raises:
        InputError: If the centroids of the model have no PLDA model.
    """
    old = model.centroids
    if old.likelihood is None:
        raise InputError(
            "These weights have no context centroids that senses can be added to. Leave out --keep."
        )
    senses = senses_of(dictionary) - set(old.keys.tolist())
    new_samples = (sample for sample in samples if sense_key(sample.long_form) in senses)
    chosen = choose(new_samples, each, Counter(), of_a_document=1, senses=senses)
    encoded = read_contexts(model, chosen, work, lambda done: report(f"{done} contexts read"))
    made = copy(model)
    if encoded.keys:
        new = SenseContexts.of(encoded.keys, encoded.documents, encoded.vectors)
        made.centroids = with_senses(old, new)
    made.topics = fit_topics(dictionary, made.centroids, report=_epochs(report))
    return made


def senses_of(dictionary: Dictionary) -> set[int]:
    """Return the keys of all senses in a dictionary.

    Args:
        dictionary: Dictionary whose long forms are the senses.

    Returns:
        The keys of all long forms; see `sense_key`.
    """
    return {
        sense_key(candidate.long_form)
        for acronym in dictionary
        for candidate in dictionary.candidates(acronym)
    }


def _epochs(report: Callable[[str], None]) -> Callable[[int, float], None]:
    return lambda epoch, loss: report(f"topics, epoch {epoch + 1}: loss {loss:.3f}")


def _centroids(
    contexts: ReadContexts, dictionary: Dictionary, report: Callable[[str], None]
) -> ContextCentroids:
    """Fit a PLDA model that separates the senses of each acronym, and compute centroids with it."""
    seen = SenseContexts.of(contexts.keys, contexts.documents, contexts.vectors)
    rivals = pools_of(zip(contexts.acronyms, contexts.keys, strict=True))
    key_of = cache(sense_key)
    for acronym, senses in rivals.items():
        senses |= {key_of(candidate.long_form) for candidate in dictionary.lookup(acronym)}

    def say(step: int, loss: float) -> None:
        if step % 100 == 0:
            report(f"step {step}: loss {loss:.3f}")

    return likely_centroids(seen, fit_likelihood(seen, contexts.acronyms, rivals, report=say))


def store_long_forms(model: AcroBERT, dictionary: Dictionary, limit: int) -> StoredVectors:
    """Encode the most likely long forms of a dictionary in advance.

    A model with these vectors only has to encode rarer long forms when it processes a text. Senses
    with a gloss are chosen first. Evaluation sets that come with candidates find their vectors by
    the long form and therefore benefit from the gloss too.

    Args:
        model: Model that encodes the long forms together with their glosses.
        dictionary: Dictionary with the long forms and their glosses.
        limit: Maximum number of vectors to store. Senses with the highest prior probability are
            chosen.

    Returns:
        The vectors, compressed by product quantisation.
    """
    likely: dict[str, tuple[bool, float, str]] = {}
    for acronym in dictionary:
        candidates = dictionary.candidates(acronym)
        table = np.zeros((len(candidates), len(FEATURES)), np.float32)
        table[:, COUNTED] = count_sources(candidates, dictionary.sources)
        logits = model.settings.calibration.logits(table).tolist()
        for candidate, logit in zip(candidates, logits, strict=True):
            row = (bool(candidate.gloss), logit, candidate.gloss)
            likely[candidate.long_form] = max(row, likely.get(candidate.long_form, row))
    chosen = nlargest(limit, likely, key=likely.__getitem__)
    names = {sense_key(name): name for name in reversed(chosen)}
    if not names:
        return StoredVectors.empty()
    keys = np.array(sorted(names), np.uint64)
    ordered = [names[key] for key in keys.tolist()]
    texts = [describe(name, likely[name][2]) for name in ordered]
    return StoredVectors(keys, *quantise(model.encode_long_forms(texts, GLOSSED_PIECES), seed=0))


CELLS = 1 << 18
"""Number of cells in the table of neighbouring words, which takes half a megabyte."""

KEPT = 0.75
"""Number of (word, sense) pairs that are written to the table per cell. If two pairs fall into the
same cell, the more informative one is kept."""

LEAST = 2
"""Minimum number of documents in which a word must occur next to a long form."""

SHRINK = 50.0
"""Number of ordinary words that are added to the words next to each long form, so that a few
contexts have little influence."""

SURE = 0.5
"""Minimum log ratio of a word next to a long form. Words with a lower ratio are left out of the
table."""

CHUNK = 200_000
"""Number of samples between two messages about the progress."""


def fit_neighbours(
    samples: Iterable[Sample],
    dictionary: Dictionary,
    *,
    cells: int = CELLS,
    shrink: float = SHRINK,
    report: Callable[[str], None] = lambda done: None,
) -> Neighbours:
    """Fit the table of words that often occur next to the mentions of a dictionary's senses.

    Args:
        samples: Samples whose neighbouring words are counted, grouped by document. A word counts
            once per document and sense.
        dictionary: Dictionary with the senses. Samples of other senses are ignored.
        cells: Number of cells in the table, a power of two.
        shrink: Number of ordinary words that are added to the words next to each sense; see
            `SHRINK`.
        report: Function that is called with messages about the progress.

    Returns:
        The table of the most informative pairs of a word and a sense.
    """
    dictionary_senses, key_of = senses_of(dictionary), cache(sense_key)
    pairs, anywhere, neighbour_counts = Counter[tuple[int, str]](), Counter[str](), Counter[int]()
    document, seen = "", set[tuple[int, str]]()
    for number, sample in enumerate(samples, 1):
        if number % CHUNK == 0:
            report(f"{number} contexts, {len(pairs)} pairs")
        sense = key_of(sample.long_form)
        if sense not in dictionary_senses:
            continue
        if sample.document != document:
            document, seen = sample.document, set()
        words = collect_neighbours(sample.mention)
        anywhere.update(words)
        new = {(sense, word) for word in words} - seen
        pairs.update(new)
        neighbour_counts[sense] += len(new)
        seen |= new
    kept = [(*pair, count) for pair, count in pairs.items() if count >= LEAST]
    if not kept:
        return Neighbours(np.zeros(cells, np.uint16))
    senses, words_of, numbers = zip(*kept, strict=True)
    counts = np.array(numbers, np.float64)
    usual = np.array([anywhere[word] for word in words_of], np.float64) / anywhere.total()
    whole = np.array([neighbour_counts[sense] for sense in senses], np.float64)
    logs: Doubles = np.log((counts / usual + shrink) / (whole + shrink))
    worth = np.where(logs > SURE, logs * np.log1p(counts), 0)
    order = np.argsort(worth, kind="stable")[-int(KEPT * cells) :]
    order = order[worth[order] > 0]
    keys = np.array([word_key(words_of[row]) for row in order], np.uint64)
    return Neighbours.of(
        np.array(senses, np.uint64)[order], keys, logs[order].astype(np.float32), cells
    )
