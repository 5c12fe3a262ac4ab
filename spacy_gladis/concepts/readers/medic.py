"""MEDIC, CTD's disease vocabulary: BioSyn's text form of 2012, and CTD's own tables."""

from collections.abc import Iterator
from html import unescape
from pathlib import Path

from ...documents.lines import read_lines
from ...problem import Problem, Report, log_problem
from ..concept import Concept

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
