"""Data files as lines and JSON records, in UTF-8, plain or compressed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...documents.lines import read_lines
from ...errors import FormatError


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a file without their ends; blank ones too."""

    def fail(problem: object) -> None:
        raise FormatError(str(problem))

    number = 0
    try:
        for number, line in read_lines(path, fail):
            yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r")
    except UnicodeDecodeError as error:
        raise FormatError(f"{path}:{number} is not UTF-8 ({error}): convert it first.") from error


def first_line(path: Path) -> str:
    """The first line that is not blank; empty when there is none."""
    return next((line for line in text_lines(path) if line.strip()), "")


def load_json(path: Path) -> list[dict[str, Any]]:
    """The records of a JSON list; raises FormatError where the file is none."""
    try:
        loaded: list[dict[str, Any]] = json.loads("\n".join(text_lines(path)))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is no JSON list: {error}.") from error
    return loaded


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The records of JSON lines; raises FormatError, naming the line, for one that is none."""
    for number, line in enumerate(text_lines(path), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError as error:
                raise FormatError(f"{path}:{number} is no JSON object: {error}.") from error
