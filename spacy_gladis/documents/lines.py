"""Stream the lines of plain or compressed files and the rows of tables.

Memory does not grow with the file.
"""

import bz2
import csv
import gzip
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from ..errors import require
from ..problem import Problem, Report, log_problem

CHUNK = 1 << 18
"""Bytes to read at once."""
MAX_LINE = 1 << 26
"""Maximum bytes of a line. Longer lines are reported as problems."""

DAMAGE = (EOFError, OSError, zlib.error)
"""Errors that `read_chunks` raises if a file is damaged or unreadable."""
COMPRESSIONS = (".zst", ".gz", ".bz2")
"""Endings of compressed files."""


class TableRow(NamedTuple):
    """A row of a table.

    Attributes:
        line: Number of its first line, from 1.
        written: The row as written, possibly on several lines.
        cells: The values of the cells.
    """

    line: int
    written: str
    cells: list[str]


def table_rows(
    lines: Iterable[str], path: Path, report: Report, delimiter: str = ",", first: int = 1
) -> Iterator[TableRow]:
    """Parse the rows of a table with quoted cells. Invalid rows are reported and skipped.

    Args:
        lines: The lines with their ends.
        path: The file that the lines come from, for reports.
        report: Receives the problems.
        delimiter: The character between cells.
        first: Number of the first line.

    Yields:
        The rows, in order.
    """
    row_lines: list[str] = []
    is_at_end = False

    def recorded() -> Iterator[str]:
        nonlocal is_at_end
        for line in lines:
            row_lines.append(line)
            yield line
        is_at_end = True

    reader = csv.reader(recorded(), delimiter=delimiter)
    while not is_at_end:
        line = reader.line_num + first
        row_lines.clear()
        try:
            cells = next(reader, None)
        except csv.Error as error:
            report(Problem("bad row", str(path), line, str(error)))
            continue
        if cells is not None and is_at_end:  # an open quote consumed the remaining lines
            report(Problem("bad row", str(path), line, "a quotation mark is not closed"))
        elif cells is not None:
            yield TableRow(line, "".join(row_lines), cells)


def read_lines(
    path: Path, report: Report = log_problem, first: int = 1
) -> Iterator[tuple[int, bytes]]:
    """Read the lines of a plain, .zst, .gz or .bz2 file, without UTF-8's byte-order mark.

    A damaged or truncated file gives its complete lines and then one problem.

    Args:
        path: The file.
        report: Receives the problems.
        first: Number of the first line.

    Yields:
        The line's number and the line without its end.
    """
    number = first
    parts: list[bytes] = []  # of a line that spans several chunks
    size = 0
    try:
        for chunk in _without_mark(read_chunks(path)):
            head, *rest = chunk.split(b"\n")
            parts.append(head)
            size += len(head)
            if size > MAX_LINE:
                parts = []
            for beginning in rest:
                if size > MAX_LINE:
                    report(Problem("line too long", str(path), number, f"{size:,} bytes"))
                else:
                    yield number, b"".join(parts)
                number += 1
                parts, size = [beginning], len(beginning)
    except DAMAGE as error:
        report(Problem("damaged file", str(path), number, str(error) or type(error).__name__))
        return
    if size > MAX_LINE:
        report(Problem("line too long", str(path), number, f"{size:,} bytes"))
    elif size:
        yield number, b"".join(parts)


def read_chunks(path: Path) -> Iterator[bytes]:
    """Read a file in decompressed chunks. A damaged file gives its valid part first.

    Args:
        path: The file, plain or compressed.

    Yields:
        Chunks of bytes.

    Raises:
        EOFError: If the file is truncated.
        OSError: If the file cannot be read or is damaged.
        zlib.error: If the file is damaged.
    """
    with path.open("rb") as file:
        if path.suffix == ".zst":
            yield from _zstd_chunks(file)
            return
        opened: IO[bytes] = file
        if path.suffix == ".gz":
            opened = gzip.GzipFile(fileobj=file)  # type: ignore[assignment]
        elif path.suffix == ".bz2":
            opened = bz2.BZ2File(file)
        while chunk := opened.read(CHUNK):
            yield chunk


def _without_mark(chunks: Iterator[bytes]) -> Iterator[bytes]:
    yield next(chunks, b"").removeprefix(BOM_UTF8)
    yield from chunks


def _zstd_chunks(file: IO[bytes]) -> Iterator[bytes]:
    # stream_reader ignores that a file is truncated. decompressobj detects it.
    zstandard = require("zstandard", "corpus")
    decompressor = zstandard.ZstdDecompressor(max_window_size=1 << 31)
    frame = None
    data = file.read(CHUNK)
    try:
        while data:
            frame = frame or decompressor.decompressobj()
            chunk = frame.decompress(data)
            if chunk:
                yield chunk
            if frame.eof:
                data = frame.unused_data or file.read(CHUNK)
                frame = None
            else:
                data = file.read(CHUNK)
    except zstandard.ZstdError as error:
        raise EOFError(str(error)) from error
    if frame is not None:
        raise EOFError("the file ends inside a compressed frame")
