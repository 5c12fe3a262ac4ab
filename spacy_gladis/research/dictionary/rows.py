"""The rows of all sources: acronym, long form, other spellings of it, source and count."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from ...concepts.readers import read_concepts
from ...documents.lines import read_lines
from ...errors import InputError
from ...rules.schwartz_hearst import align, is_acronym, is_long_form
from .glossary import Casing, clean_glossary
from .sources import Source

_MARKS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303"}
_ACCENT = re.compile(r"""\\(["'`^~])\{?([^\W\d_])\}?""")

GRADES = (2, 6, 20, 60, 200)
"""Pseudo-counts of a common list's grades 1 to 5: they order candidates beside documents."""

MOST = 20  # count of a glossary's row
COMMON_COLUMNS = ("acronym", "long_form", "common", "small", "spellings")


class Row(NamedTuple):
    """One entry as a source gives it."""

    acronym: str
    long_form: str
    source: str
    number: int
    spellings: tuple[str, ...] = ()


def text_rows(sources: list[Source]) -> Iterator[Row]:
    """What was counted in texts, by documents; all sources are in one file."""
    taken = {source.name for source in sources}
    for path in dict.fromkeys(source.path for source in sources):
        for line, (domain, acronym, long_form, documents) in _cells(path, 4):
            if domain in taken:
                yield Row(acronym, _accented(long_form), domain, _number(documents, path, line))


def glossary_rows(source: Source, casing: Casing) -> Iterator[Row]:
    """What a glossary says, cleaned; a share or number of uses becomes a count of 1 to 20."""
    rows = [cells for _, cells in _cells(source.path, 3)]
    shares = max((float(row[2]) for row in rows if row[2]), default=0) <= 1
    for acronym, long_form, frequency in rows:
        count = 1.0
        if frequency:
            count = 1 + (MOST - 1) * float(frequency) if shares else float(frequency)
        for short, form in clean_glossary(acronym, long_form, casing, source.flags):
            yield Row(short, form, source.name, max(1, min(MOST, round(count))))


def common_rows(source: Source) -> Iterator[Row]:
    """What a common list says; where small letters count, the acronym in small letters, too."""
    for line, cells in _cells(source.path, len(COMMON_COLUMNS)):
        acronym, long_form, grade, small, spellings = cells
        if grade not in ("1", "2", "3", "4", "5") or small not in ("", "yes"):
            raise InputError(
                f"{source.path}, line {line}: {cells} has no grade 1 to 5, or no 'yes'."
            )
        others = tuple(one.strip() for one in spellings.split(" ; ") if one.strip())
        row = Row(acronym, long_form, source.name, GRADES[int(grade) - 1], others)
        yield row
        if small and acronym.lower() != acronym:
            yield row._replace(acronym=acronym.lower())


def concept_rows(source: Source) -> Iterator[Row]:
    """The names of concepts that another name of theirs is an acronym of."""
    for concept in read_concepts(source.path):
        shorts = [name for name in concept.names if " " not in name and name[:3].isupper()]
        for short in shorts:
            if not is_acronym(short):
                continue
            for name in concept.names:
                if " " in name and align(short, name) == 0 and is_long_form(short, name):
                    yield Row(short, name, source.name, 1)


def _accented(text: str) -> str:
    """The text with LaTeX's accents as letters: Schr\\"odinger."""
    if "\\" not in text:
        return text
    return _ACCENT.sub(lambda match: normalize("NFC", match[2] + _MARKS[match[1]]), text)


def _cells(path: Path, number: int) -> Iterator[tuple[int, list[str]]]:
    """The cells of a table's lines below its first, each with the number of its line."""
    for line, raw in read_lines(path):
        if line == 1:
            continue
        cells = [" ".join(cell.split()) for cell in raw.decode().rstrip("\r").split("\t")]
        if len(cells) != number:
            raise InputError(f"{path}, line {line}: expected {number} columns, got {len(cells)}.")
        if cells[0] and cells[1]:
            yield line, cells


def _number(cell: str, path: Path, line: int) -> int:
    if not cell.isdecimal():
        raise InputError(f"{path}, line {line}: {cell!r} is not a number of documents.")
    return int(cell)
