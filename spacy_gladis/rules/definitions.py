"""Definitions in a text: many patterns for recall, one learned scorer for precision."""

from collections.abc import Iterator
from typing import Final

from .bracket_candidates import bracket_sites
from .definition import Definition
from .mention import Offsets
from .pairing import Score, pair
from .phrases import phrase_definitions
from .scoring import confidence
from .side_by_side import parted

THRESHOLD: Final = 0.5


def find_definitions(
    text: str, threshold: float = THRESHOLD, score: Score = confidence
) -> list[Definition]:
    """Find the acronyms that a text defines, in the order of the acronyms.

    Long forms are read from brackets on either side, and from phrases and punctuation without
    brackets; no language is assumed. `threshold` is the least confidence, 0 to 1, that is returned;
    `score` gives that of brackets, by default from the packaged weights. An acronym's occurrence
    has one definition at most. Time grows with the length of the text.
    """
    best: dict[Offsets, Definition] = {}
    for definition in _proposed(text, score):
        if definition.confidence >= threshold:
            rival = best.get(definition.acronym)
            if rival is None or definition.confidence > rival.confidence:
                best[definition.acronym] = definition
    return sorted(best.values())


def _proposed(text: str, score: Score) -> Iterator[Definition]:
    for site in bracket_sites(text):
        found = pair(text, site, score)
        if found:
            (long_form, _, ending), likely = found
            yield from parted(
                text, Definition(site.acronym, long_form, site.pattern, likely, ending)
            )
    yield from phrase_definitions(text)
