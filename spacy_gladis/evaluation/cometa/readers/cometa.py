"""The COMETA release: a table with a term, its general and specific concept and an example."""

import csv
from collections.abc import Iterator
from pathlib import Path

from ....concepts.mention import ConceptMention
from ....corpus.lines import read_lines
from ....errors import FormatError
from ....problem import Problem, Report, log_problem
from .ids import split_ids

COLUMNS = {"general": "General SNOMED ID", "specific": "Specific SNOMED ID"}


def read_cometa(
    path: Path, level: str = "general", report: Report = log_problem
) -> Iterator[ConceptMention]:
    """Yield the terms with their general or specific concept; tabs or commas between columns.

    Raises FormatError where a column is missing; rows without an id go to `report`.
    """
    lines = (raw.decode("utf-8", "replace") for _, raw in read_lines(path, report))
    first = next(lines, "")
    header = next(csv.reader([first], delimiter="\t" if "\t" in first else ","), [])
    column = COLUMNS[level]
    if missing := {"Term", column, "Example"} - set(header):
        raise FormatError(f"{path} has no column {', '.join(sorted(missing))}.")
    rows = csv.DictReader(lines, header, delimiter="\t" if "\t" in first else ",")
    for row in rows:
        term, concepts = (row["Term"] or "").strip(), split_ids(row[column] or "")
        if not term or not concepts:
            report(Problem("no id", str(path), rows.line_num + 1, term))
            continue
        text = row["Example"] or ""
        yield ConceptMention(
            term, concepts, text, text.lower().find(term.lower()), row.get("ID") or ""
        )
