"""Findings that are passed over: by comments in the file, or because an earlier run told them."""

import json
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ..documents.source import Source
from ..errors import FormatError, InputError
from .finding import Finding

Told = tuple[str, str, str]
"""A file, a code and an acronym: what a finding is known by, wherever in the file it stands."""

_WORDS = r"acronyms:[ \t]*(?P<way>off|on|ignore-next-line|ignore)\b(?!-)(?P<codes>[A-Z0-9, \t]*)"
_COMMENTS = {
    "text": re.compile(rf"(?:^[ \t]*|(?:#|//|;)[ \t]*){_WORDS}$", re.MULTILINE),
    "markdown": re.compile(rf"(?:<!--|\{{/\*)[ \t]*{_WORDS}(?:-->|\*/\}})"),  # the second is MDX's
    "html": re.compile(rf"<!--[ \t]*{_WORDS}-->"),
    "restructuredtext": re.compile(rf"^[ \t]*\.\.[ \t]+{_WORDS}$", re.MULTILINE),
    "latex": re.compile(rf"%[ \t]*{_WORDS}$", re.MULTILINE),
    "asciidoc": re.compile(rf"^//[ \t]*{_WORDS}$", re.MULTILINE),
    "notebook": re.compile(rf"<!--[ \t]*{_WORDS}-->"),
}
_NOT_BLANK = re.compile(r"\S")


class Switches:
    """Comments of a file that switch rules off: from there on, in their line, in the next one."""

    def __init__(self, source: Source) -> None:
        """Read the comments of a file.

        Args:
            source: The file's text, in a format that has comments.
        """
        comment = _COMMENTS.get(source.format)
        self._source = source
        self._ways: list[tuple[int, bool, tuple[str, ...]]] = []
        self._lines: dict[int, list[str]] = {}
        if not comment or "acronyms:" not in source.source:
            return
        for found in comment.finditer(source.source.replace("\r", " ")):
            codes = tuple(found["codes"].replace(",", " ").split()) or ("",)
            if found["way"] in ("off", "on"):
                self._ways.append((found.start(), found["way"] == "off", codes))
            elif (line := self._line_of(found)) is not None:
                self._lines.setdefault(line, []).extend(codes)

    def _line_of(self, comment: re.Match[str]) -> int | None:
        """The line that a comment speaks of: its own, or the next one that is not blank."""
        at = comment.start("way")
        if comment["way"] == "ignore-next-line":
            line_end = comment.string.find("\n", comment.end())
            following = _NOT_BLANK.search(comment.string, line_end) if line_end >= 0 else None
            if following is None:
                return None
            at = following.start()
        return self._source.position_of_original(at).line

    def off(self, offset: int, code: str) -> bool:
        """Return whether findings of a code are passed over at an offset of the original.

        The last comment `off` or `on` before it decides that names the code or no code, unless a
        comment ignores the whole line.
        """
        if self._lines:
            line = self._source.position_of_original(offset).line
            if any(map(code.startswith, self._lines.get(line, ()))):
                return True
        before = bisect_right(self._ways, offset, key=lambda one: one[0])
        of_it = (off for _, off, codes in reversed(self._ways[:before]) if code.startswith(codes))
        return next(of_it, False)


def read_baseline(path: Path) -> Counter[Told]:
    """How often an earlier run told each finding; the file is its output in JSON.

    Raises InputError for a file that is not there, FormatError for one that is no such output.
    """
    try:
        records = json.loads(path.read_text("utf-8-sig"))
        return Counter(_told(one["path"], one["code"], one["acronym"]) for one in records)
    except OSError as error:
        raise InputError(f"{path} is no baseline that can be read: {error.strerror}.") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise FormatError(
            f"{path} is no baseline. Make one: spacy-gladis lint PATHS --format json > {path}"
        ) from None


def beyond(findings: Iterable[Finding], baseline: Mapping[Told, int]) -> Iterator[Finding]:
    """The findings that are not in a baseline, or more often than there: the last ones, then."""
    left = Counter(baseline)
    for one in findings:
        told = _told(one.path, one.code, one.acronym)
        left[told] -= 1
        if left[told] < 0:
            yield one


def _told(path: str, code: str, acronym: str) -> Told:
    return os.path.relpath(path), code, acronym
