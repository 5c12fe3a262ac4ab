"""Places that are read by themselves: tables of contents, descriptions of options, quotations."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice
from typing import NamedTuple

from ..documents.source import Source

_CONTENTS = re.compile(
    r"<(?:div|dl|nav|ol|ul)\b[^<>]*\b(?:class|id)=[\"'](?:[^\"'<>]* )?(?:table-of-)?"
    r"(?:toc|contents)\b"
)
_CONTENTS_END = re.compile(r"</(?:div|nav)>")
_OPTION = re.compile(
    r"[ \t]*(?:[-*+][ \t]+|#{1,6}[ \t]+)?(?:\.\. (?:cmd)?option::|\\?[*_`]{0,2}--?[A-Za-z])"
)
_LABELLED = re.compile(
    r"[ \t]*(?:[-*+][ \t]+\W*[\w(][^:.\n]{0,40}:|(?:[-*+][ \t]+)?([*_`]{2})\w[^*_`:.\n]{0,40}"
    r"(?:\1:|:\1|\1[ \t]+[-\u2013\u2014]))[ \t\n]"
)
_MEMBER = re.compile(
    r"<dt\b[^<>]*\b(?:class=[\"']sig\b|id=[\"']index-)|<h[2-5]\b[^<>]*>[\w.:]+\s?\(\)\s*</h"
)
_MEMBER_END = re.compile(r"</dl>|<h[1-6]\b")
_TERM = re.compile(r"<dt\b(?:(?!</dt>).)*?>\s*--?[A-Za-z]", re.DOTALL)
_ENTRY_END = re.compile(r"</d[dl]>")
_BLANKS = re.compile(r"[^\S\n]*")
_FAR = 40_000  # characters of a table of contents
_NEAR = 8  # lines of an option's description
_ENTRY = 1_000  # characters of one
_OPENING = {'"': '"', "\u201d": "\u201c", "\u00bb": "\u00ab"}  # of each closing mark
_MARK = re.compile(rf"\n\n|[{''.join(_OPENING)}{''.join(_OPENING.values())}]")


class Spans(NamedTuple):
    """Spans of a text: where they begin, in order, and how far those up to each reach."""

    starts: list[int]
    reach: list[int]

    @classmethod
    def of(cls, spans: Iterable[tuple[int, int]]) -> "Spans":
        """Spans by their first and last offsets, in any order."""
        ordered = sorted(spans)
        return cls([one for one, _ in ordered], list(accumulate((to for _, to in ordered), max)))

    def has(self, at: int) -> bool:
        """Whether an offset lies in one of them."""
        before = bisect_right(self.starts, at)
        return before > 0 and at <= self.reach[before - 1]

    def meet(self, start: int, end: int) -> bool:
        """Whether one of them has a character of `start:end`."""
        before = bisect_left(self.starts, end)
        return before > 0 and self.reach[before - 1] > start


def contents(source: Source) -> Spans:
    """Where in an original a page's tables of contents lie."""
    return _stretches(source, _CONTENTS, _CONTENTS_END)


def members(source: Source) -> Spans:
    """Where in an original a page describes functions and classes."""
    return _stretches(source, _MEMBER, _MEMBER_END)


def _stretches(source: Source, begins: re.Pattern[str], ends: re.Pattern[str]) -> Spans:
    """From each beginning on a page to the next end, of at most so many characters."""
    if source.format != "html":
        return Spans([], [])
    stops = [(one.start(), one.end() - 1) for one in ends.finditer(source.source)]
    stops.append((len(source.source), len(source.source)))
    found = []
    for one in begins.finditer(source.source):
        following = bisect_left(stops, (one.end(), 0))
        found.append((one.end(), min(one.start() + _FAR, stops[following][1])))
    return Spans.of(found)


def in_option(source: Source, at: int) -> bool:
    """Whether an offset of the original lies in the description of a program's option, which is
    looked up by itself."""
    text = source.source
    if source.format == "html":
        before = text[max(0, at - _ENTRY) : at]
        term = before.rfind("<dt")
        ended = _ENTRY_END.search(before, max(0, term))
        return term >= 0 and not ended and bool(_TERM.match(before, term))
    return _is_below(text, at, _OPTION)


def in_description(source: Source, at: int) -> bool:
    """Whether an offset of the original lies in an option's description, be it further from the
    option than `in_option` looks: the nearest line that is indented less names it."""
    text = source.source
    lines = _lines_up(text, at, max(0, at - _FAR))
    _, margin = next(lines)
    above = (start for start, indent in lines if indent is not None and indent < (margin or 0))
    start = next(above, None) if margin else None
    return in_option(source, at) if start is None else bool(_OPTION.match(text, start, at))


def in_entry(source: Source, at: int) -> bool:
    """Whether an offset of the original lies in the description of an option, or of a term that
    begins an item or a paragraph: "- Solver: ...", "**Solver**: ..."."""
    return in_option(source, at) or _is_below(source.source, at, _LABELLED)


def _is_below(text: str, at: int, term: re.Pattern[str]) -> bool:
    """Whether an offset lies in the description of a term: a few lines below it at most, in its
    paragraph or in one that is indented further."""
    margin = lowest = len(text)
    for start, indent in islice(_lines_up(text, at), _NEAR):
        if indent is None:
            margin = lowest
        elif indent < margin and term.match(text, start, at):
            return True
        else:
            lowest = min(lowest, indent)
        if not margin:
            break
    return False


def _lines_up(text: str, at: int, first: int = 0) -> Iterator[tuple[int, int | None]]:
    """Where each line begins, from an offset's upwards, and how far it is indented; None where
    it is blank."""
    end = at
    while end >= first:
        start = text.rfind("\n", first, end) + 1 or first
        words = _BLANKS.match(text, start, end).end()  # type: ignore[union-attr]
        yield start, words - start if words < end or end == at else None
        end = start - 1


def quotations(text: str) -> Spans:
    """What stands between the quotation marks of a paragraph."""
    found = []
    opened: dict[str, int] = {}
    for mark in _MARK.finditer(text):
        sign, at = mark[0], mark.start()
        if sign == "\n\n":
            opened.clear()
        elif sign in _OPENING.values() and sign not in opened:
            opened[sign] = at
        elif sign in _OPENING and _OPENING[sign] in opened:
            found.append((opened.pop(_OPENING[sign]) + 1, at))
    return Spans.of(found)
