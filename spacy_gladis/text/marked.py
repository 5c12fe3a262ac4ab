"""Which acronym belongs to which long form, when both are marked already."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from .bracket_candidates import Site
from .mention import Definition, Offsets
from .pairing import pair

_REACH: Final = 60  # characters between an acronym and its long form
_JOINED: Final = (
    4  # characters between two that belong together though no letters say so: " (" and " – "
)
_UNALIGNED: Final = 0.3
_WORSE: Final = 0.7  # of the confidence, where the letters want another beginning of the long form


class Marked(NamedTuple):
    """A stretch of text that is held for an acronym or a long form, and how surely."""

    start: int
    end: int
    probability: float  # 0 to 1

    @property
    def offsets(self) -> Offsets:
        """Where it is."""
        return self.start, self.end


class Settled(NamedTuple):
    """What stands of marks and rules together."""

    acronyms: list[Marked]
    long_forms: list[Marked]
    definitions: list[Definition]


class _Pair(NamedTuple):
    """A pair that may be a definition."""

    fit: float  # how likely the two belong together, 0 to 1
    nearness: int  # minus the characters between them
    acronym: Marked
    long_form: Marked


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
    taken: set[Offsets] = set()
    found = []
    for fit, _, acronym, long_form in sorted(pairs, reverse=True):
        both = {acronym.offsets, long_form.offsets}
        if not taken & both:
            taken |= both
            sure = fit * min(acronym.probability, long_form.probability)
            found.append(Definition(acronym.offsets, long_form.offsets, sure))
    return sorted(found)


def settle(
    text: str,
    acronyms: Sequence[Marked],
    long_forms: Sequence[Marked],
    definitions: Sequence[Definition],
    threshold: float,
) -> Settled:
    """Marks and the rules' definitions together, where the rules are trusted more.

    The definitions stand. Marked acronyms stand where they do not cut a definition; a marked long
    form beyond those of the definitions stands where it is in a definition of its own, with a
    confidence of `threshold` at least.
    """
    sure = sorted(definitions, key=lambda one: -one.confidence)
    long = _free((Marked(*one.long_form, one.confidence) for one in sure), [])
    short = _free((Marked(*one.acronym, one.confidence) for one in sure), long)
    other_long = _free(long_forms, [*long, *short])
    other_short = _free(acronyms, [*long, *short])
    paired = pair_marked(
        text,
        sorted([*short, *other_short]),
        sorted([*long, *other_long]),
        definitions,
    )
    confidence = {one.long_form: one.confidence for one in paired}
    kept = [one for one in other_long if confidence.get(one.offsets, 0.0) >= threshold]
    stands = {one.offsets for one in (*long, *kept)}
    return Settled(
        sorted([*short, *_free(other_short, kept)]),
        sorted([*long, *kept]),
        [one for one in paired if one.long_form in stands],
    )


def _free(marks: Iterable[Marked], taken: Sequence[Marked]) -> list[Marked]:
    """The marks that overlap nothing taken and no mark before them."""
    places = sorted(one.offsets for one in taken)
    free = []
    for one in marks:
        at = bisect_right(places, one.offsets)
        before = at > 0 and places[at - 1][1] > one.start
        if not before and (at == len(places) or places[at][0] >= one.end):
            places.insert(at, one.offsets)
            free.append(one)
    return free


def _known(
    acronyms: Sequence[Marked],
    long_forms: Sequence[Marked],
    known: dict[tuple[Offsets, Offsets], Definition],
) -> Iterator[_Pair]:
    by_place = {one.offsets: one for one in chain(acronyms, long_forms)}
    for (acronym, long_form), one in known.items():
        if acronym in by_place and long_form in by_place:
            short, long = by_place[acronym], by_place[long_form]
            yield _Pair(max(one.confidence, _WORSE), -_gap(short, long), short, long)


def _near(text: str, acronyms: Sequence[Marked], long_forms: Sequence[Marked]) -> Iterator[_Pair]:
    first = 0
    for long_form in long_forms:
        while first < len(acronyms) and acronyms[first].end < long_form.start - _REACH:
            first += 1
        for index in range(first, len(acronyms)):
            acronym = acronyms[index]
            if acronym.start > long_form.end + _REACH:
                break
            if fit := _fit(text, acronym, long_form):
                yield _Pair(fit, -_gap(acronym, long_form), acronym, long_form)


def _fit(text: str, acronym: Marked, long_form: Marked) -> float:
    """How likely the two belong together."""
    long_first = long_form.start < acronym.start
    between = text[min(acronym.end, long_form.end) : max(acronym.start, long_form.start)]
    pattern = _pattern(between, long_first)
    site = Site(acronym.offsets, pattern, long_form.start, long_form.end, long_first)
    if aligned := pair(text, site):
        found, fit = aligned
        return fit * (1.0 if found.place == long_form.offsets else _WORSE)
    joined = len(between) <= _JOINED and not any(map(str.isalnum, between))
    return _UNALIGNED if joined else 0.0


def _pattern(between: str, long_first: bool) -> str:
    bracket = next((shape for shape in ("()", "[]") if shape[0] in between), "  ")
    inner = "short" if long_first else "long"
    outer = "long" if long_first else "short"
    return f"{outer} {bracket[0]}{inner}{bracket[1]}" if bracket.strip() else f"{outer} {inner}"


def _gap(one: Marked, other: Marked) -> int:
    return max(one.start, other.start) - min(one.end, other.end)
