"""Find definitions of acronyms in lists and tables.

In a list or table, an acronym is alone on its line or in its column. Its long form is on the next
line or in the next column. The readers of file formats put each table cell, each term of a list and
each description on a line of its own.
"""

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

_LONGEST: Final = 20  # maximum characters of an acronym
_LONGEST_LINE: Final = 120  # maximum characters of a long form and its explanation
_INITIALS: Final = 0.9  # confidence of a definition if the initials match
_ALIGNED: Final = 0.75  # confidence of a definition below a heading if the letters can be aligned
_GAP: Final = re.compile(r"[^\S\n]*\n\s{0,12}|[^\S\n]*\t\s*|[^\S\n]{2,}")
BULLETS: Final = frozenset("-*+•‣–.)`_")
"""Characters that can end a bullet or an item number, such as ``-`` and the bracket of ``1)``."""
_BULLET: Final = re.compile(r"(?:\A|\n)[ \t]*(?:[-*+•‣–]|\(?\w{1,3}[.)])[ \t]+[*_`\"'“]{0,3}\Z")
_BULLET_WITHIN: Final = 16  # number of characters before an acronym that may contain a bullet
_ITEM_GAP: Final = re.compile(r"[*_`\"'”]{0,3}[ \t]*([,|:=–—→]|-{1,3}|[-=]>|\.{2,}|…+)?[ \t]+")
_ITEM_END: Final = re.compile(
    r"[*_`\"'”]{0,3}[ \t]*(?:[.;,][ \t]*(?:\n|\Z)|\n|\Z|[.,;:(\[]|[–—-] )"
)
_AROUND: Final = "*_`\"'“”,:|="  # marks around an acronym in its item
_GOES_ON: Final = re.compile(r"\s?[.,;:(\[–—-]|\s*\Z")  # after a long form in its line
_HEADING: Final = re.compile(
    r"^[#=*\d. \t]*(?:list of |table of |glossary of )?"
    r"(?:abbreviations?|acronyms?|glossary|nomenclature|abréviations|siglas|abkürzungen)\b(?P<more>.*)",
    re.IGNORECASE | re.MULTILINE,
)
_MOST_MORE: Final = 40  # maximum characters of a heading after its name
_SECTION: Final = 3000  # number of characters after a heading that belong to its list


def listed_definitions(text: str, begin: int, end: int) -> Iterator[Definition]:
    """Find the definition of an acronym that is alone on its line, or in its column or list item.

    The words of the next line or column, up to its end or a punctuation mark, must begin with the
    acronym's letters. Otherwise, the words of the previous line may do so. Below a heading such as
    `Abbreviations`, it is enough that the letters can be matched with the whole next line.

    Args:
        text: Text of the document.
        begin: Character offset at which the acronym starts.
        end: Character offset at which the acronym ends.

    Yields:
        The definition, or nothing if no words match.
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
    initials = initials_after(text, start, acronym)
    if initials and initials.start == start and _GOES_ON.match(text, initials.end, stop):
        yield Definition((begin, end), (start, initials.end), _INITIALS)
    elif "\n" in gap[0] and (place := _line_before(text, begin, acronym)):
        yield Definition((begin, end), place, _INITIALS)
    elif _below_heading(text, begin):
        stop = start + len(text[start:stop].rstrip(" \t.;,"))
        pairings = possible_pairings(text, Site((begin, end), "short = long", start, stop, False))
        if pairings and pairings[-1].place == (start, stop) and pairings[-1].seen.steps[0] == "W":
            yield Definition((begin, end), (start, stop), _ALIGNED)


def _item(text: str, begin: int, end: int, begins_line: bool) -> Iterator[Definition]:
    """Yield the definition in a list item or similar line, such as `- ABC alpha beta cell`."""
    if not (begins_line or _BULLET.search(text, max(0, begin - _BULLET_WITHIN), begin)):
        return
    word = text[begin:end].rstrip(_AROUND)
    end = begin + len(word)
    begin = end - len(word.lstrip(_AROUND))
    gap, acronym = _ITEM_GAP.match(text, end), read_acronym(text[begin:end])
    if not gap or not (gap[1] or not begins_line) or not acronym or len(acronym.letters) < 2:
        return
    initials = initials_after(text, gap.end(), acronym)
    if initials and initials.start == gap.end() and _ITEM_END.match(text, initials.end):
        yield Definition((begin, end), (initials.start, initials.end), _INITIALS)


def _below_heading(text: str, begin: int) -> bool:
    ends = _headings(text)
    at = bisect_right(ends, begin)
    return at > 0 and begin - ends[at - 1] <= _SECTION


@lru_cache(1)
def _headings(text: str) -> list[int]:
    """Return the end offsets of all headings of abbreviation lists in a text.

    The result is cached, so that it is computed once for all acronyms of a text.
    """
    return [
        heading.end()
        for heading in _HEADING.finditer(text)
        if len(heading["more"].rstrip(" \t:*")) <= _MOST_MORE
    ]


def _line_before(text: str, begin: int, acronym: Acronym) -> Offsets | None:
    """Return the offsets of the line before an acronym if its words give the acronym's letters."""
    end = begin
    while end and text[end - 1].isspace():
        end -= 1
    initials = initials_before(text, end, acronym)
    if initials and (initials.start == 0 or text[initials.start - 1] == "\n"):
        return initials.start, initials.end
    return None
