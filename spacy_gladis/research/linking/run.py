"""The protocol: every system ranks the inventory's concepts for every test phrase."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ...concepts import Concept, ConceptMention, Inventory, build_inventory
from ...errors import InputError
from ...rules import merge_key
from ..datasets.files import Record, write_answers
from ..metrics.intervals import bootstrap_intervals
from ..metrics.scores import gold_rank, score_linking
from ..report.tables import Table
from .sets import Split
from .systems.protocol import LinkingSystem

DEPTH = 10
"""Concepts that a system may name for a phrase; a later one has the rank 0: not found."""

Progress = Callable[[str], None]


def evaluate(
    sets: Iterable[tuple[str, Split]],
    inventory: Inventory | None,
    systems: Mapping[str, LinkingSystem],
    *,
    complete: bool = False,
    resamples: int = 1000,
    progress: Progress = lambda _: None,
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
            found[system] = _try(one, known, split, gold, groups, resamples, answered)
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


def _try(system: LinkingSystem, *arguments: Any) -> dict[str, Any]:
    """A system that cannot learn from this set is left out, and says why; the others go on."""
    try:
        return _evaluate_one(system, *arguments)
    except InputError as error:
        return {"left out": str(error)}


def _evaluate_one(
    system: LinkingSystem,
    inventory: Inventory,
    split: Split,
    gold: Sequence[set[int]],
    groups: Mapping[str, Sequence[int]],
    resamples: int,
    answered: Callable[[Iterable[Record]], None],
) -> dict[str, Any]:
    before, began = _resident(), time.process_time()
    system.fit(inventory, split.train, split.dev)
    fitted = time.process_time()
    rankings = system.rank(split.test, DEPTH)
    done = time.process_time()
    pairs = zip(rankings, gold, strict=True)
    ranks = [gold_rank([concept for concept, _ in row], right) for row, right in pairs]
    firsts = (inventory.concept(row[0][0]).id if row else None for row in rankings)
    answered({"prediction": id, "rank": rank} for id, rank in zip(firsts, ranks, strict=True))
    by_group = {
        group: asdict(score_linking([ranks[row] for row in rows])) if rows else None
        for group, rows in groups.items()
    }
    scores: dict[str, Any] = {**asdict(score_linking(ranks)), "groups": by_group}
    if resamples:
        array = np.array(ranks)
        scores["intervals"] = bootstrap_intervals(
            lambda rows: _means(array[rows]), len(ranks), resamples
        )
    return {
        **scores,
        "cpu_seconds": {"fit": round(fitted - began, 2), "rank": round(done - fitted, 2)},
        "phrases_per_cpu_second": round(len(ranks) / max(done - fitted, 1e-3)),
        "memory_mb": round(max(0, _resident() - before) / 2**20),
    }


def _means(ranks: Any) -> dict[str, float]:
    scores = asdict(score_linking(ranks))
    return {name: scores[name] for name in ("accuracy_at_1", "accuracy_at_10", "mrr")}


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


def _resident() -> int:
    """Bytes of memory that the process holds."""
    from psutil import Process

    return int(Process().memory_info().rss)


SCORES = ("system", "Acc@1", "interval", "Acc@10", "MRR", "fit, CPU s", "phrases/s", "MB")


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """Two tables a set: scores with CPU time and memory; Acc@1 of the groups of phrases."""
    for name, found in results["sets"].items():
        title = (
            f"{name or 'published'}: {found['test']:,} phrases against {found['concepts']:,} "
            f"concepts with {found['names']:,} names; {found['not in the inventory']:,} phrases "
            "have none of them"
        )
        systems = {name: one for name, one in found["systems"].items() if "groups" in one}
        yield _scores(title, systems)
        yield _groups_table(f"{name or 'published'}: Acc@1 of groups of phrases", systems)


def _scores(title: str, systems: dict[str, Any]) -> Table:
    table = Table(title, SCORES)
    for system, one in systems.items():
        low, high = one.get("intervals", {}).get("accuracy_at_1", (None, None))
        interval = None if low is None else f"{100 * low:.1f} to {100 * high:.1f}"
        costs = f"{one['cpu_seconds']['fit']:.1f}", one["phrases_per_cpu_second"], one["memory_mb"]
        table.add(system, one["accuracy_at_1"], interval, one["accuracy_at_10"], one["mrr"], *costs)
    return table


def _groups_table(title: str, systems: dict[str, Any]) -> Table:
    sizes = {
        group: scores["mentions"]
        for one in systems.values()
        for group, scores in one["groups"].items()
        if scores
    }
    table = Table(title, ("system", *(f"{group} ({size:,})" for group, size in sizes.items())))
    for system, one in systems.items():
        table.add(system, *(one["groups"][group]["accuracy_at_1"] for group in sizes))
    return table
