"""Comments in a file that switch findings off, and on again."""

import re
from bisect import bisect_right

from ..documents.source import Source

_WORDS = r"acronyms:[ \t]*(?P<way>off|on)\b(?P<codes>[A-Z0-9, \t]*)"
_COMMENTS = {
    "text": re.compile(rf"^[ \t]*(?:(?:#|//|;)[ \t]*)?{_WORDS}$", re.MULTILINE),
    "markdown": re.compile(rf"(?:<!--|\{{/\*)[ \t]*{_WORDS}(?:-->|\*/\}})"),  # the second is MDX's
    "html": re.compile(rf"<!--[ \t]*{_WORDS}-->"),
    "restructuredtext": re.compile(rf"^[ \t]*\.\.[ \t]+{_WORDS}$", re.MULTILINE),
    "latex": re.compile(rf"%[ \t]*{_WORDS}$", re.MULTILINE),
    "asciidoc": re.compile(rf"^//[ \t]*{_WORDS}$", re.MULTILINE),
    "notebook": re.compile(rf"<!--[ \t]*{_WORDS}-->"),
}


class Switches:
    """Where in a file which codes are off."""

    def __init__(self, source: Source) -> None:
        comment = _COMMENTS.get(source.format)
        self._found: list[tuple[int, bool, tuple[str, ...]]] = []
        if comment and "acronyms:" in source.source:
            for one in comment.finditer(source.source.replace("\r", " ")):
                codes = tuple(one["codes"].replace(",", " ").split()) or ("",)
                self._found.append((one.start(), one["way"] == "off", codes))

    def off(self, offset: int, code: str) -> bool:
        """Whether findings of a code are off at an offset of the original: the last switch before
        it, of this code or of all, says so."""
        before = bisect_right(self._found, offset, key=lambda one: one[0])
        of_it = (off for _, off, codes in reversed(self._found[:before]) if code.startswith(codes))
        return next(of_it, False)
