"""Read the concepts of scispacy's knowledge bases, which are JSON Lines files or JSON lists."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ...documents.lines import read_chunks, read_lines
from ...errors import FormatError
from ...problem import Problem, Report, log_problem
from ..inventory import Concept


def read_scispacy(path: Path, report: Report = log_problem) -> Iterator[Concept]:
    """Read the concepts of a scispacy knowledge base.

    A record is a JSON object such as ``{"concept_id": "C0027051", "canonical_name": "Heart attack",
    "aliases": [...], "types": ["T047"], "definition": "..."}``. Aliases become further names, and
    the types become the domain, separated by spaces.

    Args:
        path: Path of a JSON Lines file, or of a file with a JSON list.
        report: Function that is called with a `Problem` for each record that has no id or name, or
            a value of the wrong type. The record is then skipped.

    Yields:
        The concepts in the order of the file.

    Raises:
        FormatError: If a file that starts as a JSON list is not valid JSON.
    """
    for number, record in _read_records(path, report):
        if concept := _make_concept(record):
            yield concept
        else:
            report(Problem("no concept", str(path), number, f"not a concept: {str(record)[:80]}"))


def _make_concept(record: Any) -> Concept | None:
    """Convert a record. Return None if a value is missing or has the wrong type."""
    if not isinstance(record, dict):
        return None
    id, name = record.get("concept_id"), record.get("canonical_name")
    aliases, types = record.get("aliases") or [], record.get("types") or []
    if not all(isinstance(value, str) for value in (id, name, *aliases, *types)):
        return None
    definition = str(record.get("definition") or "")
    return Concept(str(id), (str(name), *aliases), domain=" ".join(types), definition=definition)


def _read_records(path: Path, report: Report) -> Iterable[tuple[int, Any]]:
    """Yield records with their numbers from 1. None stands for a line that is not JSON."""
    _, first = next(iter(read_lines(path, report)), (1, b""))
    if first.lstrip().startswith(b"["):
        try:
            yield from enumerate(json.loads(b"".join(read_chunks(path))), 1)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"{path} is not a valid JSON list: {error}.") from None
        return
    for number, line in read_lines(path, report):
        yield number, _parse(line)


def _parse(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
