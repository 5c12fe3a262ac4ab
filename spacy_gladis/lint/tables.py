"""Tables by the markup around them, whose columns an edit would shift."""

import re
from collections.abc import Iterator
from functools import lru_cache

_LATEX = re.compile(
    r"\\verb\*?(?P<sign>[^\w\s*])[^\n]*?(?P=sign)|\\[^a-zA-Z]|%[^\n]*|"
    r"\\(?P<way>begin|end)\s*\{(?P<name>(?:long|x?long|super)?tab(?:u|ular[xy]?)|"
    r"longtable|xltabular|tblr|longtblr|array|eqnarray|(?:fl|x|xx)?align(?:ed|at|edat)?|split|"
    r"[bBpvV]?(?:small)?matrix|[dr]?cases)\*?\}"
)
_ELEMENT = r"<!--(?:.*?-->|.*)|{}<(?P<way>/?)(?P<name>table)\b"
_HTML = re.compile(_ELEMENT.format(""), re.DOTALL | re.IGNORECASE)
_MARKDOWN = re.compile(_ELEMENT.format(r"(?:^[ \t]*|(?=</))"), re.DOTALL | re.IGNORECASE | re.M)
_SIGNS = {"latex": (_LATEX, "begin"), "html": (_HTML, ""), "markdown": (_MARKDOWN, "")}


@lru_cache(8)
def table_spans(text: str, format: str) -> list[tuple[int, int]]:
    """Where tables begin and end, in order: those of LaTeX with `&`, and elements of HTML, be they
    in Markdown. One that is not closed reaches to the end. Time is linear in the text's length."""
    return list(_tables(text, *_SIGNS[format])) if format in _SIGNS else []


def _tables(text: str, sign: re.Pattern[str], begins: str) -> Iterator[tuple[int, int]]:
    depth = start = 0
    for found in sign.finditer(text):
        if not found["name"]:
            continue
        if found["way"] == begins:
            start = start if depth else found.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield start, found.end()
    if depth:
        yield start, len(text)
