"""Read the concepts of SNOMED CT releases in Release Format 2.

Format: https://confluence.ihtsdotools.org/display/DOCRELFMT
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from ...errors import InputError
from ...problem import Report, log_problem
from ..inventory import Concept
from .tabbed import read_rows

FULLY_SPECIFIED, SYNONYM = "900000000000003001", "900000000000013009"
"""Ids of the two types of descriptions that are read as names: fully specified names and
synonyms."""
IS_A = "116680003"
"""Id of the type of relationship that connects a concept with its parent."""
SAME_AS, REPLACED_BY = "900000000000527005", "900000000000526001"
"""Ids of the two reference sets that map inactive concepts to the active concepts that replace
them."""

_TAG = re.compile(r"\s*\(([^()]+)\)$")


def read_snomed(
    folder: Path, report: Report = log_problem, language: str = "en"
) -> Iterator[Concept]:
    """Read the active concepts from the snapshot of a SNOMED CT release.

    The preferred name of a concept is its fully specified name without the semantic tag, which
    becomes the domain. For example, "Myocardial infarction (disorder)" gives the name "Myocardial
    infarction" and the domain "disorder". Ids of inactive concepts that an active concept replaces
    become alternate ids of the active concept.

    Args:
        folder: Folder of the release, or any folder that contains the snapshot.
        report: Function that is called with a `Problem` for each row with too few columns.
        language: Code of the language in which names and definitions are read.

    Yields:
        The concepts, sorted by id.

    Raises:
        InputError: If the folder contains no snapshot.
    """
    active = {row[0] for row in _read_active_rows(folder, "sct2_Concept_Snapshot", 5, report)}
    names: defaultdict[str, list[str]] = defaultdict(list)
    domains: dict[str, str] = {}
    for row in _read_active_rows(folder, "sct2_Description_Snapshot", 9, report):
        concept, row_language, description_type, term = row[4:8]
        if row_language != language or concept not in active:
            continue
        if description_type == FULLY_SPECIFIED:
            tag = _TAG.search(term)
            domains[concept] = tag[1] if tag else ""
            names[concept].insert(0, _TAG.sub("", term) or term)
        elif description_type == SYNONYM:
            names[concept].append(term)
    definitions = {
        row[4]: row[7]
        for row in _read_active_rows(
            folder, "sct2_TextDefinition_Snapshot", 9, report, required=False
        )
        if row[5] == language
    }
    parents: defaultdict[str, list[str]] = defaultdict(list)
    for row in _read_active_rows(folder, "sct2_Relationship_Snapshot", 10, report, required=False):
        if row[7] == IS_A:
            parents[row[4]].append(row[5])
    alternates: defaultdict[str, list[str]] = defaultdict(list)
    associations = "der2_cRefset_AssociationSnapshot", "der2_cRefset_AssociationReferenceSnapshot"
    for name in associations:
        for row in _read_active_rows(folder, name, 7, report, required=False):
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


def _read_active_rows(
    folder: Path, name: str, columns: int, report: Report, required: bool = True
) -> Iterator[list[str]]:
    """Yield the active rows of the release's files whose name starts with `name`."""
    paths = sorted(folder.rglob(f"{name}*.txt"))
    if required and not paths:
        raise InputError(
            f"{folder} contains no {name}*.txt. Use the folder of a SNOMED CT release in Release "
            "Format 2 that contains a Snapshot folder."
        )
    for path in paths:
        for _, row in read_rows(path, report, columns):
            if row[2] == "1":  # also skips the header
                yield row
