"""Build concept inventories from the concepts of one or more vocabularies."""

import hashlib
import json
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..problem import Problem, Report, log_problem
from .columns import Arrays, Texts, write_columns
from .inventory import KIND, Concept, Inventory, key_hash

LONGEST_NAME = 1000
"""Maximum number of characters in the name of a concept. Longer names are left out of
inventories."""


def write_inventory(concepts: Iterable[Concept], path: Path, report: Report = log_problem) -> None:
    """Build an inventory of concepts and write it to a file, which `Inventory.open` opens.

    Concepts with the same id are merged and problems are reported, as in `build_inventory`.

    Args:
        concepts: The concepts of all vocabularies, in any order.
        path: Path of the file to write. An existing file is replaced.
        report: Function that is called with a `Problem` for each concept that is not used in full.
            By default, problems are logged as warnings.

    Raises:
        InputError: If no concept has a name.
        PermissionError: If the file exists and is read-only.
    """
    arrays, metadata = _make_arrays(concepts, report)
    write_columns(path, arrays, metadata)


def build_inventory(concepts: Iterable[Concept], report: Report = log_problem) -> Inventory:
    """Build an inventory of concepts in memory, without writing a file.

    Concepts with the same id are merged, so that a vocabulary can add names to the concepts of
    another. Problems are reported, but don't stop the build:

    - A concept has no id or no name. It is left out.
    - Another concept already has an alternate id.
    - A parent is missing.
    - The parents form a cycle. Only the first cycle is reported.

    Args:
        concepts: The concepts of all vocabularies, in any order.
        report: Function that is called with a `Problem` in each of these cases. By default,
            problems are logged as warnings.

    Returns:
        The inventory.

    Raises:
        InputError: If no concept has a name.
    """
    return Inventory(*_make_arrays(concepts, report))


def merge_concepts(concepts: Iterable[Concept], report: Report = log_problem) -> list[Concept]:
    """Merge concepts that have the same id, such as those of two vocabularies.

    The merged concept has the names, alternate ids and parents of all of them. It keeps the first
    domain and the first definition. If the id of a concept is an alternate id of another concept,
    both are merged under the other concept's id.

    Args:
        concepts: The concepts of all vocabularies, in any order.
        report: Function that is called with a `Problem` for each concept without an id or a name,
            which is then left out.

    Returns:
        One concept for each id, sorted by id. Names are distinct, and names longer than
        `LONGEST_NAME` are removed.

    Raises:
        InputError: If no concept has a name.
    """
    records = list(concepts)
    claims: dict[str, str] = {}
    for concept in records:
        for alternate in concept.alternates:
            claims.setdefault(alternate, concept.id)
    merged: dict[str, Concept] = {}
    for number, concept in enumerate(records, 1):
        if not concept.id:
            report(
                Problem(
                    "no id",
                    "concepts",
                    number,
                    f"the concept with the names {concept.names[:2]} has no id",
                )
            )
            continue
        id = _resolve_id(concept.id, claims)
        previous = merged.get(id, Concept(id, ()))
        merged[id] = Concept(
            id,
            previous.names + concept.names,
            previous.alternates + concept.alternates + (concept.id,) * (concept.id != id),
            previous.domain or concept.domain,
            previous.definition or concept.definition,
            previous.parents + concept.parents,
        )
    named = []
    for number, id in enumerate(sorted(merged), 1):
        cleaned = (" ".join(name.split()) for name in merged[id].names)
        names = tuple(dict.fromkeys(name for name in cleaned if 0 < len(name) <= LONGEST_NAME))
        if names:
            named.append(merged[id]._replace(names=names))
        else:
            report(Problem("no name", "concepts", number, f"the concept {id} has no name"))
    if not named:
        raise InputError(
            "The sources contain no concept with a name. Check that they are vocabularies and that "
            "the reported problems do not concern all of their concepts."
        )
    return named


def _resolve_id(id: str, claims: dict[str, str]) -> str:
    """Follow alternate ids to the main id of a concept. In a cycle, return the id itself."""
    chain = [id]
    while (main_id := claims.get(chain[-1])) is not None and main_id not in chain:
        chain.append(main_id)
    return id if main_id is not None else chain[-1]


def _make_arrays(concepts: Iterable[Concept], report: Report) -> tuple[Arrays, dict[str, str]]:
    """Compute the columns and the metadata of an inventory from its concepts."""
    records = list(concepts)
    merged = merge_concepts(records, report)
    numbers = {concept.id: number for number, concept in enumerate(merged)}
    alternates = _map_alternates(merged, numbers, report)
    parents = _find_parents(merged, {**alternates, **numbers}, report)
    names = [name for concept in merged for name in concept.names]
    hashes = np.array([key_hash(name) for name in names], dtype=np.uint64)
    order = np.argsort(hashes, kind="stable")
    arrays = {
        **Texts.to_arrays("ids", numbers),
        **Texts.to_arrays("names", names),
        "name_ends": np.cumsum([len(concept.names) for concept in merged], dtype=np.uint32),
        **Texts.to_arrays("alternates", alternates),
        "alternate_of": np.array(list(alternates.values()), dtype=np.uint32),
        **Texts.to_arrays("domains", [concept.domain for concept in merged]),
        **Texts.to_arrays("definitions", [concept.definition for concept in merged]),
        "parents": np.array([number for row in parents for number in row], dtype=np.uint32),
        "parents.ends": np.cumsum([len(row) for row in parents], dtype=np.uint64),
        "key_hashes": hashes[order],
        "key_names": order.astype(np.uint32),
    }
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(arrays[name].tobytes())
    counts = {
        "concepts": len(merged),
        "names": len(names),
        "alternate ids": len(alternates),
        "records with the id of another": len(records) - len({concept.id for concept in records}),
    }
    metadata = {"kind": KIND, "fingerprint": digest.hexdigest()[:16], "counts": json.dumps(counts)}
    return arrays, metadata


def _map_alternates(
    concepts: list[Concept], numbers: dict[str, int], report: Report
) -> dict[str, int]:
    """Return the number of the first concept with each alternate id, sorted by alternate id."""
    owners: dict[str, int] = {}
    for number, concept in enumerate(concepts):
        for id in dict.fromkeys(concept.alternates):
            if id in numbers or id in owners:
                if numbers.get(id, owners.get(id)) != number:
                    detail = f"the alternate id {id} of {concept.id} belongs to another concept"
                    report(Problem("alternate id taken", "concepts", number + 1, detail))
            else:
                owners[id] = number
    return dict(sorted(owners.items()))


def _find_parents(
    concepts: list[Concept], numbers: dict[str, int], report: Report
) -> list[list[int]]:
    """Return the numbers of each concept's parents, and report missing parents and cycles."""
    edges: dict[str, list[str]] = {}
    parents = []
    for number, concept in enumerate(concepts):
        ids = [id for id in dict.fromkeys(concept.parents) if id in numbers]
        if missing := set(concept.parents) - set(ids):
            detail = f"{concept.id} has unknown parents: {', '.join(sorted(missing)[:3])}"
            report(Problem("parent not there", "concepts", number + 1, detail))
        edges[concept.id] = [concepts[numbers[id]].id for id in ids]
        parents.append([numbers[id] for id in ids])
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        cycle = error.args[1][1:]
        detail = f"{len(cycle)} concepts are their own ancestors: {', '.join(cycle[:5])}"
        report(Problem("cycle", "concepts", numbers[cycle[0]] + 1, detail))
    return parents
