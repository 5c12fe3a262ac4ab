"""The protocol: every system ranks the inventory's concepts for every test phrase."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ...concepts import Concept, ConceptMention, Inventory, build_inventory
from ...errors import InputError
from ...text import merge_key
from ..datasets.files import Record, write_answers
from ..metrics.scores import bootstrap_intervals, gold_rank, rates, score_linking
from ..report.tables import Columns, Table
from .sets import Split
from .systems.protocol import LinkingSystem

DEPTH = 10
"""Concepts that a system may name for a phrase; a later one has the rank 0: not found."""


def evaluate(
    sets: Iterable[tuple[str, Split]],
    inventory: Inventory | None,
    systems: Mapping[str, LinkingSystem],
    *,
    complete: bool = False,
    resamples: int = 1000,
    progress: Callable[[str], None] = lambda _: None,
    predictions: Path | None = None,
) -> dict[str, Any]:
    """Acc@1, Acc@10 and MRR of the systems on the sets, with intervals, time and memory.

    inventory: what there is to link to; None: the training phrases alone are the names.
    complete: let concepts that the inventory does not have take their training phrases as names.
    A test phrase whose concepts are all outside the inventory counts, and is never a hit.
    predictions: a folder for each system's answers and for the phrases of both parts.
    """
    results: dict[str, Any] = {}
    for name, split in sets:
        if not split.test:
            raise InputError(f"The set '{name}' has no test part.")
        known = (
            _completed(inventory, [*split.train, *split.dev])
            if complete or inventory is None
            else inventory
        )
        gold = [known.find_all(one.concepts) for one in split.test]
        groups = _groups(known, split, gold)
        write_answers(predictions, name, "train", _phrases([*split.train, *split.dev]))
        write_answers(predictions, name, "test", _phrases(split.test))
        found = {}
        for system, one in systems.items():
            progress(f"{name} {system}".strip())
            answered = partial(write_answers, predictions, name, system)
            try:
                found[system] = _evaluate(one, known, split, gold, groups, resamples, answered)
            except InputError as error:  # it cannot learn from this set; the others go on
                found[system] = {"left out": str(error)}
        results[name] = {
            "train": len(split.train),
            "dev": len(split.dev),
            "test": len(split.test),
            "concepts": len(known),
            "names": len(known.names),
            "not in the inventory": sum(not one for one in gold),
            "several concepts": sum(len(one.concepts) > 1 for one in split.test),
            "systems": found,
        }
    return {"measure": f"rank among the first {DEPTH} concepts; any of a phrase's", "sets": results}


def _phrases(mentions: Iterable[ConceptMention]) -> Iterator[Record]:
    return ({"text": one.phrase, "document": one.document} for one in mentions)


def _evaluate(
    system: LinkingSystem,
    inventory: Inventory,
    split: Split,
    gold: Sequence[set[int]],
    groups: Mapping[str, Sequence[int]],
    resamples: int,
    answered: Callable[[Iterable[Record]], None],
) -> dict[str, Any]:
    before, began = resident_memory(), time.process_time()
    system.fit(inventory, split.train, split.dev)
    fitted = time.process_time()
    rankings = system.rank(split.test, DEPTH)
    done = time.process_time()
    pairs = zip(rankings, gold, strict=True)
    ranks = [gold_rank([concept for concept, _ in row], right) for row, right in pairs]
    firsts = (inventory.concept(row[0][0]).id if row else None for row in rankings)
    answered({"prediction": id, "rank": rank} for id, rank in zip(firsts, ranks, strict=True))
    by_group = {
        group: score_linking([ranks[row] for row in rows]) if rows else None
        for group, rows in groups.items()
    }
    scores: dict[str, Any] = {**score_linking(ranks), "groups": by_group}
    if resamples:
        array = np.array(ranks)
        scores["intervals"] = bootstrap_intervals(
            lambda rows: rates(score_linking(array[rows])), len(ranks), resamples
        )
    return {
        **scores,
        "cpu_seconds": {"fit": round(fitted - began, 2), "rank": round(done - fitted, 2)},
        "phrases_per_cpu_second": round(len(ranks) / max(done - fitted, 1e-3)),
        "memory_mb": round(max(0, resident_memory() - before) / 2**20),
    }


def _groups(
    inventory: Inventory, split: Split, gold: Sequence[set[int]]
) -> dict[str, Sequence[int]]:
    """The rows of phrases with a concept in the inventory, seen, unseen, and of each kind."""
    seen = {
        (merge_key(one.phrase), concept)
        for one in (*split.train, *split.dev)
        for concept in inventory.find_all(one.concepts)
    }
    groups: dict[str, list[int]] = {"in inventory": [], "seen": [], "unseen": []}
    for row, (mention, right) in enumerate(zip(split.test, gold, strict=True)):
        key = merge_key(mention.phrase)
        if right:
            groups["in inventory"].append(row)
        groups["seen" if any((key, one) in seen for one in right) else "unseen"].append(row)
        if mention.kind:
            groups.setdefault(mention.kind, []).append(row)
            if right:
                groups.setdefault(f"{mention.kind}, in inventory", []).append(row)
    return dict(groups)


def _completed(inventory: Inventory | None, train: Sequence[ConceptMention]) -> Inventory:
    """The inventory with the concepts that only training knows, named by their phrases."""
    known = [] if inventory is None else map(inventory.concept, range(len(inventory)))
    added = (
        Concept(id, (mention.phrase,), domain="training")
        for mention in train
        for id in mention.concepts
        if inventory is None or inventory.find(id) is None
    )
    return build_inventory([*known, *added], lambda _: None)


def resident_memory() -> int:
    """Bytes of memory that the process holds."""
    from psutil import Process

    return int(Process().memory_info().rss)


def _interval(one: dict[str, Any]) -> str | None:
    bounds = one.get("intervals", {}).get("accuracy_at_1", ())
    return " to ".join(f"{100 * bound:.1f}" for bound in bounds) or None


SCORES: Columns = {
    "Acc@1": "accuracy_at_1",
    "interval": _interval,
    "Acc@10": "accuracy_at_10",
    "MRR": "mrr",
    "fit, CPU s": lambda one: f"{one['cpu_seconds']['fit']:.1f}",
    "phrases/s": "phrases_per_cpu_second",
    "MB": "memory_mb",
}


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """Two tables a set: scores with CPU time and memory; Acc@1 of the groups of phrases."""
    for name, found in results["sets"].items():
        title = (
            f"{name or 'published'}: {found['test']:,} phrases against {found['concepts']:,} "
            f"concepts with {found['names']:,} names; {found['not in the inventory']:,} phrases "
            "have none of them"
        )
        systems = {name: one for name, one in found["systems"].items() if "groups" in one}
        yield Table.of(title, ("system",), SCORES, systems.items())
        groups: Columns = {
            f"{group} ({scores['mentions']:,})": f"groups.{group}.accuracy_at_1"
            for one in systems.values()
            for group, scores in one["groups"].items()
            if scores
        }
        title = f"{name or 'published'}: Acc@1 of groups of phrases"
        yield Table.of(title, ("system",), groups, systems.items())
