"""Which acronym belongs to which long form, when both are marked already."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from spacy_gladis.rules.definition import Definition
from spacy_gladis.rules.pairing import pair
from spacy_gladis.rules.scoring import confidence
from spacy_gladis.rules.sites import Site

_REACH = 60  # characters between an acronym and its long form
_JOINED = 4  # characters between two that belong together though no letters say so: " (" and " – "
_UNALIGNED = 0.3
_WORSE = 0.7  # of the confidence, where the letters want another beginning of the long form


class Marked(NamedTuple):
    """A stretch of text that is held for an acronym or a long form, and how surely."""

    start: int
    end: int
    probability: float  # 0 to 1

    @property
    def offsets(self) -> tuple[int, int]:
        """Where it is."""
        return self.start, self.end


class _Pair(NamedTuple):
    """A pair that may be a definition."""

    fit: float  # how likely the two belong together, 0 to 1
    nearness: int  # minus the characters between them
    acronym: Marked
    long_form: Marked
    pattern: str


def pair_marked(
    text: str,
    acronyms: Sequence[Marked],
    long_forms: Sequence[Marked],
    definitions: Iterable[Definition] = (),
) -> list[Definition]:
    """The definitions among marked acronyms and long forms, in the order of the acronyms.

    Neither kind overlaps itself. `definitions` are those that the rules found: where both parts of
    one are marked, the two belong together. Others near each other are judged by the pair scorer
    on the alignment of their letters, with brackets between them or without. A definition's
    confidence is that of the pair times that of the less sure mark. Every mark is in one definition
    at most.
    """
    known = {(one.acronym, one.long_form): one for one in definitions}
    pairs = chain(_known(acronyms, long_forms, known), _near(text, acronyms, long_forms))
    taken: set[tuple[int, int]] = set()
    found = []
    for fit, _, acronym, long_form, pattern in sorted(pairs, reverse=True):
        both = {acronym.offsets, long_form.offsets}
        if not taken & both:
            taken |= both
            sure = fit * min(acronym.probability, long_form.probability)
            found.append(Definition(acronym.offsets, long_form.offsets, pattern, sure))
    return sorted(found)


def _known(
    acronyms: Sequence[Marked],
    long_forms: Sequence[Marked],
    known: dict[tuple[tuple[int, int], tuple[int, int]], Definition],
) -> Iterator[_Pair]:
    by_place = {one.offsets: one for one in chain(acronyms, long_forms)}
    for (acronym, long_form), one in known.items():
        if acronym in by_place and long_form in by_place:
            short, long = by_place[acronym], by_place[long_form]
            yield _Pair(max(one.confidence, _WORSE), -_gap(short, long), short, long, one.pattern)


def _near(text: str, acronyms: Sequence[Marked], long_forms: Sequence[Marked]) -> Iterator[_Pair]:
    first = 0
    for long_form in long_forms:
        while first < len(acronyms) and acronyms[first].end < long_form.start - _REACH:
            first += 1
        for index in range(first, len(acronyms)):
            acronym = acronyms[index]
            if acronym.start > long_form.end + _REACH:
                break
            fit, pattern = _fit(text, acronym, long_form)
            if fit:
                yield _Pair(fit, -_gap(acronym, long_form), acronym, long_form, pattern)


def _fit(text: str, acronym: Marked, long_form: Marked) -> tuple[float, str]:
    """How likely the two belong together, and the pattern that they stand in."""
    long_first = long_form.start < acronym.start
    between = text[min(acronym.end, long_form.end) : max(acronym.start, long_form.start)]
    pattern = _pattern(between, long_first)
    site = Site(acronym.offsets, pattern, long_form.start, long_form.end, long_first)
    aligned = pair(text, site)
    if aligned:
        place, seen = aligned
        return confidence(seen) * (1.0 if place == long_form.offsets else _WORSE), pattern
    joined = len(between) <= _JOINED and not any(map(str.isalnum, between))
    return (_UNALIGNED if joined else 0.0), pattern


def _pattern(between: str, long_first: bool) -> str:
    bracket = next((shape for shape in ("()", "[]") if shape[0] in between), "  ")
    inner = "short" if long_first else "long"
    outer = "long" if long_first else "short"
    return f"{outer} {bracket[0]}{inner}{bracket[1]}" if bracket.strip() else f"{outer} {inner}"


def _gap(one: Marked, other: Marked) -> int:
    return max(one.start, other.start) - min(one.end, other.end)
