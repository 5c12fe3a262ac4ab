"""Where the strings of a JSON text stand: `json` gives values alone."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]')
_ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.")

Path = tuple[str | int, ...]


class JSONString(NamedTuple):
    """A string value: the keys and numbers that lead to it, and its offsets between the quotes."""

    path: Path
    start: int
    end: int


def json_strings(source: str) -> Iterator[JSONString]:
    """Yield the string values of a valid JSON text, in order."""
    path: list[str | int] = []
    key = False  # in an object, before the colon
    for token in _TOKEN.finditer(source):
        sign = token[0]
        if sign == "{":
            path.append("")
            key = True
        elif sign == "[":
            path.append(0)
            key = False
        elif sign in "]}":
            path.pop()
            key = False
        elif sign == ",":
            last = path[-1]
            key = isinstance(last, str)
            if isinstance(last, int):
                path[-1] = last + 1
        elif sign == ":":
            key = False
        elif key:
            path[-1] = json.loads(sign)
        else:
            yield JSONString(tuple(path), token.start() + 1, token.end() - 1)


def decoded(source: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the runs of a JSON string as text with their offsets in the source.

    An escape is a run of its own; half a character, which JSON can hold, becomes U+FFFD.
    """
    at = start
    for escape in _ESCAPE.finditer(source, start, end):
        if at < escape.start():
            yield source[at : escape.start()], at, escape.start()
        text = json.loads(f'"{escape[0]}"')
        yield text if text.isprintable() or text.isspace() else "\ufffd", *escape.span()
        at = escape.end()
    if at < end:
        yield source[at:end], at, end
