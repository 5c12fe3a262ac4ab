"""Find definitions in a text. Many patterns give recall, one learned scorer gives precision."""

import re
from collections.abc import Iterator
from typing import Final

from .acronym import read_acronym
from .bracket_candidates import bracket_sites
from .initials import initials_before
from .mention import Definition, Offsets
from .pairing import Score, pair
from .phrases import phrase_definitions
from .scoring import confidence

THRESHOLD: Final = 0.5
"""Default of the lowest confidence of a definition."""
_TWO: Final = re.compile(r"([A-Z]{3,}) ([A-Z]{3,})")


def find_definitions(
    text: str, threshold: float = THRESHOLD, score: Score = confidence
) -> list[Definition]:
    """Find the acronyms that a text defines. Runs in linear time.

    Long forms are found in brackets on either side of the acronym, and in phrases and punctuation
    without brackets, in any language. Each occurrence of an acronym has at most one definition.

    Args:
        text: The document's text.
        threshold: Lowest confidence of a definition, 0 to 1.
        score: Returns the confidence of a pair in brackets, 0 to 1. The default uses the packaged
            weights.

    Returns:
        The definitions, in the order of the acronyms.
    """
    best: dict[Offsets, Definition] = {}
    for definition in _candidates(text, score):
        if definition.confidence >= threshold:
            rival = best.get(definition.acronym)
            if rival is None or definition.confidence > rival.confidence:
                best[definition.acronym] = definition
    return sorted(best.values())


def _candidates(text: str, score: Score) -> Iterator[Definition]:
    for site in bracket_sites(text):
        paired = pair(text, site, score)
        if paired:
            (long_form, _, ending), probability = paired
            yield from _split_pair(text, Definition(site.acronym, long_form, probability, ending))
    yield from phrase_definitions(text)


def _split_pair(text: str, definition: Definition) -> list[Definition]:
    """Split a definition of two acronyms, as in `Open Network Computing ... Call (ONC RPC)`.

    Unless every word gives a letter to one of the two, return the definition unchanged.
    """
    match = _TWO.fullmatch(text, *definition.acronym)
    if not match:
        return [definition]
    begin, end = definition.long_form
    parts: list[Definition] = []
    for number in (2, 1):
        acronym = read_acronym(match[number])
        initials = initials_before(text, end, acronym) if acronym else None
        if not initials:
            return [definition]
        long_form = (initials.start, initials.end)
        parts.append(definition._replace(acronym=match.span(number), long_form=long_form))
        end = initials.start
    return parts if end == begin else [definition]
