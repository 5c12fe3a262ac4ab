"""Tables of ids and names: MeSH's lists, HPO's layperson synonyms, anyone's own; SSSOM mappings
between vocabularies (https://w3id.org/sssom), which give names to the mapped ids; MEDIC, CTD's
disease vocabulary, in BioSyn's text form of 2012 and in CTD's own tables; UMLS's MRCONSO.RRF, a
concept a CUI (https://www.ncbi.nlm.nih.gov/books/NBK9685/table/ch03.T.concept_names_and_sources_file_mr).
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
"""A header's columns that end so hold names."""

_IRI = re.compile(r"<?https?://purl\.obolibrary\.org/obo/([A-Za-z]+)_(\w+)>?")


def table_rows(path: Path, report: Report, columns: int) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line, with its number; a line of fewer columns goes to `report`."""
    for number, raw in read_lines(path, report):
        row = raw.decode("utf-8", "replace").rstrip("\r").split("\t")
        if len(row) < columns:
            detail = f"expected {columns} columns, found {len(row)}"
            report(Problem("wrong columns", str(path), number, detail))
        else:
            yield number, row


def read_tabbed(path: Path, report: Report = log_problem) -> Iterator[Concept]:
    """Yield a concept a line: its id, then its names, with tabs between them.

    A first line whose first cell has no digit is a header: then only columns called name, label,
    synonym, layperson or term hold names. IRIs of the OBO library become ids (`HP:0000118`).
    """
    columns: list[int] | None = None
    for number, raw in read_lines(path, report):
        cells = [cell.strip().strip('"') for cell in raw.decode("utf-8", "replace").split("\t")]
        if number == 1 and not any(c.isdigit() for c in cells[0]):
            columns = [at for at, cell in enumerate(cells) if at and cell.lower().endswith(NAMES)]
            continue
        if len(cells) < 2:
            if cells[0]:
                report(Problem("wrong columns", str(path), number, f"no tab: {cells[0][:60]}"))
            continue
        chosen = range(1, len(cells)) if columns is None else columns
        names = tuple(cells[at] for at in chosen if at < len(cells))
        yield Concept(_IRI.sub(r"\1:\2", cells[0]), names)


EXACT = "skos:exactMatch"
COLUMNS = ("subject_id", "subject_label", "predicate_id", "object_id")


def read_sssom(
    path: Path, report: Report = log_problem, vocabulary: str | None = None
) -> Iterator[Concept]:
    """Yield, for each exact match, the mapped id with the label of what is mapped to it.

    The subject's id is an alternate. vocabulary: only ids of it (`SCTID` for `SCTID:1`); ids lose
    their prefix. Raises FormatError where a column is missing.
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
                raise FormatError(f"{path} has no column {', '.join(sorted(missing))}.")
            continue
        if len(cells) != len(header):
            detail = f"expected {len(header)} columns, found {len(cells)}"
            report(Problem("wrong columns", str(path), number, detail))
            continue
        row = dict(zip(header, cells, strict=True))
        prefix, _, id = row["object_id"].partition(":")
        wanted = vocabulary is None or prefix.casefold() == vocabulary.casefold()
        if row["predicate_id"] == EXACT and wanted:
            names = (row["subject_label"], row.get("object_label", ""))
            yield Concept(id, names, (row["subject_id"],))


FIELDS = "# Fields:"
DOMAIN = "Disease"
"""Of all that MEDIC has; of CTD's own tables it is what their column of ids is called."""
_COLUMNS = ("Definition", "ParentIDs", "Synonyms", "AltDiseaseIDs")


def read_medic(path: Path, report: Report = log_problem) -> Iterator[Concept]:
    """Yield the concepts of lines `id|alternate id|...||name|synonym|...`."""
    for number, raw in read_lines(path, report):
        line = raw.decode("utf-8", "replace").strip()
        ids, separator, names = line.partition("||")
        if not line:
            continue
        if not separator or not ids:
            report(Problem("wrong columns", str(path), number, f"no id and '||': {line[:60]}"))
            continue
        id, *alternates = ids.split("|")
        yield Concept(id, tuple(map(unescape, names.split("|"))), tuple(alternates), DOMAIN)


def read_ctd(path: Path, report: Report = log_problem) -> Iterator[Concept]:
    """Yield the concepts of CTD's vocabularies (`CTD_diseases.tsv`, `CTD_chemicals.tsv`).

    Their columns are those that the comment `# Fields:` names; ids lose the prefix `MESH:`.
    """
    columns: list[str] = []
    announced = False
    for number, raw in read_lines(path, report):
        line = raw.decode("utf-8", "replace").rstrip("\r")
        if line.startswith("#"):
            if announced and not columns:
                columns = line.removeprefix("#").strip().split("\t")
            announced = line.startswith(FIELDS) or announced
            continue
        cells = line.split("\t")
        if len(cells) != len(columns) or len(cells) < 2:
            report(Problem("wrong columns", str(path), number, f"{len(cells)} of {len(columns)}"))
            continue
        row = dict(zip(columns, cells, strict=True))
        definition, parents, synonyms, alternates = (row.get(name, "") for name in _COLUMNS)
        yield Concept(
            _plain(cells[1]),
            (cells[0], *_several(synonyms)),
            tuple(map(_plain, _several(alternates))),
            columns[1].removesuffix("ID"),
            definition=definition,
            parents=tuple(map(_plain, _several(parents))),
        )


def _plain(id: str) -> str:
    return id.removeprefix("MESH:")


def _several(cell: str) -> list[str]:
    return [one for one in cell.split("|") if one]


LANGUAGE = "ENG"
CONCEPT, LAT, TS, STT, ISPREF, NAME, SUPPRESS = 0, 1, 2, 4, 6, 14, 16
ATOM_COLUMNS = 18


def read_mrconso(path: Path, report: Report = log_problem) -> Iterator[Concept]:
    """Yield the concepts with their English names.

    Obsolete and suppressed names are left out. The lines of a concept stand together, as in the
    published file.
    """
    for concept, group in groupby(_atoms(path, report), key=itemgetter(0)):
        names = sorted(group, key=lambda atom: not atom[2])  # stable: the first stays first
        yield Concept(concept, tuple(name for _, name, _ in names))


def _atoms(path: Path, report: Report) -> Iterator[tuple[str, str, bool]]:
    """The concept of each English name, the name, and whether it is the preferred one."""
    for number, line in read_lines(path, report):
        if not line:
            continue
        try:
            fields = line.decode("utf-8").rstrip("\r").split("|")
        except UnicodeDecodeError as error:
            report(Problem("wrong encoding", str(path), number, f"{error.reason}"))
            continue
        if len(fields) < ATOM_COLUMNS:
            detail = f"expected {ATOM_COLUMNS} columns, found {len(fields)}"
            report(Problem("wrong columns", str(path), number, detail))
            continue
        if fields[LAT] == LANGUAGE and fields[SUPPRESS] == "N":
            preferred = (fields[TS], fields[STT], fields[ISPREF]) == ("P", "PF", "Y")
            yield fields[CONCEPT], fields[NAME], preferred
