"""Vectors of the likeliest long forms, to be stored with the weights."""

from heapq import nlargest

import numpy as np

from ...dictionary import Dictionary
from ...modeling.acrobert import AcroBERT
from ...modeling.attestation import attestation
from ...modeling.calibration import FEATURES
from ...modeling.coded_vectors import StoredVectors, sense_key
from ...modeling.disambiguator import COMMON, COUNT_PRIOR, GLOSSARY, SOURCES
from .centroids import quantise


def store_long_forms(model: AcroBERT, dictionary: Dictionary, limit: int) -> StoredVectors:
    """Vectors of the `limit` long forms of the dictionary that are likeliest before any context.

    A text's first pass so encodes only the rarer ones.
    """
    likely: dict[str, float] = {}
    for acronym in dictionary:
        candidates = dictionary.candidates(acronym)
        table = np.zeros((len(candidates), len(FEATURES)), np.float32)
        columns = [COUNT_PRIOR, SOURCES, GLOSSARY, COMMON]
        table[:, columns] = attestation(candidates, dictionary.sources)
        logits = model.settings.calibration.logits(table).tolist()
        for candidate, logit in zip(candidates, logits, strict=True):
            likely[candidate.long_form] = max(logit, likely.get(candidate.long_form, -np.inf))
    names = {sense_key(name): name for name in nlargest(limit, likely, key=likely.__getitem__)}
    if not names:
        return StoredVectors.empty()
    keys = np.array(sorted(names), np.uint64)
    vectors = model.encode_long_forms([names[key] for key in keys.tolist()])
    return StoredVectors(keys, *quantise(vectors, seed=0))
