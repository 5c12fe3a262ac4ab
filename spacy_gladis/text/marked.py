"""Pair acronyms with long forms that are already marked in a text, for example by a tagger."""

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
    """A span of a text that a tagger has marked as an acronym or a long form.

    Attributes:
        start: Character offset at which the span starts.
        end: Character offset at which the span ends (exclusive).
        probability: Probability that the span really is an acronym or a long form, 0 to 1.
    """

    start: int
    end: int
    probability: float

    @property
    def offsets(self) -> Offsets:
        """The start and end of the span in the text, as character offsets."""
        return self.start, self.end


class Settled(NamedTuple):
    """The acronyms, long forms and definitions of a text, combined from a tagger and from rules.

    Attributes:
        acronyms: Spans of the acronyms, in text order.
        long_forms: Spans of the long forms, in text order.
        definitions: Pairs of an acronym and a long form, sorted by the position of the acronyms.
    """

    acronyms: list[Marked]
    long_forms: list[Marked]
    definitions: list[Definition]


class _Pair(NamedTuple):
    """An acronym and a long form that may form a definition, sortable by how well they fit."""

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

    Candidates are the definitions that rules found if both of their spans are marked, and all pairs
    of marks with at most 60 characters in between. Pairs that no rule found are scored by how well
    the acronym's letters match the long form. The best pairs are chosen first, and each mark
    belongs to at most one definition. The confidence of a definition is its score times the lower
    probability of its two marks.

    Args:
        text: Text of the document.
        acronyms: Spans marked as acronyms, sorted and without overlaps.
        long_forms: Spans marked as long forms, sorted and without overlaps.
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
    """Combine the spans that a tagger marked with the definitions that rules found.

    The definitions of the rules take precedence. A marked acronym is kept if it doesn't overlap any
    of them. A marked long form must not overlap them either, and must form a definition whose
    confidence is at least `threshold`.

    Args:
        text: Text of the document.
        acronyms: Spans marked as acronyms. A span that overlaps an earlier one in this sequence is
            ignored.
        long_forms: Spans marked as long forms. A span that overlaps an earlier one in this sequence
            is ignored.
        definitions: Definitions that rules found in the text.
        threshold: Minimum confidence of a definition with a marked long form, 0 to 1.

    Returns:
        The acronyms, long forms and definitions that are kept.
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
    """Return the marked spans that overlap neither `taken` nor an earlier marked span."""
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
    """Return the probability that a marked acronym and a marked long form belong together."""
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
