"""Findings that are passed over: by comments in the file, or because an earlier run told them."""

import json
import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..documents.source import Source
from ..errors import FormatError, InputError

if TYPE_CHECKING:
    from .finding import Finding

Told = tuple[str, str, str]
"""A file, a code and an acronym: what a finding is known by, wherever in the file it stands."""

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


def beyond(findings: "Iterable[Finding]", baseline: Mapping[Told, int]) -> "Iterator[Finding]":
    """The findings that are not in a baseline, or more often than there: the last ones, then."""
    left = Counter(baseline)
    for one in findings:
        told = _told(one.path, one.code, one.acronym)
        left[told] -= 1
        if left[told] < 0:
            yield one


def _told(path: str, code: str, acronym: str) -> Told:
    return os.path.relpath(path), code, acronym
