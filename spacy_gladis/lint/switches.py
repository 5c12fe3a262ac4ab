"""Comments in a file that switch findings off, and on again."""

import re
from bisect import bisect_right

from ..documents.source import Source

_WORDS = r"acronyms:[ \t]*(?P<way>off|on)\b(?P<codes>[A-Z0-9, \t]*)"
_COMMENTS = {
    "text": r"^[ \t]*(?:#|//|;)?[ \t]*{}[ \t]*$",
    "markdown": r"(?:<!--|\{{/\*)[ \t]*{}(?:-->|\*/\}})",  # the second is MDX's
    "html": r"<!--[ \t]*{}-->",
    "restructuredtext": r"^[ \t]*\.\.[ \t]+{}$",
    "latex": r"%[ \t]*{}$",
    "asciidoc": r"^//[ \t]*{}$",
    "notebook": r"<!--[ \t]*{}-->",
}


class Switches:
    """Where in a file which codes are off."""

    def __init__(self, source: Source) -> None:
        comment = _COMMENTS.get(source.format)
        self._found: list[tuple[int, bool, tuple[str, ...]]] = []
        self._of_code: dict[str, list[tuple[int, bool]]] = {}
        if comment and "acronyms:" in source.source:
            pattern = re.compile(comment.format(_WORDS), re.MULTILINE)
            for one in pattern.finditer(source.source.replace("\r", " ")):
                codes = tuple(one["codes"].replace(",", " ").split()) or ("",)
                self._found.append((one.start(), one["way"] == "off", codes))

    def off(self, offset: int, code: str) -> bool:
        """Whether findings of a code are off at an offset of the original: the last switch before
        it, of this code or of all, says so."""
        if code not in self._of_code:
            of_it = ((at, off) for at, off, codes in self._found if code.startswith(codes))
            self._of_code[code] = list(of_it)
        before = bisect_right(self._of_code[code], (offset, True))
        return before > 0 and self._of_code[code][before - 1][1]
