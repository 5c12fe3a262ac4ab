"""Data sets for concept linking: phrases with gold concepts, and the inventory of all concepts."""

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
        inventory: All concepts that a phrase can be linked to, with their names.
        train: Phrases with their concepts, to train on.
        dev: Phrases with their concepts, for choosing settings such as thresholds.
    """

    inventory: Inventory
    train: Mentions
    dev: Mentions


class Gold(NamedTuple):
    """The gold concepts of the test phrases of a data set.

    Attributes:
        inventory: All concepts that a phrase can be linked to.
        concepts: Indices in the inventory of each phrase's gold concepts. Empty if the inventory
            has none of them.
        groups: A mapping from the name of each group of test phrases, such as "seen", to the
            indices of its phrases.
    """

    inventory: Inventory
    concepts: Sequence[set[int]]
    groups: Mapping[str, Ints]


LinkingData = DataSet[Training, ConceptMention, Gold]


@dataclass
class LinkedPhrases(Reader[Training, ConceptMention, Gold]):
    """Reads phrases with their concepts in the formats of COMETA, PubTator, PsyTAR and AskAPatient.

    Attributes:
        inventory: File with the inventory of concepts, which the command `concepts build` writes.
            With None, the inventory consists of the concepts of the training and development
            phrases.
        split: Ways to split the phrases into training, development and test parts: "published",
            "stratified", "apart" or "zeroshot". Each gives a data set. Empty for the published
            splits, or for "stratified" and "zeroshot" if there are none.
        complete: Whether to add concepts that are missing from the inventory. Their names are the
            phrases of the training and development parts.
        without_nil: Whether to leave out phrases whose concepts are not in the inventory (COMETA,
            section 3.2). They are left out after the split, so the shares of the parts can change.
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
            help="Split: published, stratified, apart or zeroshot. Default: published, or "
            "stratified and zeroshot if no split is published."
        ),
    ] = ()
    complete: Annotated[
        bool,
        typer.Option(
            "--complete",
            help="Add concepts that the inventory lacks, with their training phrases as names.",
        ),
    ] = False
    without_nil: Annotated[
        bool,
        typer.Option(
            "--without-nil", help="Leave out phrases whose concepts aren't in the inventory."
        ),
    ] = False

    def read(self, paths: Sequence[Path]) -> Iterator[LinkingData]:
        """Read the data sets in files and folders, and split them into parts.

        Args:
            paths: Folders or files of the data sets.

        Yields:
            A data set for each split of each path.

        Raises:
            InputError: If a path contains no data set, or if a data set has no test part.
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
    """Group test phrases by whether they are in the inventory or the training part, and by kind.

    A phrase is in the group "in inventory" if one of its gold concepts is in the inventory. It is
    "seen" if the training or development part links the same phrase to the same concept, and
    "unseen" otherwise. Small differences of spelling are ignored.

    Args:
        inventory: All concepts that a phrase can be linked to.
        split: Training, development and test parts of the data set.
        gold: Indices in the inventory of the gold concepts of each test phrase.

    Returns:
        A mapping from the name of each group to the indices of its test phrases, int64 [phrases]. A
        phrase can be in several groups.
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
    """Extend an inventory by the concepts of linked phrases that it does not contain.

    Args:
        inventory: Inventory to extend. None to create one from the phrases alone.
        train: Phrases with their concepts. A phrase becomes a name of its missing concepts.

    Returns:
        A new inventory with the old and the added concepts.
    """
    concepts = [] if inventory is None else map(inventory.concept, range(len(inventory)))
    added = (
        Concept(id, (mention.phrase,), domain="training")
        for mention in train
        for id in mention.concepts
        if inventory is None or inventory.find(id) is None
    )
    return build_inventory([*concepts, *added], lambda _: None)
