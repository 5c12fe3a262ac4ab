"""Data sets for concept linking: phrases with their gold concepts, and an inventory of concepts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer

from ....arrays import Ints
from ....concepts import Concept, ConceptMention, Inventory, build_inventory
from ....errors import InputError
from ....problem import ProblemLog
from ....text import merge_key
from ..task import DataSet, Reader
from .splits import Split, read_sets

Mentions = Sequence[ConceptMention]


class Training(NamedTuple):
    """The data that a linking system can learn from.

    Attributes:
        inventory: The concepts to link to.
        train: Linked phrases to train on.
        dev: Linked phrases for choosing settings, such as thresholds.
    """

    inventory: Inventory
    train: Mentions
    dev: Mentions


class Gold(NamedTuple):
    """The gold concepts of the test phrases.

    Attributes:
        inventory: The concepts.
        concepts: Numbers of the gold concepts of each phrase. Empty if the inventory has none of
            them.
        groups: Row numbers of the phrases in each group.
    """

    inventory: Inventory
    concepts: Sequence[set[int]]
    groups: Mapping[str, Ints]


LinkingData = DataSet[Training, ConceptMention, Gold]


@dataclass
class LinkedPhrases(Reader[Training, ConceptMention, Gold]):
    """Reads data sets in the formats of COMETA, PubTator, PsyTAR and AskAPatient.

    Attributes:
        inventory: File written by `concepts build`. With None, the training phrases are the
            inventory.
        split: "published", "stratified", "apart" or "zeroshot"; empty for the default splits.
        complete: Whether to add missing concepts to the inventory, with their training phrases as
            names.
        without_nil: Whether to skip phrases whose concepts are not in the inventory (section 3.2).
    """

    inventory: Annotated[
        Path | None,
        typer.Option(
            help="Inventory that `concepts build` wrote. Default: concepts of the training part."
        ),
    ] = None
    split: Annotated[
        tuple[str, ...],
        typer.Option(
            help="Split: published, stratified, apart or zeroshot. Default: all available."
        ),
    ] = ()
    complete: Annotated[
        bool,
        typer.Option(
            "--complete",
            help="Use phrases of the training part as names of concepts without names.",
        ),
    ] = False
    without_nil: Annotated[
        bool,
        typer.Option(
            "--without-nil", help="Leave out phrases whose concept isn't in the inventory."
        ),
    ] = False

    def read(self, paths: Sequence[Path]) -> Iterator[LinkingData]:
        """Read the data sets at the given paths.

        Args:
            paths: Folders or files of the data sets.

        Yields:
            A data set for each split.

        Raises:
            InputError: If a path holds no data set, or a set has no test part.
        """
        opened = None if self.inventory is None else Inventory.open(self.inventory)
        for path in paths:
            problems = ProblemLog()
            for name, split in read_sets(path, list(self.split) or None, problems):
                inventory = opened
                if self.complete or inventory is None:
                    inventory = completed(opened, [*split.train, *split.dev])
                if self.without_nil:
                    split = Split(
                        *([m for m in part if inventory.find_all(m.concepts)] for part in split)
                    )
                if not split.test:
                    raise InputError(f"The set '{name}' has no test part.")
                yield _data(f"{path.name} {name}", split, inventory, problems)


def _data(name: str, split: Split, inventory: Inventory, problems: ProblemLog) -> LinkingData:
    gold = [inventory.find_all(mention.concepts) for mention in split.test]
    details = {
        "train": len(split.train),
        "dev": len(split.dev),
        "test": len(split.test),
        "concepts": len(inventory),
        "names": len(inventory.names),
        "not in the inventory": sum(not concepts for concepts in gold),
        "several concepts": sum(len(mention.concepts) > 1 for mention in split.test),
        **dict(sorted(problems.counts.items())),
    }
    return DataSet(
        name,
        Training(inventory, split.train, split.dev),
        [mention._replace(concepts=()) for mention in split.test],
        Gold(inventory, gold, phrase_groups(inventory, split, gold)),
        details,
        [mention.phrase for mention in split.test],
        [mention.phrase for mention in (*split.train, *split.dev)],
    )


def phrase_groups(inventory: Inventory, split: Split, gold: Sequence[set[int]]) -> dict[str, Ints]:
    """Group the test phrases by kind, and by overlap with the inventory and the training part.

    Args:
        inventory: The concepts.
        split: The parts of the data set.
        gold: Numbers of the gold concepts of each test phrase.

    Returns:
        A mapping from each group's name to the row numbers of its test phrases, int64.
    """
    seen = {
        (merge_key(mention.phrase), concept)
        for mention in (*split.train, *split.dev)
        for concept in inventory.find_all(mention.concepts)
    }
    groups: dict[str, list[int]] = {"in inventory": [], "seen": [], "unseen": []}
    for row, (mention, right) in enumerate(zip(split.test, gold, strict=True)):
        key = merge_key(mention.phrase)
        if right:
            groups["in inventory"].append(row)
        groups["seen" if any((key, concept) in seen for concept in right) else "unseen"].append(row)
        if mention.kind:
            groups.setdefault(mention.kind, []).append(row)
            if right:
                groups.setdefault(f"{mention.kind}, in inventory", []).append(row)
    return {name: np.array(rows, dtype=np.int64) for name, rows in groups.items()}


def completed(inventory: Inventory | None, train: Mentions) -> Inventory:
    """Add the concepts that occur only in the training phrases to an inventory.

    Args:
        inventory: The inventory to extend. None for an empty inventory.
        train: Linked phrases. They become the names of the added concepts.

    Returns:
        A new inventory.
    """
    concepts = [] if inventory is None else map(inventory.concept, range(len(inventory)))
    added = (
        Concept(id, (mention.phrase,), domain="training")
        for mention in train
        for id in mention.concepts
        if inventory is None or inventory.find(id) is None
    )
    return build_inventory([*concepts, *added], lambda _: None)
