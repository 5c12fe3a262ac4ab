"""Glossaries as people keep them: documents that define acronyms, and JSON or YAML of any shape."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import srsly

from ..documents.formats import BY_ENDING, read_file
from ..documents.lists import long_form_of
from ..documents.source import Source
from ..errors import FormatError, InputError
from ..problem import Problem, Report, log_problem
from .candidate import Row, clean_row
from .tables import table_header

DATA_SUFFIXES = (".json", ".yaml", ".yml")
DOCUMENT_SUFFIXES = tuple(
    ending
    for ending, format in BY_ENDING.items()
    if format in ("markdown", "restructuredtext", "html", "latex", "asciidoc", "docx")
)


def read_document(path: Path, domain: str, report: Report = log_problem) -> Iterator[Row]:
    """Yield what a document defines by its format's means, and the entries of its lists.

    `\\newacronym`, `*[HTML]: ...`, `:abbr:`, `<abbr title>` and the like, and the tables and lists
    of which half of the rows say in a cell what an acronym in the one before stands for. A bad
    entry is reported and left out. Raises FormatError for a damaged file and for one that defines
    nothing.
    """
    try:
        sources = list(read_file(path, report))
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8: {error}") from None
    pairs = dict.fromkeys(pair for source in sources for pair in _defined(source))
    if not pairs:
        raise FormatError(
            f"{path} defines no acronym: expected \\newacronym, *[ABC]: lines, :abbr:, <abbr> or a "
            "table or list of acronyms and long forms."
        )
    yield from _rows(iter(pairs), path, domain, report)


def read_data(path: Path, domain: str, report: Report = log_problem) -> Iterator[Row]:
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
    yield from _rows(_entries(data), path, domain, report)


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
    entries: Iterator[tuple[Any, ...]], path: Path, domain: str, report: Report
) -> Iterator[Row]:
    for entry in entries:
        acronym, long_form, count = (*entry, *(None, 1)[len(entry) - 1 :])[:3]
        if isinstance(acronym, str) and acronym.strip() and long_form in (None, ""):
            yield Row(" ".join(acronym.split()), "", domain)
            continue
        try:
            yield clean_row(acronym, long_form, domain, count)
        except InputError as error:
            report(Problem("bad entry", str(path), None, f"{error}: {entry!r:.200}"))
