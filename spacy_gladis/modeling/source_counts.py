"""Who attests that an acronym means a long form: texts, glossaries, common lists."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..arrays import Floats
from ..dictionary import Candidate, SourceInfo


def source_counts(candidates: Sequence[Candidate], sources: Mapping[str, SourceInfo]) -> Floats:
    """How each candidate is attested, float32 [candidates, 4].

    log(1 + count) over the texts, log(1 + how many texts' sources), log(1 + how many glossaries and
    inventories of concepts), log(1 + count) in the common lists. A domain of which `sources` say
    nothing counts as a text's.
    """
    found = []
    for candidate in candidates:
        texts = different = glossaries = common = 0
        for domain, count in candidate.counts.items():
            source = sources.get(domain)
            kind = source.kind if source else "text"
            if kind == "common":
                common += count
            elif kind == "text":
                texts += count
                different += 1
            else:
                glossaries += 1
        found.append((texts, different, glossaries, common))
    attested: Floats = np.log1p(np.array(found, np.float32).reshape(-1, 4))
    return attested
