"""Systems b.1 to b.8: chains of other systems (COMETA, section 4.3 and Table 5)."""

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
"""Names of the systems in the chains b.1 to b.8, in their order."""

STEPS = 20
"""Number of thresholds to try, which are quantiles of the scores on the development part."""


@dataclass
class BackOff(LinkingSystem):
    """A chain of systems. Each phrase is answered by the first system that has an answer.

    An edit distance always has an answer. Unless it is the last system, its answers need a minimum
    score, which is chosen for the highest accuracy of the chain on the development part. The
    rankings of later systems are appended.

    Attributes:
        chain: Names of the systems, or beginnings of names.
        base: Checkpoint of the encoder for the neural systems. None for the packaged AcroBERT's.
        device: The device to compute on.
    """

    chain: tuple[str, ...]
    base: Base = None
    device: Device = "cpu"

    def fit(self, training: Training) -> None:
        """Fit the systems on the training part and choose thresholds on the development part.

        Args:
            training: The inventory of concepts and the linked training phrases.
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

        The chains of a run share fitted systems.

        Args:
            training: The inventory of concepts and the linked training phrases.

        Returns:
            The fitted systems, in order.
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
        """Return the chosen system's ranking, followed by those of the systems after it.

        Args:
            mentions: Phrases to link, with their contexts if available.
            k: Maximum number of concepts to return.

        Returns:
            For each mention, its concepts with their scores, best first.
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
