"""Definitions in a text: many patterns for recall, one learned scorer for precision."""

from collections.abc import Callable

from spacy_gladis.rules.definition import Definition
from spacy_gladis.rules.pairing import pair
from spacy_gladis.rules.scoring import Evidence, confidence
from spacy_gladis.rules.sites import bracket_sites

THRESHOLD = 0.55


def find_definitions(
    text: str, threshold: float = THRESHOLD, score: Callable[[Evidence], float] = confidence
) -> list[Definition]:
    """Find the acronyms that a text defines, in the order of the acronyms.

    Long forms are read from brackets on either side, and from phrases and punctuation without
    brackets; no language is assumed. `threshold` is the least confidence, 0 to 1, that is returned;
    `score` gives it, by default from the packaged weights. An acronym's occurrence has one
    definition at most. Time grows with the length of the text.
    """
    best: dict[tuple[int, int], Definition] = {}
    for site in bracket_sites(text):
        found = pair(text, site)
        if found is None:
            continue
        long_form, seen = found
        sure = score(seen)
        if sure < threshold:
            continue
        rival = best.get(site.acronym)
        if rival is None or sure > rival.confidence:
            best[site.acronym] = Definition(site.acronym, long_form, site.pattern, sure)
    return sorted(best.values())
