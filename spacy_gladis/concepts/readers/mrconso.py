"""UMLS concept names: the Metathesaurus file MRCONSO.RRF, a concept a CUI.

Columns: https://www.ncbi.nlm.nih.gov/books/NBK9685/table/ch03.T.concept_names_and_sources_file_mr
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from ...documents.document import Piece
from ...documents.lines import read_lines
from ...problem import Problem, Report, log_problem
from ..concept import Concept

LANGUAGE = "ENG"
CONCEPT, LAT, TS, STT, ISPREF, NAME, SUPPRESS = 0, 1, 2, 4, 6, 14, 16
COLUMNS = 18


class _Atom(NamedTuple):
    concept: str
    name: str
    preferred: bool


def read_mrconso(piece: Piece, report: Report = log_problem) -> Iterator[Concept]:
    """Yield the concepts with their English names.

    Obsolete and suppressed names are left out. The lines of a concept stand together, as in the
    published file.
    """
    for concept, group in groupby(_read_atoms(piece, report), key=lambda atom: atom.concept):
        names = sorted(group, key=lambda atom: not atom.preferred)  # stable: the first stays first
        yield Concept(concept, tuple(atom.name for atom in names))


def _read_atoms(piece: Piece, report: Report) -> Iterator[_Atom]:
    for number, line in read_lines(piece.path, report, piece.first_line):
        if not line:
            continue
        try:
            fields = line.decode("utf-8").rstrip("\r").split("|")
        except UnicodeDecodeError as error:
            report(Problem("wrong encoding", str(piece.source), number, f"{error.reason}"))
            continue
        if len(fields) < COLUMNS:
            detail = f"expected {COLUMNS} columns, found {len(fields)}"
            report(Problem("wrong columns", str(piece.source), number, detail))
            continue
        if fields[LAT] == LANGUAGE and fields[SUPPRESS] == "N":
            preferred = (fields[TS], fields[STT], fields[ISPREF]) == ("P", "PF", "Y")
            yield _Atom(fields[CONCEPT], fields[NAME], preferred)
