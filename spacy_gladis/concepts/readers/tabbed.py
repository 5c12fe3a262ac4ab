"""Read vocabularies that are stored as tables.

- Tables of ids and names, such as MeSH's lists and HPO's layperson synonyms.
- SSSOM mappings between vocabularies, see https://w3id.org/sssom.
- MEDIC, CTD's disease vocabulary, in the text format of BioSyn (2012).
- CTD's own tables of diseases and chemicals.
- UMLS's MRCONSO.RRF, see
  https://www.ncbi.nlm.nih.gov/books/NBK9685/table/ch03.T.concept_names_and_sources_file_mr.
"""

import re
from collections.abc import Iterator
from html import unescape
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from ...documents.lines import read_lines
from ...errors import FormatError
from ...problem import Problem, Report, log_problem
from ..inventory import Concept

NAMES = ("name", "label", "synonym", "layperson", "term")
"""Endings of the headings of columns that contain names. Their case is ignored."""

_IRI = re.compile(r"<?https?://purl\.obolibrary\.org/obo/([A-Za-z]+)_(\w+)>?")


def read_rows(path: Path, report: Report, columns: int) -> Iterator[tuple[int, list[str]]]:
    """Read the rows of a file whose cells are separated by tabs.

    Args:
        path: Path of the file to read. It may be compressed.
        report: Function that is called with a `Problem` for each line with too few columns, which
            is then skipped.
        columns: Minimum number of columns.

    Yields:
        Pairs of a line number, counted from 1, and the cells of this line.
    """
    for number, raw in read_lines(path, report):
        row = raw.decode("utf-8", "replace").rstrip("\r").split("\t")
        if len(row) < columns:
            detail = f"expected {columns} columns, got {len(row)}"
            report(Problem("wrong columns", str(path), number, detail))
        else:
            yield number, row


def read_tabbed(path: Path, report: Report = log_problem) -> Iterator[Concept]:
    """Read a vocabulary from a tab-separated table. A line has the id of a concept and its names.

    The first line is a header if its first cell contains no digit. If there is a header, only
    columns whose heading ends with a word such as "name" or "synonym" (see `NAMES`) contain names.
    IRIs of the OBO library are converted to ids such as ``HP:0000118``.

    Args:
        path: Path of the file to read.
        report: Function that is called with a `Problem` for each line without a tab, which is then
            skipped.

    Yields:
        A concept for each line, in the order of the file.
    """
    columns: list[int] | None = None
    for number, raw in read_lines(path, report):
        cells = [cell.strip().strip('"') for cell in raw.decode("utf-8", "replace").split("\t")]
        if number == 1 and not any(c.isdigit() for c in cells[0]):
            columns = [
                index for index, cell in enumerate(cells) if index and cell.lower().endswith(NAMES)
            ]
            continue
        if len(cells) < 2:
            if cells[0]:
                report(Problem("wrong columns", str(path), number, f"no tab in {cells[0][:60]!r}"))
            continue
        name_columns = range(1, len(cells)) if columns is None else columns
        names = tuple(cells[index] for index in name_columns if index < len(cells))
        yield Concept(_IRI.sub(r"\1:\2", cells[0]), names)


EXACT = "skos:exactMatch"
"""Predicate of mappings between equal concepts."""
COLUMNS = ("subject_id", "subject_label", "predicate_id", "object_id")
"""Columns that an SSSOM file must have."""


def read_sssom(
    path: Path, report: Report = log_problem, vocabulary: str | None = None
) -> Iterator[Concept]:
    """Read the exact matches between two vocabularies from an SSSOM file.

    A line of the file maps a concept of one vocabulary, the subject, to a concept of another, the
    object. Each object becomes a concept with the labels of both as names and the id of the subject
    as an alternate id. The prefix of the object's id is removed, so ``SCTID:1`` becomes ``1``.

    Args:
        path: Path of the file to read.
        report: Function that is called with a `Problem` for each line with the wrong number of
            columns, which is then skipped.
        vocabulary: Prefix of the objects to read, such as ``"SCTID"`` for ``SCTID:1``. None to read
            all objects.

    Yields:
        A concept for each exact match, in the order of the file.

    Raises:
        FormatError: If a required column is missing.
    """
    header: list[str] = []
    for number, raw in read_lines(path, report):
        line = raw.decode("utf-8", "replace").rstrip("\r")
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if not header:
            header = cells
            if missing := set(COLUMNS) - set(header):
                raise FormatError(
                    f"{path} is not an SSSOM file, because it lacks the columns "
                    f"{', '.join(sorted(missing))}."
                )
            continue
        if len(cells) != len(header):
            detail = f"expected {len(header)} columns, got {len(cells)}"
            report(Problem("wrong columns", str(path), number, detail))
            continue
        row = dict(zip(header, cells, strict=True))
        prefix, _, id = row["object_id"].partition(":")
        is_selected = vocabulary is None or prefix.casefold() == vocabulary.casefold()
        if row["predicate_id"] == EXACT and is_selected:
            names = (row["subject_label"], row.get("object_label", ""))
            yield Concept(id, names, (row["subject_id"],))


FIELDS = "# Fields:"
"""Comment in the line before the header of CTD's tables."""
DOMAIN = "Disease"
"""Domain of all concepts in MEDIC."""
_COLUMNS = ("Definition", "ParentIDs", "Synonyms", "AltDiseaseIDs")


def read_medic(path: Path, report: Report = log_problem) -> Iterator[Concept]:
    """Read MEDIC, a vocabulary of diseases, in the text format of BioSyn.

    A line of the file looks like ``id|alternate id||name|synonym``.

    Args:
        path: Path of the file to read.
        report: Function that is called with a `Problem` for each line without an id or without
            ``||``, which is then skipped.

    Yields:
        A concept for each line, in the order of the file.
    """
    for number, raw in read_lines(path, report):
        line = raw.decode("utf-8", "replace").strip()
        ids, separator, names = line.partition("||")
        if not line:
            continue
        if not separator or not ids:
            report(Problem("wrong columns", str(path), number, f"no id or no '||': {line[:60]}"))
            continue
        id, *alternates = ids.split("|")
        yield Concept(id, tuple(map(unescape, names.split("|"))), tuple(alternates), DOMAIN)


def read_ctd(path: Path, report: Report = log_problem) -> Iterator[Concept]:
    """Read a vocabulary of the Comparative Toxicogenomics Database, such as `CTD_diseases.tsv`.

    The prefix ``MESH:`` is removed from all ids. The domain is the heading of the column of ids
    without the ending ``ID``, such as ``"Disease"``.

    Args:
        path: Path of the file to read. The comment after the line ``# Fields:`` names its columns.
        report: Function that is called with a `Problem` for each line with the wrong number of
            columns, which is then skipped.

    Yields:
        A concept for each line, in the order of the file.
    """
    columns: list[str] = []
    is_header_next = False
    for number, raw in read_lines(path, report):
        line = raw.decode("utf-8", "replace").rstrip("\r")
        if line.startswith("#"):
            if is_header_next and not columns:
                columns = line.removeprefix("#").strip().split("\t")
            is_header_next = line.startswith(FIELDS) or is_header_next
            continue
        cells = line.split("\t")
        if len(cells) != len(columns) or len(cells) < 2:
            report(
                Problem(
                    "wrong columns",
                    str(path),
                    number,
                    f"expected {len(columns)} columns, got {len(cells)}",
                )
            )
            continue
        row = dict(zip(columns, cells, strict=True))
        definition, parents, synonyms, alternates = (row.get(name, "") for name in _COLUMNS)
        yield Concept(
            _strip_prefix(cells[1]),
            (cells[0], *_split_list(synonyms)),
            tuple(map(_strip_prefix, _split_list(alternates))),
            columns[1].removesuffix("ID"),
            definition=definition,
            parents=tuple(map(_strip_prefix, _split_list(parents))),
        )


def _strip_prefix(id: str) -> str:
    return id.removeprefix("MESH:")


def _split_list(cell: str) -> list[str]:
    return [item for item in cell.split("|") if item]


LANGUAGE = "ENG"
"""Language of the names that are read from MRCONSO.RRF."""
CONCEPT, LAT, TS, STT, ISPREF, NAME, SUPPRESS = 0, 1, 2, 4, 6, 14, 16
"""Indices of the columns of MRCONSO.RRF that are used, counted from 0."""
ATOM_COLUMNS = 18
"""Number of columns in MRCONSO.RRF."""


def read_mrconso(path: Path, report: Report = log_problem) -> Iterator[Concept]:
    """Read the English names of all UMLS concepts from the file MRCONSO.RRF.

    Obsolete and suppressed names are left out. Preferred names of a concept come first.

    Args:
        path: Path of MRCONSO.RRF, or of a file in the same format that is sorted by concept.
        report: Function that is called with a `Problem` for each line that is not UTF-8 or has too
            few columns, which is then skipped.

    Yields:
        The concepts in the order of the file. Their ids are CUIs such as ``C0027051``.
    """
    for concept, group in groupby(_read_atoms(path, report), key=itemgetter(0)):
        names = sorted(group, key=lambda atom: not atom[2])  # a stable sort keeps the file's order
        yield Concept(concept, tuple(name for _, name, _ in names))


def _read_atoms(path: Path, report: Report) -> Iterator[tuple[str, str, bool]]:
    """Yield the CUI of each English name, the name, and whether it is preferred."""
    for number, line in read_lines(path, report):
        if not line:
            continue
        try:
            fields = line.decode("utf-8").rstrip("\r").split("|")
        except UnicodeDecodeError as error:
            report(Problem("wrong encoding", str(path), number, f"{error.reason}"))
            continue
        if len(fields) < ATOM_COLUMNS:
            detail = f"expected {ATOM_COLUMNS} columns, got {len(fields)}"
            report(Problem("wrong columns", str(path), number, detail))
            continue
        if fields[LAT] == LANGUAGE and fields[SUPPRESS] == "N":
            is_preferred = (fields[TS], fields[STT], fields[ISPREF]) == ("P", "PF", "Y")
            yield fields[CONCEPT], fields[NAME], is_preferred
