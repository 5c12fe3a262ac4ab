"""Read and write dictionaries in the JSON format in which GLADIS was published.

A file is an object that maps each acronym to pairs of a long form and its count, such as `{"AI":
[["artificial intelligence", 123], ...], ...}`. Files are read and written as streams, so they may
be larger than memory.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..errors import FormatError, InputError
from ..files import writing
from ..problem import Problem, Report, log_problem
from .candidate import Group, Row, clean_row, total

CHUNK = 1 << 20  # number of characters that are read at once
LONGEST_MEMBER = 1 << 27  # in characters; a file with a longer value is not a dictionary
_SPACE = re.compile(r"[ \t\r\n]*")


def read_published(path: Path, source: str, report: Report = log_problem) -> Iterator[Row]:
    """Read the rows of a dictionary in the published GLADIS format.

    The format is a JSON object such as `{"AI": [["artificial intelligence", 123], ...], ...}`. A
    long form may also be given without a count, which is then 1.

    Args:
        path: Path of the JSON file. It may be larger than memory.
        source: Name of the source of all rows, because the format has no sources.
        report: Function that is called with a `Problem` for each invalid entry, which is then
            skipped.

    Yields:
        The rows of acronym, long form, source and count, in the order of the file.

    Raises:
        FormatError: If the file is not a JSON object, or is truncated.
    """
    for line, acronym, entries in _read_members(path):
        if not isinstance(entries, list):
            kind = type(entries).__name__
            problem = f"{acronym!r} has a value of type {kind}, expected a list of long forms"
            report(Problem("bad entry", str(path), line, problem))
            continue
        for entry in entries:
            try:
                long_form, count = (entry, 1) if isinstance(entry, str) else entry
                if not isinstance(long_form, str):
                    raise InputError("the long form is not a string")
                row = clean_row(acronym, long_form, source, count)
            except (InputError, TypeError, ValueError) as error:  # noqa: PERF203
                problem = f"{acronym!r}: {entry!r:.200} is not [long form, count]: {error}"
                report(Problem("bad entry", str(path), line, problem))
            else:
                yield row


def write_published(groups: Iterable[Group], path: Path) -> None:
    """Write the acronyms and long forms of a dictionary in the published GLADIS format.

    The file is a JSON object with one acronym on each line, such as `"AI": [["artificial
    intelligence", 123]]`. Sources are not written.

    Args:
        groups: Acronyms with their long forms and counts by source. The counts of a long form are
            added up.
        path: Path of the JSON file to write.
    """
    with writing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        separator = "{\n"
        for acronym, entries in groups:
            pairs = [[entry[0], total(entry)] for entry in entries]
            name, value = (json.dumps(part, ensure_ascii=False) for part in (acronym, pairs))
            file.write(f"{separator}{name}: {value}")
            separator = ",\n"
        file.write("{}\n" if separator == "{\n" else "\n}\n")


def _read_members(path: Path) -> Iterator[tuple[int, str, Any]]:
    """Yield line, key and value of each member of a JSON object, without reading it at once."""
    text = _JsonText(path)
    with text.file:
        text.expect("{")
        if text.peek() == "}":
            text.expect("}")
        else:
            separator = ","
            while separator == ",":
                text.peek()
                line, key = text.line, text.value()
                if not isinstance(key, str):
                    raise text.error(f"found {key!r:.50} where an acronym in quotes is expected")
                text.expect(":")
                yield line, key, text.value()
                separator = text.expect(",}")
        if text.peek():
            raise text.error("there is text after the end of the object")


class _JsonText:
    """A JSON file of any size, which is read and decoded value by value."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 1
        # Invalid UTF-8 becomes lone surrogates, so that only its entry is invalid.
        self.file = path.open(encoding="utf-8-sig", errors="surrogateescape", newline="")
        self._decoder = json.JSONDecoder()
        self._text = ""
        self._at = 0

    def peek(self) -> str:
        """Return the next character that is not white space, or an empty string at the end."""
        while True:
            self._move(_SPACE.match(self._text, self._at).end())  # type: ignore[union-attr]
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill():
                return ""

    def expect(self, characters: str) -> str:
        """Read the next character, and raise an error if it is not one of `characters`."""
        character = self.peek()
        if not character or character not in characters:
            expected = " or ".join(characters)
            raise self.error(f"expected {expected}, found {character or 'the end of the file'}")
        self._move(self._at + 1)
        return character

    def value(self) -> Any:
        """Read and decode the next JSON value."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
                # A number may continue in the next chunk.
                if end < len(self._text) or not self._fill():
                    self._move(end)
                    return value
            except (ValueError, RecursionError) as error:  # noqa: PERF203
                size = len(self._text) - self._at
                # More text cannot fix deep nesting or a number with too many digits.
                is_final = not isinstance(error, json.JSONDecodeError)
                if is_final or size > LONGEST_MEMBER or not self._fill():
                    raise self.error(str(error)) from error

    def error(self, problem: str) -> FormatError:
        return FormatError(
            f"{self.path}, line {self.line}: {problem}. Expected the published dictionary format, "
            '{"AI": [["artificial intelligence", 123], ...], ...}. Check that the file is complete.'
        )

    def _move(self, end: int) -> None:
        self.line += self._text.count("\n", self._at, end)
        self._at = end

    def _fill(self) -> bool:
        """Read at least as much text as is left, so that the total running time is linear."""
        rest = self._text[self._at :]
        more = self.file.read(max(CHUNK, len(rest)))
        self._text, self._at = rest + more, 0
        return bool(more)
