"""The names that PsyTAR itself gives for its UMLS and SNOMED CT concepts."""

import re
from collections.abc import Iterator
from pathlib import Path

from ...errors import InputError
from ...problem import Problem, Report, log_problem
from ..inventory import Concept
from .tabbed import table_rows

SHEETS = ("ADR", "WD", "SSI", "DI")
"""Adverse reactions, withdrawal symptoms, signs and symptoms, indications."""
VOCABULARIES = ("UMLS", "SNOMEDCT")
_UMLS = re.compile(r"C\d{7}", re.IGNORECASE)
_SNOMED = re.compile(r"[^\[\]/]*/SNOMEDCT\w*/\s*\w+/(\d+)\]", re.IGNORECASE)

Row = list[str]


def read_psytar_concepts(
    folder: Path, report: Report = log_problem, vocabulary: str | None = None
) -> Iterator[Concept]:
    """Yield the concepts of the mapped sheets; vocabulary: UMLS (the default) or SNOMEDCT."""
    for _, _, row in psytar_rows(folder, report):
        yield from psytar_concepts(row, vocabulary or VOCABULARIES[0])


def psytar_rows(folder: Path, report: Report) -> Iterator[tuple[str, int, Row]]:
    """The rows of the mapped sheets with their sheet and line number."""
    for sheet in SHEETS:
        path = folder / f"{sheet}_Mapped.tsv"
        if not path.is_file():
            report(Problem("no sheet", str(path), 0, "the file is not there"))
            continue
        for number, row in sheet_rows(path, report):
            yield sheet, number, row


def sheet_rows(path: Path, report: Report) -> Iterator[tuple[int, Row]]:
    """The rows of one mapped sheet, without the header, with their line numbers."""
    return (row for row in table_rows(path, report, 8) if row[0] > 1)


def psytar_concepts(row: Row, vocabulary: str) -> list[Concept]:
    """The one or two concepts of a row, with the names that stand beside their ids."""
    if vocabulary not in VOCABULARIES:
        raise InputError(f"PsyTAR has no ids of {vocabulary}; it has {', '.join(VOCABULARIES)}.")
    read, columns = (_umls, (4, 6)) if vocabulary == "UMLS" else (_snomed, (5, 7))
    return [found for column in columns if (found := read(row[column]))]


def _umls(cell: str) -> Concept | None:
    """`C0000000 / name / more`."""
    concept, _, rest = cell.partition("/")
    name, slash, _ = rest.rpartition("/")
    if not slash or not _UMLS.fullmatch(concept.strip()):
        return None
    return Concept(concept.strip().upper(), (name.strip(),))


def _snomed(cell: str) -> Concept | None:
    """`name (domain) [name/SNOMEDCT/more/0000]`."""
    name, _, concept = cell.strip().rpartition("[")
    match = _SNOMED.fullmatch(concept)
    if not match:
        return None
    before, _, domain = name.rstrip().removesuffix(")").rpartition("(")
    if not (domain and name.rstrip().endswith(")")) or ")" in domain:
        before, domain = name, ""
    return Concept(match[1], (before.strip(),), domain=domain.lower())
