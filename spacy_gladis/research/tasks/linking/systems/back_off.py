"""The systems `b.1` to `b.8`: chains of other systems (COMETA, section 4.3 and Table 5)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...options import Base, Device
from ..data import Mentions, Training
from ..system import DEPTH, SYSTEMS, LinkingSystem, Ranking
from ..vectors import once

CHAINS = (
    *("s.1 s.2", "s.1 s.3", "s.1 s.4", "s.1 n.6"),
    *("s.2 n.6", "s.1 s.2 n.6", "s.1 s.3 n.6", "s.1 s.4 n.6"),
)
"""Names of the systems in each of the chains b.1 to b.8, in the order in which they are asked."""

STEPS = 20
"""Number of steps between the thresholds to try, which are quantiles of the development scores."""


@dataclass
class BackOff(LinkingSystem):
    """Links phrases with a chain of systems, of which the first that has an answer decides.

    The rankings of the later systems are appended to its ranking.

    Some systems, such as edit distances, have an answer for every phrase. Unless such a system is
    the last one, its answers count only if their score reaches a threshold. The threshold is chosen
    so that the chain has the highest accuracy on the development part. The paper tunes its edit
    distances for "the best trade-off between true and false positives" (section 4.1).

    Attributes:
        chain: Names of the systems, or beginnings of their names, in the order in which they are
            asked.
        base: Checkpoint of the encoder for systems that need one: a folder, `package:NAME` or a
            Hugging Face name. None for the packaged AcroBERT.
        device: Torch device to compute on, such as "cuda".
    """

    chain: tuple[str, ...]
    base: Base = None
    device: Device = "cpu"

    def fit(self, training: Training) -> None:
        """Fit the systems on the training part, and choose thresholds on the development part.

        Args:
            training: Inventory of concepts, and the linked phrases of the training and development
                parts.
        """
        self.systems = self.make_systems(training)
        self.thresholds = [-np.inf] * len(self.systems)
        gold = [training.inventory.find_all(mention.concepts) for mention in training.dev]
        answers = [system.rank(training.dev, DEPTH) for system in self.systems]
        for index in reversed(range(len(self.systems) - 1)):
            scores = [row[0][1] for row in answers[index] if row]
            if not self.systems[index].tuned or not scores:
                continue
            right = {}
            for threshold in np.quantile(scores, np.linspace(0, 1, STEPS + 1)):
                self.thresholds[index] = threshold
                chosen = map(self._choose, zip(*answers, strict=True))
                pairs = zip(chosen, gold, strict=True)
                right[threshold] = sum(bool(row) and row[0][0] in wanted for row, wanted in pairs)
            self.thresholds[index] = max(right, key=lambda threshold: right[threshold])

    def make_systems(self, training: Training) -> list[LinkingSystem]:
        """Create and fit the systems of the chain.

        A system that is part of several chains is fitted only once.

        Args:
            training: Inventory of concepts, and the linked phrases of the training and development
                parts.

        Returns:
            The fitted systems, in the order of the chain.
        """
        options = {"base": self.base, "device": self.device}
        systems = []
        for name, (entry, _) in SYSTEMS.select(self.chain).items():

            def fitted() -> LinkingSystem:
                system = entry.system(**entry.settings(options))  # noqa: B023 (called at once)
                system.fit(training)
                return system

            systems.append(once(training, f"{name} {options}", fitted))
        return systems

    def rank(self, mentions: Mentions, k: int) -> list[Ranking]:
        """Rank the concepts that each mention may refer to with the systems of the chain.

        The ranking of the first system that has an answer comes first, followed by the rankings of
        the systems after it.

        Args:
            mentions: Phrases to link, with their contexts if available.
            k: Maximum number of concepts to return for a mention.

        Returns:
            For each mention, pairs of a concept's index in the inventory and its score. Scores of
            different systems can't be compared with each other.
        """
        answers = [system.rank(mentions, DEPTH) for system in self.systems]
        return [self._choose(rows)[:k] for rows in zip(*answers, strict=True)]

    def _choose(self, rows: Sequence[Ranking]) -> Ranking:
        for index, (row, threshold) in enumerate(zip(rows, self.thresholds, strict=True)):
            if row and row[0][1] >= threshold:
                merged: dict[int, float] = {}
                for concept, score in (pair for later in rows[index:] for pair in later):
                    merged.setdefault(concept, score)
                return list(merged.items())
        return []


for _number, _chain in enumerate(CHAINS, 1):
    SYSTEMS.register(
        f"b.{_number} {_chain}",
        f"{', '.join(_chain.split())} in turn.",
        "COMETA, section 4.3",
        chain=tuple(_chain.split()),
    )(BackOff)
