"""The names that PsyTAR itself gives for its UMLS and SNOMED CT concepts."""

import re
from collections.abc import Iterator
from pathlib import Path

from ...documents.lines import read_lines
from ...errors import InputError
from ...problem import Problem, Report, log_problem
from ..concept import Concept

SHEETS = ("ADR", "WD", "SSI", "DI")
"""Adverse reactions, withdrawal symptoms, signs and symptoms, indications."""
VOCABULARIES = ("UMLS", "SNOMEDCT")
_UMLS = re.compile(r"\s*(C\d{7})\s*/\s*(.*?)\s*/[^/]*", re.IGNORECASE)
_SNOMED = re.compile(
    r"\s*(.*?)\s*(?:\(([^()]+)\))?\s*\[[^\[\]/]*/SNOMEDCT\w*/\s*\w+/(\d+)\]\s*", re.I
)

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
    for number, raw in read_lines(path, report):
        row = raw.decode("utf-8", "replace").rstrip("\r").split("\t")
        if number == 1:
            continue
        if len(row) < 8:
            report(Problem("wrong columns", str(path), number, f"{len(row)} of 8 or more"))
            continue
        yield number, row


def psytar_concepts(row: Row, vocabulary: str) -> list[Concept]:
    """The one or two concepts of a row, with the names that stand beside their ids."""
    if vocabulary not in VOCABULARIES:
        raise InputError(f"PsyTAR has no ids of {vocabulary}; it has {', '.join(VOCABULARIES)}.")
    found = []
    for column in (4, 6) if vocabulary == "UMLS" else (5, 7):
        if vocabulary == "UMLS":
            if match := _UMLS.fullmatch(row[column]):
                found.append(Concept(match[1].upper(), (match[2],)))
        elif match := _SNOMED.fullmatch(row[column]):
            found.append(Concept(match[3], (match[1],), domain=(match[2] or "").lower()))
    return found
