"""Pair acronyms with long forms if both have already been marked, for example by a tagger."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from .bracket_candidates import Site
from .mention import Definition, Offsets
from .pairing import pair

_REACH: Final = 60  # maximum characters between an acronym and its long form
# Maximum characters, such as " (" and " – ", between a pair whose letters do not match.
_JOINED: Final = 4
_UNALIGNED: Final = 0.3  # confidence of such a pair
# Factor of the confidence if the letters match another span than the marked one.
_WORSE: Final = 0.7


class Marked(NamedTuple):
    """A span that has been marked as an acronym or a long form.

    Attributes:
        start: Start of the span in the text.
        end: End of the span.
        probability: Probability that the mark is right, 0 to 1.
    """

    start: int
    end: int
    probability: float

    @property
    def offsets(self) -> Offsets:
        """The character offsets of the span."""
        return self.start, self.end


class Settled(NamedTuple):
    """The result of combining marked spans with the definitions that rules find.

    Attributes:
        acronyms: Acronyms, in text order.
        long_forms: Long forms, in text order.
        definitions: Definitions, sorted by the position of their acronyms.
    """

    acronyms: list[Marked]
    long_forms: list[Marked]
    definitions: list[Definition]


class _Pair(NamedTuple):
    """An acronym and a long form that may form a definition."""

    fit: float  # probability that the two belong together, 0 to 1
    nearness: int  # minus the characters between them
    acronym: Marked
    long_form: Marked


def pair_marked(
    text: str,
    acronyms: Sequence[Marked],
    long_forms: Sequence[Marked],
    definitions: Iterable[Definition] = (),
) -> list[Definition]:
    """Pair marked acronyms with marked long forms to form definitions.

    If both spans of a rule's definition are marked, they form a definition. Other neighbouring
    marks are scored by how well the acronym's letters align with the long form, with or without
    brackets in between. The confidence of a definition is this score times the lower probability of
    its two marks. Each mark belongs to at most one definition.

    Args:
        text: Text of the document.
        acronyms: Marked acronyms, sorted and without overlaps.
        long_forms: Marked long forms, sorted and without overlaps.
        definitions: Definitions that rules found in the text.

    Returns:
        The definitions, sorted by the position of their acronyms.
    """
    by_offsets = {
        (definition.acronym, definition.long_form): definition for definition in definitions
    }
    pairs = chain(_by_rule(acronyms, long_forms, by_offsets), _near(text, acronyms, long_forms))
    taken: set[Offsets] = set()
    paired = []
    for fit, _, acronym, long_form in sorted(pairs, reverse=True):
        both = {acronym.offsets, long_form.offsets}
        if not taken & both:
            taken |= both
            confidence = fit * min(acronym.probability, long_form.probability)
            paired.append(Definition(acronym.offsets, long_form.offsets, confidence))
    return sorted(paired)


def settle(
    text: str,
    acronyms: Sequence[Marked],
    long_forms: Sequence[Marked],
    definitions: Sequence[Definition],
    threshold: float,
) -> Settled:
    """Combine marked spans with the definitions that rules find, which take precedence.

    All definitions of the rules are kept. A marked acronym is kept if it doesn't overlap any of
    them. A marked long form is kept if it belongs to a definition whose confidence is at least
    `threshold`.

    Args:
        text: Text of the document.
        acronyms: Marked acronyms. A mark that overlaps an earlier one is ignored.
        long_forms: Marked long forms. A mark that overlaps an earlier one is ignored.
        definitions: Definitions that rules found in the text.
        threshold: Minimum confidence of a definition with a marked long form, 0 to 1.

    Returns:
        The combined acronyms, long forms and definitions.
    """
    ranked = sorted(definitions, key=lambda definition: -definition.confidence)
    long = _free((Marked(*d.long_form, d.confidence) for d in ranked), [])
    short = _free((Marked(*d.acronym, d.confidence) for d in ranked), long)
    other_long = _free(long_forms, [*long, *short])
    other_short = _free(acronyms, [*long, *short])
    paired = pair_marked(
        text,
        sorted([*short, *other_short]),
        sorted([*long, *other_long]),
        definitions,
    )
    confidence = {d.long_form: d.confidence for d in paired}
    added = [mark for mark in other_long if confidence.get(mark.offsets, 0.0) >= threshold]
    accepted = {mark.offsets for mark in (*long, *added)}
    return Settled(
        sorted([*short, *_free(other_short, added)]),
        sorted([*long, *added]),
        [d for d in paired if d.long_form in accepted],
    )


def _free(marks: Iterable[Marked], taken: Sequence[Marked]) -> list[Marked]:
    """Return the marks that overlap neither `taken` nor an earlier mark."""
    offsets = sorted(mark.offsets for mark in taken)
    free = []
    for mark in marks:
        at = bisect_right(offsets, mark.offsets)
        before = at > 0 and offsets[at - 1][1] > mark.start
        if not before and (at == len(offsets) or offsets[at][0] >= mark.end):
            offsets.insert(at, mark.offsets)
            free.append(mark)
    return free


def _by_rule(
    acronyms: Sequence[Marked],
    long_forms: Sequence[Marked],
    by_offsets: dict[tuple[Offsets, Offsets], Definition],
) -> Iterator[_Pair]:
    by_place = {mark.offsets: mark for mark in chain(acronyms, long_forms)}
    for (acronym, long_form), definition in by_offsets.items():
        if acronym in by_place and long_form in by_place:
            short, long = by_place[acronym], by_place[long_form]
            yield _Pair(max(definition.confidence, _WORSE), -_gap(short, long), short, long)


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
    """Return the probability that an acronym and a long form belong together."""
    long_first = long_form.start < acronym.start
    between = text[min(acronym.end, long_form.end) : max(acronym.start, long_form.start)]
    pattern = _pattern(between, long_first)
    site = Site(acronym.offsets, pattern, long_form.start, long_form.end, long_first)
    if aligned := pair(text, site):
        pairing, fit = aligned
        return fit * (1.0 if pairing.place == long_form.offsets else _WORSE)
    joined = len(between) <= _JOINED and not any(map(str.isalnum, between))
    return _UNALIGNED if joined else 0.0


def _pattern(between: str, long_first: bool) -> str:
    bracket = next((shape for shape in ("()", "[]") if shape[0] in between), "  ")
    inner = "short" if long_first else "long"
    outer = "long" if long_first else "short"
    return f"{outer} {bracket[0]}{inner}{bracket[1]}" if bracket.strip() else f"{outer} {inner}"


def _gap(left: Marked, right: Marked) -> int:
    return max(left.start, right.start) - min(left.end, right.end)
