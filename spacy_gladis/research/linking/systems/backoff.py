"""b.1 to b.8: chains of systems, each asked where those before it are not sure enough."""

from collections.abc import Sequence

from ....concepts import Inventory
from .protocol import LinkingSystem, Mentions, Ranking

THRESHOLDS = tuple(step / 20 for step in range(21))


class BackOff:
    """Asks its systems in turn and takes the first whose best score reaches its threshold.

    The thresholds are those with the highest accuracy of the whole chain on the development part,
    chosen one system after the other from the last but one to the first; the last answers always.
    What the later systems rank follows behind, so that accuracy at 10 does not suffer.
    """

    def __init__(self, systems: Sequence[LinkingSystem]) -> None:
        self.systems = list(systems)
        self.thresholds = [0.0] * len(self.systems)

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        """Fit the systems on `train`, choose the thresholds on `dev`, then fit them on both."""
        for system in self.systems:
            system.fit(inventory, train, ())
        gold = [inventory.find_all(one.concepts) for one in dev]
        answers = [system.rank(dev, 1) for system in self.systems]
        for index in reversed(range(len(self.systems) - 1)):
            right = []
            for threshold in THRESHOLDS:
                self.thresholds[index] = threshold
                chosen = [self._choose(rows) for rows in zip(*answers, strict=True)]
                pairs = zip(chosen, gold, strict=True)
                right.append(sum(bool(row) and row[0][0] in one for row, one in pairs))
            self.thresholds[index] = THRESHOLDS[right.index(max(right))]
        for system in self.systems:
            system.fit(inventory, train, dev)

    def rank(self, mentions: Mentions, k: int) -> list[Ranking]:
        """The chosen system's ranking, then that of those behind it."""
        answers = [system.rank(mentions, k) for system in self.systems]
        return [self._choose(rows)[:k] for rows in zip(*answers, strict=True)]

    def _choose(self, rows: Sequence[Ranking]) -> Ranking:
        for index, (row, threshold) in enumerate(zip(rows, self.thresholds, strict=True)):
            if row and (row[0][1] >= threshold or index == len(rows) - 1):
                merged: dict[int, float] = {}
                for concept, score in (pair for later in rows[index:] for pair in later):
                    merged.setdefault(concept, score)
                return list(merged.items())
        return []
