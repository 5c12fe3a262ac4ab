"""scispacy's knowledge bases: JSON lines, or one JSON list, of concepts with their aliases."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ...documents.lines import read_chunks, read_lines
from ...errors import FormatError
from ...problem import Problem, Report, log_problem
from ..inventory import Concept


def read_scispacy(path: Path, report: Report = log_problem) -> Iterator[Concept]:
    """Yield the concepts; their types are the domain. One bad record goes to `report`."""
    for number, record in _records(path, report):
        if concept := _concept(record):
            yield concept
        else:
            report(Problem("no concept", str(path), number, str(record)[:80]))


def _concept(record: Any) -> Concept | None:
    """The concept of a record; None where an id or a name is not there or no text."""
    if not isinstance(record, dict):
        return None
    id, name = record.get("concept_id"), record.get("canonical_name")
    aliases, types = record.get("aliases") or [], record.get("types") or []
    if not all(isinstance(one, str) for one in (id, name, *aliases, *types)):
        return None
    definition = str(record.get("definition") or "")
    return Concept(str(id), (str(name), *aliases), domain=" ".join(types), definition=definition)


def _records(path: Path, report: Report) -> Iterable[tuple[int, Any]]:
    _, first = next(iter(read_lines(path, report)), (1, b""))
    if first.lstrip().startswith(b"["):
        try:
            yield from enumerate(json.loads(b"".join(read_chunks(path))), 1)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"{path} is not JSON: {error}.") from None
        return
    for number, line in read_lines(path, report):
        yield number, _parsed(line)


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
