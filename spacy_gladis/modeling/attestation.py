"""Who attests that an acronym means a long form: texts, glossaries, common lists."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..dictionary import Candidate, SourceInfo
from .calibration import Floats

TEXTS, SOURCES, GLOSSARIES, COMMON = range(4)


def attestation(candidates: Sequence[Candidate], sources: Mapping[str, SourceInfo]) -> Floats:
    """How each candidate is attested, float32 [candidates, 4].

    log(1 + count) over the texts, log(1 + how many texts' sources), log(1 + how many glossaries and
    inventories of concepts), log(1 + count) in the common lists. A domain of which `sources` say
    nothing counts as a text's.
    """
    found = np.zeros((len(candidates), 4), np.float32)
    for row, candidate in zip(found, candidates, strict=True):
        for domain, count in candidate.counts.items():
            kind = sources[domain].kind if domain in sources else "text"
            if kind == "common":
                row[COMMON] += count
            elif kind == "text":
                row[TEXTS] += count
                row[SOURCES] += 1
            else:
                row[GLOSSARIES] += 1
    attested: Floats = np.log1p(found)
    return attested
