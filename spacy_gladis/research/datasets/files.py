"""Readers of common file formats of benchmarks, and a writer of systems' answers."""

import csv
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from ...documents.lines import read_lines
from ...errors import FormatError, InputError
from ...files import write_text
from ...problem import Problem, Report

T = TypeVar("T")


def fail(problem: object) -> None:
    """Raise FormatError for a problem.

    Used as the `report` function of readers whose files must not have invalid records.

    Args:
        problem: The problem.

    Raises:
        FormatError: Always.
    """
    raise FormatError(str(problem))


def md5_of(path: Path) -> str:
    """Compute the MD5 hash of a file's content.

    Args:
        path: Path of the file.

    Returns:
        The hash, in hexadecimal digits.
    """
    digest = hashlib.md5(usedforsecurity=False)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def text_lines(path: Path, report: Report = fail) -> Iterator[str]:
    """Read the lines of a text file, including blank lines.

    Args:
        path: Path of the file, plain or compressed.
        report: Called if the file is damaged or not UTF-8.

    Yields:
        The lines, without line ends.
    """
    for number, raw in read_lines(path, report):
        line = raw.decode("utf-8-sig" if number == 1 else "utf-8", "replace")
        if "\ufffd" in line and "\ufffd".encode() not in raw:
            report(Problem("not UTF-8", str(path), number, "convert the file to UTF-8"))
        yield line.rstrip("\r")


def first_line(path: Path) -> str:
    """Return the first non-blank line of a file, or an empty string if there is none.

    Args:
        path: Path of the file.
    """
    return next((line for line in text_lines(path) if line.strip()), "")


def json_list(path: Path) -> list[dict[str, Any]]:
    """Read a JSON list of objects.

    Args:
        path: Path of the file.

    Returns:
        The objects, at least one.

    Raises:
        InputError: If there is no such file.
        FormatError: If it contains no such list.
    """
    if not path.is_file():
        raise InputError(f"{path} does not exist.")
    text = "\n".join(text_lines(path))
    try:
        items = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not a JSON list: {error}.") from error
    if not isinstance(items, list) or not items or not all(isinstance(i, dict) for i in items):
        raise FormatError(f"{path}: expected a JSON list of objects that is not empty.")
    return items


def json_items(path: Path, kind: type[T]) -> Iterator[tuple[int, T]]:
    """Read and validate the objects of a JSON list.

    Args:
        path: Path of the file.
        kind: The type to validate as, for pydantic.

    Yields:
        `(number, object)`, numbered from 0.

    Raises:
        FormatError: If an object is invalid. The message names it.
    """
    items = json_list(path)
    try:
        yield from enumerate(TypeAdapter(list[kind]).validate_python(items))  # type: ignore[valid-type]
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        number, *place = first["loc"]
        name = items[int(number)].get("id", items[int(number)].get("ID", "no id"))
        value = f", got {first['input']!r:.80}" if isinstance(first["input"], str) else ""
        raise FormatError(
            f"{path}, item {number} ({name}): {'.'.join(map(str, place))}: {first['msg']}{value}."
        ) from error


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the records of a file with JSON lines.

    Args:
        path: Path of the file.

    Yields:
        `(line number, record)`, numbered from 1.

    Raises:
        FormatError: If a line is not JSON.
    """
    for number, line in enumerate(text_lines(path), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise FormatError(f"{path}:{number} is not a JSON object: {error}.") from error


def json_records(path: Path) -> Iterator[dict[str, Any]]:
    """Read the records of a file with a JSON list or JSON lines.

    Args:
        path: Path of the file.

    Yields:
        The records.
    """
    if first_line(path).lstrip().startswith("["):
        yield from json_list(path)
    else:
        yield from (record for _, record in json_lines(path))


def table_rows(
    path: Path, report: Report, columns: Sequence[str], **form: Any
) -> Iterator[tuple[int, dict[str, str]]]:
    """Read a table with named columns.

    Columns are separated by tabs if the first line has a tab, otherwise by commas.

    Args:
        path: Path of the file.
        report: Called with each invalid row. Invalid rows are skipped.
        columns: Names of the required columns.
        form: Options of `csv.reader`, such as `quoting`.

    Yields:
        `(number of the row's last line, cells by column)`.

    Raises:
        FormatError: If a column is missing.
    """
    lines = text_lines(path, report)
    first = next(lines, "")
    form["delimiter"] = "\t" if "\t" in first else ","
    try:
        header = next(csv.reader([first], **form), [])
    except csv.Error as error:
        raise FormatError(f"{path} has no header row: {error}.") from None
    if missing := set(columns) - set(header):
        raise FormatError(f"{path} has no column {', '.join(sorted(missing))}.")
    rows = csv.DictReader((f"{line}\n" for line in lines), header, restval="", **form)
    while True:
        try:
            row = next(rows)
        except StopIteration:  # noqa: PERF203 (the reader goes on behind a broken row)
            return
        except csv.Error as error:
            report(Problem("no row", str(path), rows.line_num + 1, str(error)))
        else:
            yield rows.line_num + 1, row


NONE = frozenset({"", "-1", "-", "nan", "no code", "cui_less"})
"""Lower-case values that stand for a missing id."""

_SEPARATORS = re.compile(r"[|+,;]")


def split_ids(cell: str) -> tuple[str, ...]:
    """Split a cell into concept ids.

    Args:
        cell: Ids separated by `|`, `+`, `,` or `;`. `|` and `+` join the ids of a phrase that has
            several concepts.

    Returns:
        The distinct ids, without those in `NONE`.
    """
    ids = (id.strip() for id in _SEPARATORS.split(cell))
    return tuple(dict.fromkeys(id for id in ids if id.lower() not in NONE))


Record = Mapping[str, Any]


def write_answers(
    folder: Path | None, set_name: str, name: str, answers: Sequence[Record | str]
) -> None:
    """Write a system's answers to `SET-NAME.jsonl` (records) or `SET-NAME.txt` (lines) in a folder.

    Args:
        folder: Folder to write to. With None, nothing is written.
        set_name: The name of the data set.
        name: The name of the system.
        answers: An answer for each row.
    """
    if folder is None:
        return
    lines = [
        answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        for answer in answers
    ]
    stem = re.sub(r"[^\w.]+", "-", f"{set_name} {name}").strip("-")
    suffix = "txt" if any(isinstance(answer, str) for answer in answers) else "jsonl"
    write_text(folder / f"{stem}.{suffix}", "".join(f"{line}\n" for line in lines))
