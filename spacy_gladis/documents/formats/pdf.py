"""Reader of PDF files, which uses pypdf. Positions in a document are pages."""

import logging
import os
import re
import time
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, BinaryIO

from ...errors import FormatError, require, wrap_parser_errors
from ..builder import TextBuilder, visible_runs
from ..lists import kind_of_section
from ..source import Source
from .line_ends import broken_words
from .paragraphs import Line
from .plain import mark_lists

_OPERATOR = re.compile(r"[=+\u2212\u00d7\u2211\u222b<>\u2264\u2265\u2192\uf000-\uf0ff]")
_APPENDIX = re.compile(r"\s*(?:appendi(?:x|ces)|supplement\w*)\b.{0,60}\s*", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,}")
_ANY_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_WORD = 24  # letters of nearly all words
_MOST_LONGER = 0.01  # maximum share of longer words; files without spaces have more
_SECONDS, _SECONDS_A_BYTE = 5.0, 5e-5
"""Limits of the CPU time in seconds: a constant part, and a part for each byte of the file. Even a
small file may repeat pages and forms many times."""


def read_pdf(file: Path | BinaryIO) -> Source:
    """Read the texts of the pages of a PDF file. Lines that consist of formulas are left out.

    Words that are broken at line ends are rejoined.

    Args:
        file: Path of the file, or a file opened for reading bytes.

    Returns:
        The document as plain text. The line of a position is the number of the page.

    Raises:
        FormatError: If the file isn't a valid PDF file, is encrypted, or takes too long to read.
    """
    pypdf = require("pypdf", "documents")
    logging.getLogger("pypdf").setLevel(logging.ERROR)  # it warns about every unusual font
    with wrap_parser_errors("not a readable PDF file"):
        pages = _texts(pypdf.PdfReader(file))
    # A page is a line of the original, of the same length as its text.
    pages = ["\n".join(page.splitlines()).encode("utf-8", "replace").decode() for page in pages]
    builder = TextBuilder("\n".join(page.replace("\n", " ") for page in pages))
    start = 0
    lines = []  # with their offsets in the text
    for page in pages:
        written = page.splitlines(keepends=True)
        places = list(pairwise(accumulate(map(len, written), initial=0)))
        for line, runs in zip(written, visible_runs(places, broken_words(page)), strict=True):
            begin = builder.end
            for left, right in () if _is_formula(line) else runs:
                builder.replace(page[left:right], start + left, start + right)
            lines.append(Line(begin, builder.end, line))
        start += len(page)
        builder.glue("\n\n")
        start += 1
    mark_lists(builder, lines)
    _mark_references(builder, lines)
    if _lacks_spaces(pages):
        builder.region("code", 0)
    return builder.source("pdf").at(unit="page")


def _texts(reader: Any) -> list[str]:
    """Return the texts of the pages, or raise an error if this takes too long."""
    size = reader.stream.seek(0, os.SEEK_END)
    get_object, most = reader.get_object, _SECONDS + _SECONDS_A_BYTE * size
    began = time.thread_time()

    def check() -> None:
        if time.thread_time() - began > most:
            raise FormatError(
                f"reading its {size:,} bytes takes more than {most:.0f} seconds. Split it."
            )

    def in_time(reference: Any) -> Any:
        check()
        return get_object(reference)

    reader.get_object = in_time  # called for each use of a page or form
    texts = []
    for page in reader.pages:
        texts.append(page.extract_text())
        check()  # pypdf suppresses errors in forms
    return texts


def _mark_references(builder: TextBuilder, lines: list[Line]) -> None:
    """Mark the list of references, from its title to an appendix or the end of the file.

    The last line with a title such as `References` counts, because an earlier line may belong to
    the table of contents.
    """
    matches = [
        number
        for number, line in enumerate(lines)
        if kind_of_section(line.text) == "bibliography" and line.text.strip()[-1].isalpha()
    ]
    for line in lines[matches[-1] :] if matches else ():
        if line is lines[matches[-1]] or _APPENDIX.fullmatch(line.text):
            builder.title(line.start, 1, line.end)


def _lacks_spaces(pages: list[str]) -> bool:
    """Return whether spaces are missing between words, so that the text can't be used."""
    lengths = [len(word) for page in pages for word in _ANY_WORD.findall(page)]
    longer = sum(length > _LONGEST_WORD for length in lengths)
    return longer > _MOST_LONGER * len(lengths)


def _is_formula(line: str) -> bool:
    """Return whether a line mostly consists of signs and single letters, as a formula does."""
    parts = line.split()
    words = sum(bool(_WORD.search(part)) for part in parts)
    return bool(_OPERATOR.search(line)) and words * 3 < len(parts)
