"""Read glossaries: tables, spreadsheets, JSON, YAML, SKOS, and documents that define acronyms.

The format of a file is detected from its content first, then from its name.
"""

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
"""Number of bytes at the start of a file that are read to detect its format."""

_MARKS = {  # how documents of a format define acronyms
    "latex": re.compile(r"\\(?:newacronym|newabbreviation|acro|acrodef|DeclareAcronym)\b"),
    "markdown": re.compile(r"^\*\[[^\]\n]+\]:", re.MULTILINE),
    "restructuredtext": re.compile(r"^\.\. glossary::|:abbr:`", re.MULTILINE),
    "html": re.compile(r"<abbr\s|<html\b|<!doctype html", re.IGNORECASE),
}
_SKOS = re.compile(r"http://www\.w3\.org/2004/02/skos/core")
_BETWEEN = re.compile(r"\s[-\u2013\u2014=:]\s|:\s|[;|,]|\s{2,}")
"""Separator between an acronym and its long form on a line of plain text, such as a dash between
spaces, a colon or a comma."""
_RDF = {"<": "xml", "{": "json-ld", "[": "json-ld"}
"""A mapping from the first character of an RDF file to its syntax. Files that start with any other
character are read as Turtle."""


def read_glossary(path: Path, source: str, report: Report = log_problem) -> Iterator[Row]:
    """Read the acronyms and long forms of a glossary in any supported format.

    Supported are CSV and TSV tables, spreadsheets, JSON, YAML, SKOS vocabularies, dictionary files,
    plain text with an entry on each line, and documents with definitions, such as LaTeX, Markdown
    or HTML files.

    Args:
        path: Path of the glossary.
        source: Name of the source for rows that don't name one.
        report: Function that is called with a `Problem` for each invalid row, which is then
            skipped. By default, problems are logged as warnings.

    Yields:
        The rows of the glossary, in order. A row with an empty long form means that its word is not
        an acronym.

    Raises:
        InputError: If the file doesn't exist, or its format is unknown.
        FormatError: If the file is damaged, or if it is a document that defines no acronym.
        MissingExtraError: If the package for reading the format is not installed.
    """
    if not path.is_file():
        yield from read_rows(path, source, report)  # raises the error
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
    elif marked := next((name for name, mark in _MARKS.items() if mark.search(text)), None):
        yield from _read_document(path, source, report, marked)
    elif ending in (".text", "", *TAB_SUFFIXES):
        yield from read_cells(_text_lines(path), path, source, report, negative=True)
    elif ending in formats_by_ending():
        yield from _read_document(path, source, report)
    else:
        yield from read_rows(path, source, report, negative=True)


def _text_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the two parts of each line of plain text, split at a dash or colon."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, _BETWEEN.split(line.strip(" \t\r\n*-\u2022"), maxsplit=1)


def _read_spreadsheet(path: Path, source: str, report: Report) -> Iterator[Row]:
    """Yield the rows of all sheets of a spreadsheet that have at least two columns."""
    try:
        sheets = [list(rows) for _, rows in read_sheets(path)]
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from error
    for rows in sheets:
        if rows and len(rows[0][1]) > 1:
            yield from read_cells(iter(rows), path, source, report, negative=True)


def _concepts(path: Path, text: str) -> Iterator[tuple[Any, ...]]:
    """Yield pairs of labels of the same SKOS concept in which one abbreviates the other."""
    rdflib = require("rdflib", "documents")
    graph = rdflib.Graph()
    try:
        graph.parse(path, format=_RDF.get(text[:1], "turtle"))
    except Exception as error:  # rdflib's parsers raise errors of many types
        raise FormatError(
            f"{path} cannot be read as SKOS: {error}. Check that it is a valid RDF file."
        ) from error
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
    r"""Yield the definitions in a document's markup, and the entries of its glossaries.

    Examples of such markup are `\newacronym`, `*[HTML]: ...`, `:abbr:` and `<abbr title>`. A
    glossary is a table or list in which at least half of the rows contain an acronym followed by
    its long form.
    """
    try:
        if format in text_formats():
            sources = [read_text(path.read_text("utf-8-sig"), format)]
        else:
            sources = list(read_file(path, report))
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8: {error}. Save it with this encoding.") from None
    pairs = dict.fromkeys(pair for source in sources for pair in _defined(source))
    if not pairs:
        raise FormatError(
            f"{path} defines no acronym. Expected \\newacronym, lines such as *[ABC]: ..., :abbr:, "
            "<abbr>, or a table or list of acronyms and long forms."
        )
    yield from _rows(iter(pairs), path, source, report)


def _read_data(path: Path, source: str, report: Report) -> Iterator[Row]:
    """Yield the acronyms and long forms in a JSON or YAML file.

    An object can map an acronym to a long form, to a list of long forms, or to a list of pairs of a
    long form and a count. An entry can also be an object whose keys are named like the columns of a
    table, such as ``{"acronym": "CT", "meaning": "computed tomography"}``. Entries may be nested in
    other objects and lists.
    """
    try:
        text = path.read_text("utf-8-sig")
        data = json.loads(text) if path.suffix.lower() == ".json" else srsly.yaml_loads(text)
    except (ValueError, OSError, RecursionError) as error:
        raise FormatError(f"{path} cannot be read as JSON or YAML: {error}") from None
    if not isinstance(data, dict | list):
        raise FormatError(
            f"{path} contains {data!r:.50}. Expected a JSON or YAML object of acronyms and long "
            "forms, or a list of such objects."
        )
    yield from _rows(_entries(data), path, source, report)


def _defined(source: Source) -> Iterator[tuple[Any, ...]]:
    for definition in source.definitions:
        yield definition.acronym, definition.long_form
    for region in source.regions:
        if region.kind == "glossary":
            lines = source.text[region.start : region.end].split("\n")
            cells = [line.strip() for line in lines if line.strip()]
            for term, words in pairwise(cells):
                if long_form := long_form_of(term, words):
                    yield term, long_form


def _entries(data: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the acronyms, long forms and optional counts in nested data, in order."""
    stack = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += reversed([item for item in value if isinstance(item, dict | list)])
            continue
        record = _record(value)
        if isinstance(record.get("acronym"), str) and "long_form" in record:
            yield from _long_forms(record["acronym"], record)
            continue
        nested = []
        for acronym, item in value.items():
            if "long_form" in (record := _record(item)):
                yield from _long_forms(acronym, record)
            elif isinstance(item, dict) or (isinstance(item, list) and _record(*item[:1])):
                nested.append(item)
            else:
                yield from _long_forms(acronym, {"long_form": item})
        stack += reversed(nested)


def _record(value: Any = None) -> dict[str, Any]:
    """Return the values of a JSON object by the table columns that its keys stand for."""
    if not isinstance(value, dict):
        return {}
    columns = table_header([str(name) for name in value])
    return {name: cell for name, cell in zip(columns, value.values(), strict=True) if name}


def _long_forms(acronym: Any, record: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    value, count = record["long_form"], record.get("count", 1)
    for item in value if isinstance(value, list) else [value]:
        yield (acronym, *item) if isinstance(item, list) else (acronym, item, count)


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
