"""Readers of the file formats that benchmarks use, and a writer for the answers of systems."""

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
    """Raise an error for an invalid record of a file.

    Pass this function to a reader as `report` if the file must not have invalid records. Other
    functions count or log such records, and the reader skips them.

    Args:
        problem: Description of the invalid record, usually a `Problem`.

    Raises:
        FormatError: Always, with the description as its message.
    """
    raise FormatError(str(problem))


def md5_of(path: Path) -> str:
    """Compute the MD5 hash of a file's content, to check that it is the published file.

    The file is read in blocks, so its size may exceed the memory.

    Args:
        path: Path of the file.

    Returns:
        The hash as 32 hexadecimal digits in lower case.
    """
    digest = hashlib.md5(usedforsecurity=False)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def text_lines(path: Path, report: Report = fail) -> Iterator[str]:
    """Read the lines of a text file in UTF-8, including blank lines.

    Args:
        path: Path of the file, plain or compressed.
        report: Function that is called with a `Problem` if the file is damaged or not UTF-8. By
            default, it raises `FormatError`.

    Yields:
        The lines without their line ends. A byte order mark is removed.
    """
    for number, raw in read_lines(path, report):
        line = raw.decode("utf-8-sig" if number == 1 else "utf-8", "replace")
        if "\ufffd" in line and "\ufffd".encode() not in raw:
            report(Problem("not UTF-8", str(path), number, "convert the file to UTF-8"))
        yield line.rstrip("\r")


def first_line(path: Path) -> str:
    """Return the first line of a text file that is not blank, for recognizing its format.

    Args:
        path: Path of the file, plain or compressed.

    Returns:
        The line without its line end, or an empty string if all lines are blank.
    """
    return next((line for line in text_lines(path) if line.strip()), "")


def json_list(path: Path) -> list[dict[str, Any]]:
    """Read a file that contains a JSON list of objects.

    Args:
        path: Path of the file, plain or compressed.

    Returns:
        The objects as dictionaries. There is at least one.

    Raises:
        InputError: If the file does not exist.
        FormatError: If the file is not JSON, or its content is not a list of objects, or is an
            empty list.
    """
    if not path.is_file():
        raise InputError(f"{path} does not exist. Check the path of the JSON file.")
    text = "\n".join(text_lines(path))
    try:
        items = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not a JSON list: {error}.") from error
    if not isinstance(items, list) or not items or not all(isinstance(i, dict) for i in items):
        raise FormatError(
            f"{path} is not a JSON list of objects, or the list is empty. Expected [{{...}}, ...]."
        )
    return items


def json_items(path: Path, kind: type[T]) -> Iterator[tuple[int, T]]:
    """Read a JSON list of objects, and check that each object has the expected fields.

    Args:
        path: Path of the file, plain or compressed.
        kind: Pydantic model or other type that pydantic can validate. It declares the fields.

    Yields:
        Pairs of the object's number, counted from 0, and the object as an instance of `kind`.

    Raises:
        InputError: If the file does not exist.
        FormatError: If the file is not a JSON list of objects, or an object has an invalid field.
            The message names the object and the field.
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
    """Read the records of a JSON Lines file, which has one JSON object per line.

    Args:
        path: Path of the file, plain or compressed.

    Yields:
        Pairs of a line number, counted from 1, and the record of that line. Blank lines are
        skipped.

    Raises:
        FormatError: If a line is not JSON. The message names the line.
    """
    for number, line in enumerate(text_lines(path), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise FormatError(f"{path}:{number} is not a JSON object: {error}.") from error


def json_records(path: Path) -> Iterator[dict[str, Any]]:
    """Read the records of a file that is either a JSON list of objects or JSON Lines.

    Args:
        path: Path of the file, plain or compressed. A file that starts with ``[`` is read as a JSON
            list.

    Yields:
        The records as dictionaries, in file order.

    Raises:
        FormatError: If the file is neither of the two.
    """
    if first_line(path).lstrip().startswith("["):
        yield from json_list(path)
    else:
        yield from (record for _, record in json_lines(path))


def table_rows(
    path: Path, report: Report, columns: Sequence[str], **form: Any
) -> Iterator[tuple[int, dict[str, str]]]:
    """Read the rows of a table whose first line has the names of the columns.

    Columns are separated by tabs if the first line has a tab, and by commas otherwise.

    Args:
        path: Path of the file, plain or compressed.
        report: Function that is called with each row that can't be read. Such rows are skipped.
        columns: Names of the columns that the table must have. Other columns are read too.
        **form: Options of `csv.reader`, such as `quoting`.

    Yields:
        Pairs of a line number, that of the row's last line counted from 1, and a mapping from the
        names of columns to the cells of the row. Missing cells are empty.

    Raises:
        FormatError: If the table has no header, or lacks one of `columns`.
    """
    lines = text_lines(path, report)
    first = next(lines, "")
    form["delimiter"] = "\t" if "\t" in first else ","
    try:
        header = next(csv.reader([first], **form), [])
    except csv.Error as error:
        raise FormatError(
            f"The first line of {path} cannot be read as column names: {error}."
        ) from None
    if missing := set(columns) - set(header):
        raise FormatError(
            f"{path} has no column {', '.join(sorted(missing))}. Its first line must have the "
            "names of the columns."
        )
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
"""Values in lower case that stand for a missing concept id."""

_SEPARATORS = re.compile(r"[|+,;]")


def split_ids(cell: str) -> tuple[str, ...]:
    """Split the cell of a table into the ids of concepts.

    For example, ``"D003110|D009369"`` becomes ``("D003110", "D009369")``.

    Args:
        cell: Ids with one of the separators ``|``, ``+``, ``,`` and ``;`` between them.

    Returns:
        The ids in order, without repetitions and without values that stand for a missing id, such
        as ``"-1"``. Empty if no id is left.
    """
    ids = (id.strip() for id in _SEPARATORS.split(cell))
    return tuple(dict.fromkeys(id for id in ids if id.lower() not in NONE))


Record = Mapping[str, Any]


def write_answers(
    folder: Path | None, set_name: str, name: str, answers: Sequence[Record | str]
) -> None:
    """Write the answers of a system to a data set into a file, for inspecting them.

    The file's name combines the names of the data set and the system, such as `uad-bm25.jsonl`.

    Args:
        folder: Folder to write to. None writes nothing.
        set_name: Name of the data set.
        name: Name of the system, with its random seed if it has one.
        answers: Answer to each row of the data set. Mappings are written as JSON Lines, and strings
            as lines of a `.txt` file.
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
