"""Tables of ids and names: MeSH's lists, HPO's layperson synonyms, anyone's own; SSSOM mappings
between vocabularies (https://w3id.org/sssom), which give names to the mapped ids."""

import re
from collections.abc import Iterator
from pathlib import Path

from ...documents.lines import read_lines
from ...errors import FormatError
from ...problem import Problem, Report, log_problem
from ..concept import Concept

NAMES = ("name", "label", "synonym", "layperson", "term")
"""A header's columns that end so hold names."""

_IRI = re.compile(r"<?https?://purl\.obolibrary\.org/obo/([A-Za-z]+)_(\w+)>?")


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
