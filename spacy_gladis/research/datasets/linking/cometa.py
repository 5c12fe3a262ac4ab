"""The COMETA release: a table with a term, its general and specific concept and an example."""

import csv
from collections.abc import Iterator
from pathlib import Path

from ....concepts.mention import ConceptMention
from ....documents.lines import read_lines
from ....errors import FormatError
from ....problem import Problem, Report, log_problem
from .ids import split_ids
from .rows import csv_rows

COLUMNS = {"general": "General SNOMED ID", "specific": "Specific SNOMED ID"}


def read_cometa(
    path: Path, level: str = "general", report: Report = log_problem
) -> Iterator[ConceptMention]:
    """Yield the terms with their general or specific concept; tabs or commas between columns.

    Raises FormatError where a column is missing; rows without an id go to `report`.
    """
    lines = (raw.decode("utf-8", "replace") for _, raw in read_lines(path, report))
    first = next(lines, "")
    delimiter = "\t" if "\t" in first else ","
    try:
        header = next(csv.reader([first], delimiter=delimiter), [])
    except csv.Error as error:
        raise FormatError(f"{path} has no row of column names: {error}.") from None
    column = COLUMNS[level]
    if missing := {"Term", column, "Example"} - set(header):
        raise FormatError(f"{path} has no column {', '.join(sorted(missing))}.")

    def broken(number: int, detail: str) -> None:
        report(Problem("no row", str(path), number + 1, detail))

    for number, row in csv_rows(lines, broken, header, delimiter=delimiter):
        term, concepts = (row["Term"] or "").strip(), split_ids(row[column] or "")
        if not term or not concepts:
            report(Problem("no id", str(path), number + 1, term))
            continue
        text = row["Example"] or ""
        yield ConceptMention(
            term, concepts, text, text.lower().find(term.lower()), row.get("ID") or ""
        )
