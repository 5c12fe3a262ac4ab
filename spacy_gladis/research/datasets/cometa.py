"""The COMETA release: a table with a term, its general and specific concept and an example."""

from collections.abc import Iterator
from pathlib import Path

from ...concepts import ConceptMention
from ...problem import Problem, Report, log_problem
from .files import split_ids, table_rows

COLUMNS = {"general": "General SNOMED ID", "specific": "Specific SNOMED ID"}


def read_cometa(
    path: Path, level: str = "general", report: Report = log_problem
) -> Iterator[ConceptMention]:
    """Yield the terms with their general or specific concept; tabs or commas between columns.

    Raises FormatError where a column is missing; rows without an id go to `report`.
    """
    for number, row in table_rows(path, report, ("Term", COLUMNS[level], "Example")):
        term, concepts = row["Term"].strip(), split_ids(row[COLUMNS[level]])
        if not term or not concepts:
            report(Problem("no id", str(path), number, term))
            continue
        text = row["Example"]
        start = text.lower().find(term.lower())
        yield ConceptMention(term, concepts, text, start, row.get("ID", ""))
