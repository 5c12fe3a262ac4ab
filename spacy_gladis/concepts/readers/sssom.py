"""SSSOM mappings between vocabularies (https://w3id.org/sssom): names for the mapped ids."""

from collections.abc import Iterator
from pathlib import Path

from ...documents.lines import read_lines
from ...errors import FormatError
from ...problem import Problem, Report, log_problem
from ..concept import Concept

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
