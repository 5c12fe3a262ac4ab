"""Files of benchmarks, and of systems' answers to them."""

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
    """The report for files that must be whole: every problem raises FormatError."""
    raise FormatError(str(problem))


def md5_of(path: Path) -> str:
    """Hash a file's content, in hexadecimal digits."""
    digest = hashlib.md5(usedforsecurity=False)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def text_lines(path: Path, report: Report = fail) -> Iterator[str]:
    """The lines of a file without their ends, blank ones too; a damaged file goes to `report`."""
    for number, raw in read_lines(path, report):
        line = raw.decode("utf-8-sig" if number == 1 else "utf-8", "replace")
        if "\ufffd" in line and "\ufffd".encode() not in raw:
            report(Problem("not UTF-8", str(path), number, "convert the file to UTF-8"))
        yield line.rstrip("\r")


def first_line(path: Path) -> str:
    """The first line that is not blank; empty when there is none."""
    return next((line for line in text_lines(path) if line.strip()), "")


def json_list(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON list, at least one.

    Raises InputError where the file cannot be read, FormatError where it holds no such list.
    """
    if not path.is_file():
        raise InputError(f"{path} cannot be read: there is no such file.")
    text = "\n".join(text_lines(path))
    try:
        items = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not a JSON list: {error}.") from error
    if not isinstance(items, list) or not items or not all(isinstance(i, dict) for i in items):
        raise FormatError(f"{path}: expected a JSON list of objects that is not empty.")
    return items


def json_items(path: Path, kind: type[T]) -> Iterator[tuple[int, T]]:
    """The objects of a JSON list with their numbers from 0, each validated as a `kind`.

    Raises FormatError, with the item, for one that is none.
    """
    items = json_list(path)
    try:
        yield from enumerate(TypeAdapter(list[kind]).validate_python(items))  # type: ignore[valid-type]
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        number, *place = first["loc"]
        name = items[int(number)].get("id", items[int(number)].get("ID", "no id"))
        given = f", got {first['input']!r:.80}" if isinstance(first["input"], str) else ""
        raise FormatError(
            f"{path}, item {number} ({name}): {'.'.join(map(str, place))}: {first['msg']}{given}."
        ) from error


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of JSON lines with their line numbers; raises FormatError for what is none."""
    for number, line in enumerate(text_lines(path), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise FormatError(f"{path}:{number} is not a JSON object: {error}.") from error


def json_records(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a JSON list or of JSON lines."""
    if first_line(path).lstrip().startswith("["):
        yield from json_list(path)
    else:
        yield from (record for _, record in json_lines(path))


def table_rows(
    path: Path, report: Report, columns: Sequence[str], **form: Any
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table with named columns, each with the number of its last line.

    form: `csv.reader`'s, such as `quoting`; columns are separated by tabs if the first line has
    one, else by commas. Raises FormatError where one of `columns` is missing; a row that breaks the
    format goes to `report`, and the others are read.
    """
    lines = text_lines(path, report)
    first = next(lines, "")
    form["delimiter"] = "\t" if "\t" in first else ","
    try:
        header = next(csv.reader([first], **form), [])
    except csv.Error as error:
        raise FormatError(f"{path} has no row of column names: {error}.") from None
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
"""What stands where there is no id."""

_SEPARATORS = re.compile(r"[|+,;]")


def split_ids(cell: str) -> tuple[str, ...]:
    """The ids of a cell; `|` and `+` join those of a phrase that names several concepts."""
    ids = (one.strip() for one in _SEPARATORS.split(cell))
    return tuple(dict.fromkeys(one for one in ids if one.lower() not in NONE))


Record = Mapping[str, Any]


def write_answers(
    folder: Path | None, set_name: str, name: str, answers: Sequence[Record | str]
) -> None:
    """Write answers into a folder: `SET-NAME.jsonl` for records, `SET-NAME.txt` for lines.

    Args:
        folder: The folder; None writes nothing.
        set_name: The name of the data set.
        name: The name of the system.
        answers: An answer for each row.
    """
    if folder is None:
        return
    lines = [
        one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in answers
    ]
    stem = re.sub(r"[^\w.]+", "-", f"{set_name} {name}").strip("-")
    suffix = "txt" if any(isinstance(one, str) for one in answers) else "jsonl"
    write_text(folder / f"{stem}.{suffix}", "".join(f"{line}\n" for line in lines))
