"""Where the strings of a JSON text stand: `json` gives values alone."""

import json
import re
from collections.abc import Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]  # not in typeshed
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any

_ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.")


class PlacedString(str):
    """A string with its offsets in the JSON text, between the quotes."""

    start: int
    end: int


def loads(source: str) -> Any:
    """As `json.loads`, but string values, though not keys, are `PlacedString`s."""

    def placed(text: str, start: int, strict: bool) -> tuple[PlacedString, int]:
        content, after = scanstring(text, start, strict)
        found = PlacedString(content)
        found.start, found.end = start, after - 1
        return found, after

    decoder: Any = json.JSONDecoder()
    decoder.parse_string = placed
    decoder.scan_once = py_make_scanner(decoder)  # the one in C asks no `parse_string`
    return decoder.decode(source)


def decoded(source: str, string: PlacedString) -> Iterator[tuple[str, int, int]]:
    """Yield the runs of a string of a JSON text with their offsets there.

    An escape is a run of its own; half a character, which JSON can hold, becomes U+FFFD.
    """
    at, end = string.start, string.end
    for escape in _ESCAPE.finditer(source, at, end):
        if at < escape.start():
            yield source[at : escape.start()], at, escape.start()
        text = json.loads(f'"{escape[0]}"')
        yield text if text.isprintable() or text.isspace() else "\ufffd", *escape.span()
        at = escape.end()
    if at < end:
        yield source[at:end], at, end
