"""Definitions in lists and tables: an acronym alone on its line or in its column, its long form in
the next one. The readers of files put each cell of a table, each term and its words on a line."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from .acronym import Acronym, read_acronym
from .bracket_candidates import Site
from .initials import initials_after, initials_before
from .mention import Definition, Offsets
from .pairing import possible_pairings

_LONGEST: Final = 20  # characters of an acronym
_LONGEST_LINE: Final = 120  # characters of a long form and what may explain it
_INITIALS: Final = 0.9  # confidence
_ALIGNED: Final = 0.75
_GAP: Final = re.compile(r"[^\S\n]*\n\s{0,12}|[^\S\n]*\t\s*|[^\S\n]{2,}")
BULLETS: Final = frozenset("-*+•‣–.)`_")
"""How what stands before the first word of an item of a list may end."""
_BULLET: Final = re.compile(r"(?:\A|\n)[ \t]*(?:[-*+•‣–]|\(?\w{1,3}[.)])[ \t]+[*_`\"'“]{0,3}\Z")
_BULLET_WITHIN: Final = 16  # characters
_ITEM_GAP: Final = re.compile(r"[*_`\"'”]{0,3}[ \t]*([,|:=–—→]|-{1,3}|[-=]>|\.{2,}|…+)?[ \t]+")
_ITEM_END: Final = re.compile(
    r"[*_`\"'”]{0,3}[ \t]*(?:[.;,][ \t]*(?:\n|\Z)|\n|\Z|[.,;:(\[]|[–—-] )"
)
_AROUND: Final = "*_`\"'“”,:|="  # an acronym in its item
_GOES_ON: Final = re.compile(r"\s?[.,;:(\[–—-]|\s*\Z")  # what may follow a long form in its line
_HEADING: Final = re.compile(
    r"^[#=*\d. \t]*(?:list of |table of |glossary of )?"
    r"(?:abbreviations?|acronyms?|glossary|nomenclature|abréviations|siglas|abkürzungen)\b(?P<more>.*)",
    re.IGNORECASE | re.MULTILINE,
)
_MOST_MORE: Final = 40  # characters that a heading has behind its name
_SECTION: Final = 3000  # characters from a heading to the entries of its list


def listed_definitions(text: str, begin: int, end: int) -> Iterator[Definition]:
    """The definition of the acronym `text[begin:end]`, if it begins a line and ends it or a column,
    or begins an item of a list.

    Its letters begin the words of the next line or column, from its start to its end or to a mark,
    or those of the line before. Below a heading such as `Abbreviations` all of the next line may be
    aligned with the letters.
    """
    if end - begin > _LONGEST:
        return
    begins_line = not begin or text[begin - 1] == "\n"
    gap = _GAP.match(text, end) if begins_line else None
    acronym = read_acronym(text[begin:end]) if text[end - 1].isalnum() else None
    if not gap:
        yield from _item(text, begin, end, begins_line)
        return
    if not acronym or len(acronym.letters) < 2 or not text[begin].isalnum():
        return
    start = gap.end()
    stop = text.find("\n", start, start + _LONGEST_LINE)
    stop = stop if stop >= 0 else min(len(text), start + _LONGEST_LINE)
    found = initials_after(text, start, acronym)
    if found and found.start == start and _GOES_ON.match(text, found.end, stop):
        yield Definition((begin, end), (start, found.end), _INITIALS)
    elif "\n" in gap[0] and (place := _line_before(text, begin, acronym)):
        yield Definition((begin, end), place, _INITIALS)
    elif _below_heading(text, begin):
        stop = start + len(text[start:stop].rstrip(" \t.;,"))
        aligned = possible_pairings(text, Site((begin, end), "short = long", start, stop, False))
        if aligned and aligned[-1].place == (start, stop) and aligned[-1].seen.steps[0] == "W":
            yield Definition((begin, end), (start, stop), _ALIGNED)


def _item(text: str, begin: int, end: int, begins_line: bool) -> Iterator[Definition]:
    """An item of a list or a line like one: `- ABC alpha beta cell`, `ABC, alpha beta cell`."""
    if not (begins_line or _BULLET.search(text, max(0, begin - _BULLET_WITHIN), begin)):
        return
    word = text[begin:end].rstrip(_AROUND)
    end = begin + len(word)
    begin = end - len(word.lstrip(_AROUND))
    gap, acronym = _ITEM_GAP.match(text, end), read_acronym(text[begin:end])
    if not gap or not (gap[1] or not begins_line) or not acronym or len(acronym.letters) < 2:
        return
    found = initials_after(text, gap.end(), acronym)
    if found and found.start == gap.end() and _ITEM_END.match(text, found.end):
        yield Definition((begin, end), (found.start, found.end), _INITIALS)


def _below_heading(text: str, begin: int) -> bool:
    ends = _headings(text)
    at = bisect_right(ends, begin)
    return at > 0 and begin - ends[at - 1] <= _SECTION


@lru_cache(1)
def _headings(text: str) -> list[int]:
    """Where the text's headings of lists end: looked for once, whatever the number of acronyms."""
    return [
        heading.end()
        for heading in _HEADING.finditer(text)
        if len(heading["more"].rstrip(" \t:*")) <= _MOST_MORE
    ]


def _line_before(text: str, begin: int, acronym: Acronym) -> Offsets | None:
    """The line before an acronym, if its words begin with the letters and it has no others."""
    end = begin
    while end and text[end - 1].isspace():
        end -= 1
    found = initials_before(text, end, acronym)
    if found and (found.start == 0 or text[found.start - 1] == "\n"):
        return found.start, found.end
    return None
