"""Find brackets that may define an acronym, and the text that may contain its long form."""

import re
from collections.abc import Iterator
from typing import Final

from .acronym import read_acronym
from .mention import Offsets


class Site:
    """An acronym, and the text next to it that may contain its long form.

    In `we use machine learning (ML)`, the acronym is `ML` and the text is
    `we use machine learning`.
    """

    __slots__ = ("acronym", "begin", "end", "long_first", "pattern")

    def __init__(
        self, acronym: Offsets, pattern: str, begin: int, end: int, long_first: bool
    ) -> None:
        """Create a site from character offsets in a text.

        Args:
            acronym: Start and end of the acronym.
            pattern: Arrangement of acronym and long form, such as ``long (short)``, which is a
                feature of the scorer.
            begin: Start of the text that may contain the long form. If it is 0 and `long_first` is
                True, the text begins at the start of the clause.
            end: End of the text that may contain the long form.
            long_first: Whether the long form comes before the acronym. The long form then ends at
                `end`. Otherwise, it begins at or shortly after `begin`.
        """
        self.acronym = acronym
        self.pattern = pattern
        self.begin, self.end = begin, end
        self.long_first = long_first


_LONGEST: Final = 16  # maximum characters of an acronym outside of the bracket or in a list
_QUOTES: Final = "\"'`“”‘’«»„"
_OPENINGS: Final = _QUOTES + "([,;:/"
_INSIDE: Final = rf"(?:[^\s()\[\]{{}};:=|<>,{_QUOTES}]|[,'’:](?=\w))"
_WORD: Final = rf"[^\W_]{_INSIDE}{{0,20}}"
_ACRONYM: Final = rf"{_WORD}(?: [-/] (?=[A-Z\d]){_INSIDE}{{1,12}}| {_INSIDE}{{1,9}}){{0,2}}?"
# Words that may precede an acronym in its bracket: "(hereafter referred to as ABC)".
_LEAD: Final = (
    r"(?:(?=[a-z])(?:or|and|also|hereafter|henceforth|hereinafter|further|abbreviated|abbr\.?"
    r"|abbreviation|acronym|aka|a\.k\.a\.|in short|for short|short|i\.e\."
    r"|denoted|called|termed|dubbed|known|named|referred|to|as|by|the|simply)(?:\s*[,:]\s*|\s+))*"
)

# Words that may precede a long form in its bracket: "HRF (which stands for ...)".
_EXPLAINS: Final = re.compile(
    r"(?:(?:which |that )?(?:stands for|means|denotes|refers to)|(?:which is )?(?:short|an? "
    r"(?:acronym|abbreviation|initialism)|the (?:acronym|abbreviation)|acronym|abbreviation)"
    r" (?:for|of)|meaning|i\.e\.,?|that is,?|in full[:,]?|from) (?:the )?"
)
_EXAMPLE: Final = r"(?!(?:i\.e|e\.g)\b\.?[,:\s])"  # "i.e." and "e.g." never begin an acronym
_WORD_WITHIN: Final = 21  # maximum characters of the first word of an acronym


def _head(closing: str) -> re.Pattern[str]:
    """Return a regular expression for an acronym at the beginning of a bracket."""
    follows = rf"(?=[{closing}\];,:=–—]|- (?!\S+\s*[)\]])|\d+(?:\.\d|\s)"
    follows += r"|(?:for short|hereafter|henceforth|in short)\b|(?<=[A-Z+\d] )(?:or|and|to|in)\b)"
    return re.compile(rf"\s*{_LEAD}{_EXAMPLE}[{_QUOTES}]*({_ACRONYM})[{_QUOTES}]*\s*{follows}")


# The kinds of brackets, each with a pattern for an acronym at its beginning.
_BRACKETS: Final = (("()", _head(")")), ("[]", _head("]")))
# Another acronym in the same bracket, after a mark, `or`, `and` or `to`: "(TNF or TNF-a)". The
# pattern begins with a character class, which makes the search fast.
_OTHER: Final = re.compile(
    rf"[;,oat](?:(?<=[;,])|(?<=\bo)r|(?<=\ba)nd|(?<=\bt)o)\s+((?=\S*[A-Z])[^\W_]{_INSIDE}{{1,{_LONGEST}}})(?=\s*[;,)\]]|\s(?:or|and|to)\s)"
)
_LONGEST_LIST: Final = 60  # maximum characters of a bracket that may contain several acronyms
# Endings that Danish and related languages add to an acronym: SMV'er, IT'en.
_ENDING: Final = re.compile(r"(?<=[^\W\d_a-zæøåä-ö])['’](?!s\Z)[a-zæøåä-ö]{1,5}\Z")
_SUBSCRIPT: Final = 6  # maximum characters of a bracket in an acronym, as in "FEV(1)"
_WIDEST: Final = 20  # maximum characters of the acronym on either side of such a bracket
_MARKS: Final = ";:,–—-="
_MARK: Final = re.compile(r"[;:,]\s")


def bracket_sites(text: str) -> Iterator[Site]:
    """Find all places in a text where brackets may define an acronym, in linear time.

    Only the innermost brackets of each kind are used. The long form may be before the bracket, as
    in `machine learning (ML)`, or inside it, as in `ML (machine learning)`.

    Args:
        text: Text of the document.

    Yields:
        Pairs of an acronym and the text that may contain its long form. Those with round brackets
        come first, then those with square brackets.
    """
    for shape, acronym in _BRACKETS:
        free = 0
        while closed := text.find(shape[1], free) + 1:
            # Only innermost brackets are used, which contain no bracket of their kind.
            opened = text.rfind(shape[0], free, closed)
            if opened >= 0:
                yield from _in_bracket(text, opened, closed, shape, acronym)
            free = closed


def _in_bracket(
    text: str, opened: int, closed: int, shape: str, acronym: re.Pattern[str]
) -> list[Site]:
    """Return the sites of the acronyms that the bracket `text[opened:closed]` may define."""
    sites: list[Site] = []
    inside = f"long {shape[0]}short{shape[1]}"
    inner = text[opened + 1 : closed - 1]
    glued = opened > 0 and not text[opened - 1].isspace()
    wider = glued and len(inner) <= _SUBSCRIPT and _wider(text, opened, closed)
    begin, end = _span_of_head(text, opened + 1, inner, acronym)
    if wider:
        sites.append(Site(wider, "long (short)", 0, wider[0] - 1, True))
    elif (
        end
        and read_acronym(head := text[begin:end])
        and not (glued and _goes_on(text, opened, head))
    ):
        ending = ("'" in head or "’" in head) and _ENDING.search(text, begin, end)
        place = begin, ending.start() if ending else end
        sites.append(Site(place, inside, 0, opened, True))
    one_word = " " not in inner
    may_explain = not one_word or inner[1:].islower()  # not "(YouTube)"
    if may_explain and opened > 1 and not text[max(0, opened - 3) : opened].islower():
        sites += _acronym_before(text, opened + 1, inner, shape)
    if one_word:
        return sites
    if len(inner) <= _LONGEST_LIST and not inner[1:].islower():
        sites += [
            Site(other.span(1), inside, 0, opened, True)
            for other in _OTHER.finditer(text, end or opened, closed)
        ]
    if not inner[-2:].islower() and not inner[-1].isdigit():
        sites += _acronym_last(opened + 1, inner, shape)
    return sites


def _span_of_head(text: str, begin: int, inner: str, acronym: re.Pattern[str]) -> Offsets:
    """Return the offsets of the acronym that begins a bracket, or ``(0, 0)`` if there is none."""
    if inner.isalnum():  # the common case
        return (begin, begin + len(inner)) if len(inner) <= _WORD_WITHIN else (0, 0)
    match = acronym.match(text, begin)
    return match.span(1) if match else (0, 0)


def _goes_on(text: str, opened: int, head: str) -> bool:
    """Return whether a bracket continues a word in lower case, as in ``H(eff)``."""
    return head.islower() and text[opened - 1].isalnum()


def _wider(text: str, start: int, end: int) -> Offsets | None:
    """Return the acronym in brackets that contains the smaller bracket `text[start:end]`.

    In ``(FEV(1))``, the smaller bracket is ``(1)``, and the acronym is ``FEV(1)``.
    """
    if text[end - 1 : end + 1] == "](":
        return None
    before = text[max(0, start - _WIDEST) : start].rsplit(None, 1)[-1]
    if before[-1] == "-" and before[-4:-1].isalpha():
        return None  # "(dimethyl-[DMP], diethyl-[DEP])"
    after = text[end : end + _WIDEST].split(None, 1)
    run = before + text[start:end] + (after[0] if after and not text[end].isspace() else "")
    if run[0] not in "([":
        return None
    depth = 0
    for at, character in enumerate(run):
        depth += (character in "([") - (character in ")]")
        if depth == 0 or (at == len(run) - 1 and depth == 1):
            begin = start - len(before) + 1
            return (begin, begin + at - 1) if begin + at > end else None
    return None


def _acronym_before(text: str, begin: int, inner: str, shape: str) -> Iterator[Site]:
    """Yield sites of the form `acronym (long form)`.

    The long form may end before the bracket does, at a semicolon, colon or comma.
    """
    opened = begin - 1
    left = max(0, opened - 25)
    before = text[left:opened].rsplit(None, 1)
    if not before:
        return
    short = before[-1].strip(_OPENINGS + ")]")
    if len(short) < 2 or len(short) > _LONGEST or short.islower():
        return
    first = short[0].lower()
    explanation = _EXPLAINS.match(inner)
    if explanation:
        begin, inner = begin + explanation.end(), inner[explanation.end() :]
    if not any(word[0].lower() == first for word in inner.split(None, 3)[:3]):
        return
    at = text.rindex(short, left, opened)
    pattern = f"short {shape[0]}long{shape[1]}"
    yield Site((at, at + len(short)), pattern, begin, begin + len(inner), False)
    marks = ""
    for mark in _MARK.finditer(inner):
        if mark[0][0] not in marks:
            marks += mark[0][0]
            yield Site((at, at + len(short)), pattern, begin, begin + mark.start(), False)


def _acronym_last(begin: int, inner: str, shape: str) -> Iterator[Site]:
    """Yield sites of the form `(long form, acronym)` or `(long form; acronym)`."""
    rest, _, short = inner.rstrip(_QUOTES).rpartition(" ")
    short = short.strip().lstrip(_QUOTES).strip()
    if rest and rest[-1] in _MARKS and 1 < len(short) <= _LONGEST and not short[1:].islower():
        at = begin + inner.rindex(short)
        pattern = f"{shape[0]}long, short{shape[1]}"
        yield Site((at, at + len(short)), pattern, begin, begin + len(rest.rstrip(_MARKS)), True)
