"""Read the names of UMLS and SNOMED CT concepts from the PsyTAR corpus of patients' posts."""

import re
from collections.abc import Iterator
from pathlib import Path

from ...errors import InputError
from ...problem import Problem, Report, log_problem
from ..inventory import Concept
from .tabbed import read_rows

SHEETS = ("ADR", "WD", "SSI", "DI")
"""Sheets of the corpus: adverse drug reactions, withdrawal symptoms, signs and symptoms, and drug
indications."""
VOCABULARIES = ("UMLS", "SNOMEDCT")
"""Vocabularies to whose concepts the corpus maps its phrases."""
_UMLS = re.compile(r"C\d{7}", re.IGNORECASE)
_SNOMED = re.compile(r"[^\[\]/]*/SNOMEDCT\w*/\s*\w+/(\d+)\]", re.IGNORECASE)

Row = list[str]
"""The cells of a row of a sheet."""


def read_psytar_concepts(
    folder: Path, report: Report = log_problem, vocabulary: str | None = None
) -> Iterator[Concept]:
    """Read the concepts to which PsyTAR's sheets map the phrases of patients.

    Args:
        folder: Folder with the files `*_Mapped.tsv`.
        report: Function that is called with a `Problem` for each missing sheet and each invalid
            row.
        vocabulary: ``"UMLS"`` or ``"SNOMEDCT"``. None stands for ``"UMLS"``.

    Yields:
        A concept for each id in each row, with the name that the row gives for it. A concept is
        repeated if several rows contain it.

    Raises:
        InputError: If the vocabulary is unknown.
    """
    for _, _, row in read_psytar_rows(folder, report):
        yield from parse_psytar_concepts(row, vocabulary or VOCABULARIES[0])


def read_psytar_rows(folder: Path, report: Report) -> Iterator[tuple[str, int, Row]]:
    """Read the rows of all sheets in which PsyTAR maps phrases to concepts.

    Args:
        folder: Folder with the files `*_Mapped.tsv`.
        report: Function that is called with a `Problem` for each missing sheet and each invalid
            row.

    Yields:
        Triples of the name of the sheet, the line number and the cells of the row. Headers are
        skipped.
    """
    for sheet in SHEETS:
        path = folder / f"{sheet}_Mapped.tsv"
        if not path.is_file():
            report(Problem("no sheet", str(path), 0, "the file is missing"))
            continue
        for number, row in read_psytar_sheet(path, report):
            yield sheet, number, row


def read_psytar_sheet(path: Path, report: Report) -> Iterator[tuple[int, Row]]:
    """Read the rows of a sheet in which PsyTAR maps phrases to concepts, without the header.

    Args:
        path: Path of a file `*_Mapped.tsv`.
        report: Function that is called with a `Problem` for each row with too few columns, which is
            then skipped.

    Returns:
        An iterator over pairs of a line number, counted from 1, and the cells of this line.
    """
    return (row for row in read_rows(path, report, 8) if row[0] > 1)


def parse_psytar_concepts(row: Row, vocabulary: str) -> list[Concept]:
    """Extract the concepts to which a row of a PsyTAR sheet maps its phrase.

    Args:
        row: Cells of a row of a file `*_Mapped.tsv`.
        vocabulary: ``"UMLS"`` or ``"SNOMEDCT"``.

    Returns:
        Up to two concepts, each with the name that the row gives for it. Empty if the row has no
        valid id of the vocabulary.

    Raises:
        InputError: If the vocabulary is unknown.
    """
    if vocabulary not in VOCABULARIES:
        raise InputError(
            f"PsyTAR has no ids of the vocabulary '{vocabulary}'. Choose from: "
            f"{', '.join(VOCABULARIES)}."
        )
    parse, columns = (_parse_umls, (4, 6)) if vocabulary == "UMLS" else (_parse_snomed, (5, 7))
    return [concept for column in columns if (concept := parse(row[column]))]


def _parse_umls(cell: str) -> Concept | None:
    """Parse a cell such as `C0000000 / name / more`."""
    concept, _, rest = cell.partition("/")
    name, slash, _ = rest.rpartition("/")
    if not slash or not _UMLS.fullmatch(concept.strip()):
        return None
    return Concept(concept.strip().upper(), (name.strip(),))


def _parse_snomed(cell: str) -> Concept | None:
    """Parse a cell such as `name (domain) [name/SNOMEDCT/more/0000]`."""
    name, _, concept = cell.strip().rpartition("[")
    match = _SNOMED.fullmatch(concept)
    if not match:
        return None
    before, _, domain = name.rstrip().removesuffix(")").rpartition("(")
    if not (domain and name.rstrip().endswith(")")) or ")" in domain:
        before, domain = name, ""
    return Concept(match[1], (before.strip(),), domain=domain.lower())
