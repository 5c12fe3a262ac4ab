"""From the concepts of one or several sources to one inventory."""

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
"""Characters; what is longer is not a name."""


def write_inventory(concepts: Iterable[Concept], path: Path, report: Report = log_problem) -> None:
    """Write the concepts as a file for `Inventory.open`; as `build_inventory` otherwise."""
    arrays, metadata = _arrays(concepts, report)
    write_columns(path, arrays, metadata)


def build_inventory(concepts: Iterable[Concept], report: Report = log_problem) -> Inventory:
    """An inventory in memory.

    Concepts of one id become one with the names of both: sources complete each other. To `report`
    go concepts without a name (left out), alternate ids that are taken, parents that are not there
    and, of cycles of parents, the first. Raises InputError when no concept is left.
    """
    return Inventory(*_arrays(concepts, report))


def merge_concepts(concepts: Iterable[Concept], report: Report = log_problem) -> list[Concept]:
    """One concept an id, in the order of the ids, its names without repetitions.

    A concept whose id is an alternate of another one becomes part of that.
    """
    read = list(concepts)
    claims: dict[str, str] = {}
    for concept in read:
        for alternate in concept.alternates:
            claims.setdefault(alternate, concept.id)
    merged: dict[str, Concept] = {}
    for number, concept in enumerate(read, 1):
        if not concept.id:
            report(Problem("no id", "concepts", number, f"names {concept.names[:2]}"))
            continue
        id = _root(concept.id, claims)
        known = merged.get(id, Concept(id, ()))
        merged[id] = Concept(
            id,
            known.names + concept.names,
            known.alternates + concept.alternates + (concept.id,) * (concept.id != id),
            known.domain or concept.domain,
            known.definition or concept.definition,
            known.parents + concept.parents,
        )
    kept = []
    for number, id in enumerate(sorted(merged), 1):
        cleaned = (" ".join(name.split()) for name in merged[id].names)
        names = tuple(dict.fromkeys(name for name in cleaned if 0 < len(name) <= LONGEST_NAME))
        if names:
            kept.append(merged[id]._replace(names=names))
        else:
            report(Problem("no name", "concepts", number, id))
    if not kept:
        raise InputError("There is no concept with a name: the sources hold none.")
    return kept


def _root(id: str, claims: dict[str, str]) -> str:
    """The id that an id is an alternate of, through any number of steps; itself in a circle."""
    seen = [id]
    while (above := claims.get(seen[-1])) is not None and above not in seen:
        seen.append(above)
    return id if above is not None else seen[-1]


def _arrays(concepts: Iterable[Concept], report: Report) -> tuple[Arrays, dict[str, str]]:
    records = list(concepts)
    kept = merge_concepts(records, report)
    numbers = {concept.id: number for number, concept in enumerate(kept)}
    alternates = _alternates(kept, numbers, report)
    parents = _parents(kept, {**alternates, **numbers}, report)
    names = [name for concept in kept for name in concept.names]
    hashes = np.array([key_hash(name) for name in names], dtype=np.uint64)
    order = np.argsort(hashes, kind="stable")
    arrays = {
        **Texts.arrays("ids", numbers),
        **Texts.arrays("names", names),
        "name_ends": np.cumsum([len(concept.names) for concept in kept], dtype=np.uint32),
        **Texts.arrays("alternates", alternates),
        "alternate_of": np.array(list(alternates.values()), dtype=np.uint32),
        **Texts.arrays("domains", [concept.domain for concept in kept]),
        **Texts.arrays("definitions", [concept.definition for concept in kept]),
        "parents": np.array([one for several in parents for one in several], dtype=np.uint32),
        "parents.ends": np.cumsum([len(several) for several in parents], dtype=np.uint64),
        "key_hashes": hashes[order],
        "key_names": order.astype(np.uint32),
    }
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(arrays[name].tobytes())
    counts = {
        "concepts": len(kept),
        "names": len(names),
        "alternate ids": len(alternates),
        "records with the id of another": len(records) - len({one.id for one in records}),
    }
    metadata = {"kind": KIND, "fingerprint": digest.hexdigest()[:16], "counts": json.dumps(counts)}
    return arrays, metadata


def _alternates(concepts: list[Concept], numbers: dict[str, int], report: Report) -> dict[str, int]:
    """The concept of each alternate id, in the order of the ids; the first that claims it."""
    claimed: dict[str, int] = {}
    for number, concept in enumerate(concepts):
        for id in dict.fromkeys(concept.alternates):
            if id in numbers or id in claimed:
                if numbers.get(id, claimed.get(id)) != number:
                    detail = f"{id} is also an alternate of {concept.id}"
                    report(Problem("alternate id taken", "concepts", number + 1, detail))
            else:
                claimed[id] = number
    return dict(sorted(claimed.items()))


def _parents(concepts: list[Concept], numbers: dict[str, int], report: Report) -> list[list[int]]:
    edges: dict[str, list[str]] = {}
    parents = []
    for number, concept in enumerate(concepts):
        known = [id for id in dict.fromkeys(concept.parents) if id in numbers]
        if missing := set(concept.parents) - set(known):
            detail = f"{concept.id}: {', '.join(sorted(missing)[:3])}"
            report(Problem("parent not there", "concepts", number + 1, detail))
        edges[concept.id] = [concepts[numbers[id]].id for id in known]
        parents.append([numbers[id] for id in known])
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        cycle = error.args[1][1:]
        detail = f"{len(cycle)} concepts: {', '.join(cycle[:5])}"
        report(Problem("cycle", "concepts", numbers[cycle[0]] + 1, detail))
    return parents
