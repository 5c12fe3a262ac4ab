"""Titles, links and labels by the markup around them: what an edit leaves as it is."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

_COMMENT = r"\\[^a-zA-Z]|%[^\n]*"  # and signs that stand for themselves
_VERB = r"\\verb\*?(?P<sign>[^\w\s*])[^\n]*?(?P=sign)"
_MACRO = re.compile(
    rf"{_COMMENT}|{_VERB}|(?P<title>\\(?:index|(?:[gG]ls|GLS|[aA]c)[a-z]*|part|chapter|title|caption|"
    r"(?:sub)*(?:section|paragraph)|href(?:\[[^][{}\n]*\])?\{[^{}\n]*\})\*?\s*)(?=[\[{])"
)
_BRACKET = re.compile(rf"{_COMMENT}|[][{{}}]|\n[ \t\r]*\n")
_NEXT = re.compile(r"\s*[\[{]")
_CLOSING = {"{": "}", "[": "]"}

_VALUE = r"=\s*(?:\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z)|(?![\"']))"
_TAG = re.compile(
    r"<!--(?:.*?-->|.*)|<(?:script|style)\b(?:.*?</(?:script|style)\b|.*)|"
    rf"<(?P<end>/?)(?P<name>a|abbr|button|caption|h(?=[1-6])|label|option|select|title)[1-6]?(?=[\s/>])"
    rf"(?P<attributes>(?:[^>=]+|{_VALUE})*)(?:>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_HREF = re.compile(r"[\s\"'/]href\s*=", re.IGNORECASE)
_SELF_CLOSED = re.compile(r"(?:\A|[\s\"'])/\Z")


@lru_cache(8)
def closed_spans(text: str, format: str) -> list[tuple[int, int]]:
    """The offsets of titles, of the text of links, of controls and `<abbr>`, and in LaTeX of the
    labels of glossary entries and of an index.

    Of LaTeX and HTML, in order, none overlapping; nothing of other formats. Time is linear in the
    text's length.
    """
    if format == "latex":
        return list(_arguments(text))
    return list(_elements(text)) if format == "html" else []


def within(spans: list[tuple[int, int]], start: int, end: int | None = None) -> bool:
    """Whether what lies from one offset to another touches one of spans that do not overlap."""
    before = bisect_right(spans, ((start if end is None else end) + 1,))
    return before > 0 and start <= spans[before - 1][1]


def _arguments(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while found := _MACRO.search(text, at):
        at = found.end()
        if found["title"]:
            end = _end(text, at)
            yield at + 1, end
            at = end


def _end(text: str, at: int) -> int:
    """Where the arguments that begin there end: those in square brackets and one in braces, at the
    latest with the paragraph."""
    awaited: list[str] = []
    for found in _BRACKET.finditer(text, at):
        sign = found[0]
        if sign == "{" or (sign == "[" and not awaited):
            awaited.append(_CLOSING[sign])
        elif sign.isspace():
            return found.start()
        elif awaited and sign == awaited[-1]:
            awaited.pop()
            if not awaited and not (sign == "]" and _NEXT.match(text, found.end())):
                return found.start()
    return len(text)


def _elements(text: str) -> Iterator[tuple[int, int]]:
    opened, start = "", 0
    for tag in _TAG.finditer(text):
        name, attributes = (tag["name"] or "").lower(), tag["attributes"]
        if opened and name == opened:  # one in another of its kind ends that one
            yield start, tag.start()
            opened = ""
        if opened or not name or tag["end"] or _SELF_CLOSED.search(attributes):
            continue
        if name != "a" or _HREF.search(attributes):
            opened, start = name, tag.end()
    if opened:
        yield start, len(text)
