"""The packaged dictionary and memory without what some documents gave them."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from copy import copy
from pathlib import Path

import numpy as np

from spacy_gladis.dictionary import Dictionary, same_key, write_store
from spacy_gladis.documents.document import Document
from spacy_gladis.errors import InputError
from spacy_gladis.modeling import AcroBERT
from spacy_gladis.modeling.centroids import ContextCentroids
from spacy_gladis.modeling.coded_vectors import sense_key
from spacy_gladis.research.datasets.sample import Sample, read_samples
from spacy_gladis.research.dictionary.letters import singular
from spacy_gladis.research.mining.extract import MinedDefinition
from spacy_gladis.research.training.centroids import choose, read_contexts
from spacy_gladis.research.training.likelihood import SenseContexts
from spacy_gladis.research.training.memory import OF_A_DOCUMENT
from spacy_gladis.rules import find_definitions

EACH = 12
"""Contexts of a sense, as `train memory` reads them."""


def definitions_of(documents: Iterable[Document]) -> list[MinedDefinition]:
    """What documents define, each long form of an acronym once a document."""
    found: list[MinedDefinition] = []
    for document in documents:
        text, here = document.text, {}
        for one in find_definitions(text):
            long_form = " ".join(text[slice(*one.long_form)].split())
            acronym = singular(text[slice(*one.acronym)], long_form)
            definition = MinedDefinition(acronym, long_form, document.domain, document.id)
            here[acronym, same_key(long_form)] = definition
        found += here.values()
    return found


def write_without(
    dictionary: Dictionary, defined: Collection[MinedDefinition], path: Path
) -> dict[str, int]:
    """Write a dictionary less the counts of definitions; an entry that has none left goes.

    Returns how many entries were lowered and how many of these are gone.
    """
    counted = Counter((one.acronym, same_key(one.long_form), one.domain) for one in defined)
    acronyms = {one.acronym for one in defined}
    changed: Counter[str] = Counter(entries_lowered=0, entries_gone=0)

    def lowered() -> Iterator[tuple[str, list[tuple[str, dict[str, int]]]]]:
        for acronym, entries in dictionary.groups():
            left = []
            for long_form, counts in entries:
                rest = counts
                if acronym in acronyms:
                    key = same_key(long_form)
                    less = {name: n - counted[acronym, key, name] for name, n in counts.items()}
                    rest = {name: count for name, count in less.items() if count > 0}
                changed["entries_lowered"] += rest != counts
                changed["entries_gone"] += not rest
                if rest:
                    left.append((long_form, rest))
            yield acronym, left

    write_store(lowered(), path, dictionary.metadata)
    return dict(changed)


def forget(
    model: AcroBERT,
    samples: Iterable[Path],
    documents: Collection[str],
    senses: Collection[int],
    report: Callable[[int], None] = lambda done: None,
) -> tuple[AcroBERT, dict[str, int]]:
    """The model with the centroids of these senses made of contexts in other documents alone.

    A sense without any loses its centroid. Returns how many were made anew and how many lost, too.
    """
    known = {int(key) for key in model.centroids.keys} & set(senses)
    forms: dict[str, bool] = {}

    def others() -> Iterator[Sample]:
        for path in samples:
            for sample in read_samples(path):
                form = sample.long_form
                if form not in forms:
                    forms[form] = sense_key(form) in known
                if forms[form] and sample.document not in documents:
                    yield sample

    chosen = choose(others(), EACH, Counter(), of_a_document=OF_A_DOCUMENT)
    read = read_contexts(model, chosen, report=report)
    seen = SenseContexts.of(read.keys, read.documents, read.vectors)
    made = copy(model)
    made.centroids = _replaced(model.centroids, known, seen)
    number = len(seen.keys)
    return made, {"centroids_anew": number, "centroids_gone": len(known) - number}


def _replaced(
    centroids: ContextCentroids, known: set[int], seen: SenseContexts
) -> ContextCentroids:
    """The centroids with those of `known` senses gone or replaced, in the codes that they have."""
    if centroids.likelihood is None:
        raise InputError("These weights have no likelihood: make one with 'train memory'.")
    kept = ~np.isin(centroids.keys, np.array(sorted(known), np.uint64))
    arrays = centroids.arrays()
    expected = centroids.likelihood.expected(seen.centroids, seen.documents)
    parts = np.split(expected, len(centroids.codebooks), axis=1)
    codes = [
        (np.square(part[:, None] - book)).sum(-1).argmin(-1)
        for part, book in zip(parts, centroids.codebooks, strict=True)
    ]
    together = {
        "keys": seen.keys,
        "codes": np.stack(codes, axis=1).astype(np.uint8),
        "seen": seen.seen,
    }
    merged = {name: np.concatenate([arrays[name][kept], new]) for name, new in together.items()}
    order = np.argsort(merged["keys"])
    arrays |= {name: values[order] for name, values in merged.items()}
    return ContextCentroids.from_arrays(arrays)
