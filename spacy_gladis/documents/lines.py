"""The lines of a plain or compressed file, and the rows of a table, streamed: memory does not grow
with the file."""

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

CHUNK = 1 << 18  # bytes read at once
MAX_LINE = 1 << 26  # bytes; a longer line is a problem, not a memory error

DAMAGE = (EOFError, OSError, zlib.error)
"""What `read_chunks` raises of a file that is damaged or cannot be read."""
COMPRESSIONS = (".zst", ".gz", ".bz2")


class TableRow(NamedTuple):
    """A row of a table, the number of its first line, and how it is written, on one or several."""

    line: int
    written: str
    cells: list[str]


def table_rows(
    lines: Iterable[str], path: Path, report: Report, delimiter: str = ",", first: int = 1
) -> Iterator[TableRow]:
    """Yield the rows of a table with quotation marks; what is none is reported and left out.

    path: whose lines they are, for reports. first: the number of the first one.
    """
    held: list[str] = []
    ended = False

    def watched() -> Iterator[str]:
        nonlocal ended
        for line in lines:
            held.append(line)
            yield line
        ended = True

    reader = csv.reader(watched(), delimiter=delimiter)
    while not ended:
        line = reader.line_num + first
        held.clear()
        try:
            cells = next(reader, None)
        except csv.Error as error:
            report(Problem("bad row", str(path), line, str(error)))
            continue
        if cells is not None and ended:  # a row that looked for its own end
            report(Problem("bad row", str(path), line, "a quotation mark is not closed"))
        elif cells is not None:
            yield TableRow(line, "".join(held), cells)


def read_lines(
    path: Path, report: Report = log_problem, first: int = 1
) -> Iterator[tuple[int, bytes]]:
    """Yield `(line number from `first`, line without its end)` of a plain, .zst, .gz or .bz2 file,
    without UTF-8's byte-order mark.

    A file that ends too early or is damaged gives its whole lines and then one problem.
    """
    number = first
    parts: list[bytes] = []  # of a line that runs over several chunks
    held = 0
    try:
        for chunk in _without_mark(read_chunks(path)):
            head, *begun = chunk.split(b"\n")
            parts.append(head)
            held += len(head)
            if held > MAX_LINE:
                parts = []
            for beginning in begun:
                if held > MAX_LINE:
                    report(Problem("line too long", str(path), number, f"{held:,} bytes"))
                else:
                    yield number, b"".join(parts)
                number += 1
                parts, held = [beginning], len(beginning)
    except DAMAGE as error:
        report(Problem("damaged file", str(path), number, str(error) or type(error).__name__))
        return
    if held > MAX_LINE:
        report(Problem("line too long", str(path), number, f"{held:,} bytes"))
    elif held:
        yield number, b"".join(parts)


def read_chunks(path: Path) -> Iterator[bytes]:
    """Yield a file's decompressed bytes in chunks; a damaged file raises after its good part."""
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
    # stream_reader ends in silence where a file is cut off; decompressobj knows its frame's end.
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
