"""The published GLADIS format, streamed: `{"AI": [["artificial intelligence", 123], ...], ...}`."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..errors import FormatError, InputError
from ..files import writing
from ..problem import Problem, Report, log_problem
from .candidate import Group, Row, clean_row, total

CHUNK = 1 << 20  # characters
LONGEST_MEMBER = 1 << 27  # characters; what does not end within is not a dictionary
_SPACE = re.compile(r"[ \t\r\n]*")


def read_published(path: Path, source: str, report: Report = log_problem) -> Iterator[Row]:
    """Yield the rows of a file in the published format, `source` as the source of all.

    Lists of long forms without counts are read as well (count 1). A bad entry is reported with
    its line and left out. Raises `FormatError` where the file is not a JSON object or ends early.
    """
    for line, acronym, entries in _read_members(path):
        if not isinstance(entries, list):
            kind = type(entries).__name__
            problem = f"{acronym!r} has no list of long forms but a value of type {kind}"
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
    """Write groups in the published format, an acronym a line; sources are summed."""
    with writing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        separator = "{\n"
        for acronym, entries in groups:
            pairs = [[entry[0], total(entry)] for entry in entries]
            name, value = (json.dumps(part, ensure_ascii=False) for part in (acronym, pairs))
            file.write(f"{separator}{name}: {value}")
            separator = ",\n"
        file.write("{}\n" if separator == "{\n" else "\n}\n")


def _read_members(path: Path) -> Iterator[tuple[int, str, Any]]:
    """Yield `(line, key, value)` of a JSON object, holding one member and a chunk at a time."""
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
            raise text.error("there is text behind the end of the object")


class _JsonText:
    """A JSON text, decoded value by value from a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 1
        # Bytes that are not UTF-8 become lone surrogates: a bad entry, not the end of the job.
        self.file = path.open(encoding="utf-8-sig", errors="surrogateescape", newline="")
        self._decoder = json.JSONDecoder()
        self._text = ""
        self._at = 0

    def peek(self) -> str:
        """The next character that is not a space; empty at the end of the file."""
        while True:
            self._move(_SPACE.match(self._text, self._at).end())  # type: ignore[union-attr]
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill():
                return ""

    def expect(self, characters: str) -> str:
        """Take the next character, which must be one of these."""
        found = self.peek()
        if not found or found not in characters:
            wanted = " or ".join(characters)
            raise self.error(f"expected {wanted}, found {found or 'the end of the file'}")
        self._move(self._at + 1)
        return found

    def value(self) -> Any:
        """Take the next value, reading on until it is whole."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
                # A number may go on behind the text that has been read.
                if end < len(self._text) or not self._fill():
                    self._move(end)
                    return value
            except (ValueError, RecursionError) as error:  # noqa: PERF203
                size = len(self._text) - self._at
                # Nested too deeply, or a number of too many digits: more text helps neither.
                whole = not isinstance(error, json.JSONDecodeError)
                if whole or size > LONGEST_MEMBER or not self._fill():
                    raise self.error(str(error)) from error

    def error(self, what: str) -> FormatError:
        return FormatError(
            f"{self.path}, line {self.line}: {what}. Expected the published dictionary format, "
            '{"AI": [["artificial intelligence", 123], ...], ...}. Check that the file is whole.'
        )

    def _move(self, end: int) -> None:
        self.line += self._text.count("\n", self._at, end)
        self._at = end

    def _fill(self) -> bool:
        """Read on, each time as much again as is waiting, so that the work stays linear."""
        waiting = self._text[self._at :]
        more = self.file.read(max(CHUNK, len(waiting)))
        self._text, self._at = waiting + more, 0
        return bool(more)
