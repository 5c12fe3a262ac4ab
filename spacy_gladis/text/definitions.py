"""Definitions in a text: many patterns for recall, one learned scorer for precision."""

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
_TWO: Final = re.compile(r"([A-Z]{3,}) ([A-Z]{3,})")


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
            yield from _parted(text, Definition(site.acronym, long_form, likely, ending))
    yield from phrase_definitions(text)


def _parted(text: str, definition: Definition) -> list[Definition]:
    """The definitions of both acronyms of `Open Network Computing Remote Procedure Call (ONC RPC)`.

    Every word has to give a letter of one; else it is the one given.
    """
    both = _TWO.fullmatch(text, *definition.acronym)
    if not both:
        return [definition]
    begin, end = definition.long_form
    parts: list[Definition] = []
    for number in (2, 1):
        acronym = read_acronym(both[number])
        found = initials_before(text, end, acronym) if acronym else None
        if not found:
            return [definition]
        place = (found.start, found.end)
        parts.append(definition._replace(acronym=both.span(number), long_form=place))
        end = found.start
    return parts if end == begin else [definition]
