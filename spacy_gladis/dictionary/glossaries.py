"""Glossaries as people keep them, told by their content: tables and spreadsheets, JSON and YAML of
any plain shape, SKOS, and documents that define acronyms."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import srsly

from ..documents.formats import read_file, read_text
from ..documents.formats.registry import formats_by_ending, text_formats
from ..documents.formats.sheets import read_sheets
from ..documents.lists import long_form_of
from ..documents.source import Source
from ..errors import FormatError, InputError, require
from ..problem import Problem, Report, log_problem
from .candidate import Row, clean_row
from .importing import read_rows
from .tables import TAB_SUFFIXES, read_cells, table_header

_HEAD = 1 << 16
"""Bytes by which a file is told."""

_MARKS = {  # what a text of a format has where it defines acronyms
    "latex": re.compile(r"\\(?:newacronym|newabbreviation|acro|acrodef|DeclareAcronym)\b"),
    "markdown": re.compile(r"^\*\[[^\]\n]+\]:", re.MULTILINE),
    "restructuredtext": re.compile(r"^\.\. glossary::|:abbr:`", re.MULTILINE),
    "html": re.compile(r"<abbr\s|<html\b|<!doctype html", re.IGNORECASE),
}
_SKOS = re.compile(r"http://www\.w3\.org/2004/02/skos/core")
_BETWEEN = re.compile(r"\s[-\u2013\u2014=:]\s|:\s|[;|,]|\s{2,}")
"""What stands between an acronym and its long form on a line of plain text."""
_RDF = {"<": "xml", "{": "json-ld", "[": "json-ld"}
"""The serialisation by the first character; another one is Turtle's."""


def read_glossary(path: Path, source: str, report: Report = log_problem) -> Iterator[Row]:
    """Yield the rows of a user's glossary; those without a long form say what is no acronym.

    The format is told by the content, then by the name's ending. A bad row is reported and left
    out. Raises InputError for a file that is not there or of no known format, FormatError for a
    damaged one and for a document that defines nothing, MissingExtraError where a format's package
    is not installed.
    """
    if not path.is_file():
        yield from read_rows(path, source, report)  # it says what is wrong
        return
    with path.open("rb") as file:
        start = file.read(_HEAD)
    ending, text = path.suffix.lower(), start.decode("utf-8-sig", "replace").lstrip()
    if start.startswith(b"PK") and b"xl/" in start:
        yield from _read_spreadsheet(path, source, report)
    elif _SKOS.search(text):
        yield from _rows(_concepts(path, text), path, source, report)
    elif text[:1] in ("{", "[") or ending in (".json", ".yaml", ".yml"):
        yield from _read_data(path, source, report)
    elif ending in (".csv", ".sqlite") or (ending in TAB_SUFFIXES and "\t" in text):
        yield from read_rows(path, source, report, negative=True)
    elif marked := next((one for one, mark in _MARKS.items() if mark.search(text)), None):
        yield from _read_document(path, source, report, marked)
    elif ending in (".text", "", *TAB_SUFFIXES):
        yield from read_cells(_text_lines(path), path, source, report, negative=True)
    elif ending in formats_by_ending():
        yield from _read_document(path, source, report)
    else:
        yield from read_rows(path, source, report, negative=True)


def _text_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Numbered lines of plain text as cells: what stands before a dash, a colon or the like."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, _BETWEEN.split(line.strip(" \t\r\n*-\u2022"), maxsplit=1)


def _read_spreadsheet(path: Path, source: str, report: Report) -> Iterator[Row]:
    """The rows of each sheet that has two columns or more."""
    try:
        sheets = [list(rows) for _, rows in read_sheets(path)]
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from error
    for rows in sheets:
        if rows and len(rows[0][1]) > 1:
            yield from read_cells(iter(rows), path, source, report, negative=True)


def _concepts(path: Path, text: str) -> Iterator[tuple[Any, ...]]:
    """The labels of SKOS concepts of which the letters of one stand in another."""
    rdflib = require("rdflib", "documents")
    graph = rdflib.Graph()
    try:
        graph.parse(path, format=_RDF.get(text[:1], "turtle"))
    except Exception as error:  # each of rdflib's parsers has errors of its own
        raise FormatError(f"{path} cannot be read as SKOS: {error}") from error
    skos = rdflib.namespace.SKOS
    labels: dict[Any, list[str]] = {}
    for kind in (skos.prefLabel, skos.altLabel, skos.hiddenLabel):
        for concept, label in sorted(graph.subject_objects(kind)):
            labels.setdefault(concept, []).append(str(label))
    for names in labels.values():
        for term, words in permutations(names, 2):
            if long_form := long_form_of(term, words):
                yield term, long_form


def _read_document(
    path: Path, source: str, report: Report, format: str | None = None
) -> Iterator[Row]:
    """Yield what a document defines by its format's means, and the entries of its lists.

    `\\newacronym`, `*[HTML]: ...`, `:abbr:`, `<abbr title>` and the like, and the tables and lists
    of which half of the rows say in a cell what an acronym in the one before stands for. A bad
    entry is reported and left out. Raises FormatError for a damaged file and for one that defines
    nothing.
    """
    try:
        if format in text_formats():
            sources = [read_text(path.read_text("utf-8-sig"), format)]
        else:
            sources = list(read_file(path, report))
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8: {error}") from None
    pairs = dict.fromkeys(pair for source in sources for pair in _defined(source))
    if not pairs:
        raise FormatError(
            f"{path} defines no acronym: expected \\newacronym, *[ABC]: lines, :abbr:, <abbr> or a "
            "table or list of acronyms and long forms."
        )
    yield from _rows(iter(pairs), path, source, report)


def _read_data(path: Path, source: str, report: Report) -> Iterator[Row]:
    """Yield the entries of JSON or YAML: acronyms with a long form, a list of them, or pairs of one
    and a count; or records with the names that a table's columns may have; both at any depth.

    A bad entry is reported and left out. Raises FormatError where the file cannot be read.
    """
    try:
        text = path.read_text("utf-8-sig")
        data = json.loads(text) if path.suffix.lower() == ".json" else srsly.yaml_loads(text)
    except (ValueError, OSError, RecursionError) as error:
        raise FormatError(f"{path} cannot be read as JSON or YAML: {error}") from None
    if not isinstance(data, dict | list):
        raise FormatError(f"{path} holds no acronyms with long forms but {data!r:.50}.")
    yield from _rows(_entries(data), path, source, report)


def _defined(source: Source) -> Iterator[tuple[Any, ...]]:
    for one in source.definitions:
        yield one.acronym, one.long_form
    for region in source.regions:
        if region.kind == "glossary":
            said = source.text[region.start : region.end].split("\n")
            cells = [cell.strip() for cell in said if cell.strip()]
            for term, words in pairwise(cells):
                if long_form := long_form_of(term, words):
                    yield term, long_form


def _entries(data: Any) -> Iterator[tuple[Any, ...]]:
    """Acronym, long form and perhaps a count, whatever is around them, in order."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += reversed([one for one in value if isinstance(one, dict | list)])
            continue
        record = _record(value)
        if isinstance(record.get("acronym"), str) and "long_form" in record:
            yield from _long_forms(record["acronym"], record)
            continue
        inside = []
        for acronym, one in value.items():
            if "long_form" in (record := _record(one)):
                yield from _long_forms(acronym, record)
            elif isinstance(one, dict) or (isinstance(one, list) and _record(*one[:1])):
                inside.append(one)
            else:
                yield from _long_forms(acronym, {"long_form": one})
        waiting += reversed(inside)


def _record(value: Any = None) -> dict[str, Any]:
    """An object's values by the columns that a table would have."""
    if not isinstance(value, dict):
        return {}
    columns = table_header([str(name) for name in value])
    return {name: one for name, one in zip(columns, value.values(), strict=True) if name}


def _long_forms(acronym: Any, record: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    given, count = record["long_form"], record.get("count", 1)
    for one in given if isinstance(given, list) else [given]:
        yield (acronym, *one) if isinstance(one, list) else (acronym, one, count)


def _rows(
    entries: Iterator[tuple[Any, ...]], path: Path, source: str, report: Report
) -> Iterator[Row]:
    for entry in entries:
        acronym, long_form, count = (*entry, *(None, 1)[len(entry) - 1 :])[:3]
        if isinstance(acronym, str) and acronym.strip() and long_form in (None, ""):
            yield Row(" ".join(acronym.split()), "", source)
            continue
        try:
            yield clean_row(acronym, long_form, source, count)
        except InputError as error:
            report(Problem("bad entry", str(path), None, f"{error}: {entry!r:.200}"))
