"""Read the lines of plain and compressed files, and the rows of tables.

Files are read as streams, so memory use doesn't grow with the size of a file.
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
"""Number of bytes of a file that are read at once."""
MAX_LINE = 1 << 26
"""Maximum number of bytes in a line. Longer lines are skipped and reported as problems."""

DAMAGE = (EOFError, OSError, zlib.error)
"""Errors that `read_chunks` raises if a file is damaged or can't be read."""
COMPRESSIONS = (".zst", ".gz", ".bz2")
"""Endings of the names of compressed files that can be read."""


class TableRow(NamedTuple):
    """A row of a CSV or TSV table, with the line on which it begins.

    Attributes:
        line: Number of the row's first line in the file, counted from 1.
        written: The row as it is written in the file, including delimiters, quotation marks and
            line ends. A quoted cell may span several lines.
        cells: The values of the cells, without delimiters and quotation marks.
    """

    line: int
    written: str
    cells: list[str]


def table_rows(
    lines: Iterable[str], path: Path, report: Report, delimiter: str = ",", first: int = 1
) -> Iterator[TableRow]:
    """Parse the lines of a CSV or TSV table to rows. Cells can be quoted and span several lines.

    Invalid rows are reported as problems and skipped.

    Args:
        lines: The lines of the table, including their line ends.
        path: Path of the file from which the lines come, for the reports.
        report: Function that is called with a `Problem` for each invalid row.
        delimiter: The character between cells.
        first: Number of the first of the lines in the file.

    Yields:
        The valid rows, in the order of the file.
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
    """Read the lines of a plain or compressed file, without a UTF-8 byte-order mark.

    A file whose name ends with .zst, .gz or .bz2 is decompressed. From a damaged or truncated file,
    all complete lines are read, and then one problem is reported.

    Args:
        path: Path of the file.
        report: Function that is called with a `Problem` for each line that is too long, and for a
            damaged file. By default, problems are logged.
        first: Number to give to the first line.

    Yields:
        The number of each line, and the line as bytes without its line end.
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
    """Read a plain or compressed file as a sequence of decompressed chunks.

    A file whose name ends with .zst, .gz or .bz2 is decompressed. From a damaged file, the chunks
    before the damage are read before the error is raised.

    Args:
        path: Path of the file.

    Yields:
        The decompressed chunks, as bytes.

    Raises:
        EOFError: If the file is truncated, or a .zst file is damaged.
        OSError: If the file can't be read or is damaged.
        zlib.error: If a .gz file is damaged.
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
