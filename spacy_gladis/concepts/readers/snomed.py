"""SNOMED CT releases in Release Format 2: https://confluence.ihtsdotools.org/display/DOCRELFMT."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from ...errors import InputError
from ...problem import Report, log_problem
from ..inventory import Concept
from .tabbed import table_rows

FULLY_SPECIFIED, SYNONYM = "900000000000003001", "900000000000013009"
IS_A = "116680003"
SAME_AS, REPLACED_BY = "900000000000527005", "900000000000526001"

_TAG = re.compile(r"\s*\(([^()]+)\)$")


def read_snomed(
    folder: Path, report: Report = log_problem, language: str = "en"
) -> Iterator[Concept]:
    """Yield the active concepts of a release's snapshot, any folder above its files.

    The fully specified name comes first, without its semantic tag, which is the domain. Inactive
    concepts that are the same as an active one, or are replaced by it, are its alternates.
    Raises InputError where the folder holds no snapshot.
    """
    active = {row[0] for row in _rows(folder, "sct2_Concept_Snapshot", 5, report)}
    names: defaultdict[str, list[str]] = defaultdict(list)
    domains: dict[str, str] = {}
    for row in _rows(folder, "sct2_Description_Snapshot", 9, report):
        concept, spoken, kind, term = row[4:8]
        if spoken != language or concept not in active:
            continue
        if kind == FULLY_SPECIFIED:
            tag = _TAG.search(term)
            domains[concept] = tag[1] if tag else ""
            names[concept].insert(0, _TAG.sub("", term) or term)
        elif kind == SYNONYM:
            names[concept].append(term)
    definitions = {
        row[4]: row[7]
        for row in _rows(folder, "sct2_TextDefinition_Snapshot", 9, report, needed=False)
        if row[5] == language
    }
    parents: defaultdict[str, list[str]] = defaultdict(list)
    for row in _rows(folder, "sct2_Relationship_Snapshot", 10, report, needed=False):
        if row[7] == IS_A:
            parents[row[4]].append(row[5])
    alternates: defaultdict[str, list[str]] = defaultdict(list)
    associations = "der2_cRefset_AssociationSnapshot", "der2_cRefset_AssociationReferenceSnapshot"
    for name in associations:
        for row in _rows(folder, name, 7, report, needed=False):
            if row[4] in (SAME_AS, REPLACED_BY) and row[5] not in active:
                alternates[row[6]].append(row[5])
    for id in sorted(active):
        yield Concept(
            id,
            tuple(names[id]),
            tuple(alternates[id]),
            domains.get(id, ""),
            definitions.get(id, ""),
            tuple(parents[id]),
        )


def _rows(
    folder: Path, name: str, columns: int, report: Report, needed: bool = True
) -> Iterator[list[str]]:
    """The active rows of the release's files whose name begins so."""
    paths = sorted(folder.rglob(f"{name}*.txt"))
    if needed and not paths:
        raise InputError(
            f"{folder} holds no {name}*.txt: expected a SNOMED CT release in Release Format 2, "
            "with its Snapshot folder."
        )
    for path in paths:
        for _, row in table_rows(path, report, columns):
            if row[2] == "1":  # so the header goes, too
                yield row
