"""b.1 to b.8: systems asked in turn (COMETA, section 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...options import Base, Device
from ..data import Mentions, Training
from ..system import SYSTEMS, LinkingSystem, Ranking

THRESHOLDS = tuple(step / 20 for step in range(21))

CHAINS = (
    *("s.1 s.2", "s.1 s.2 s.3", "s.1 s.2 s.4", "s.1 s.2 s.5"),
    *("s.1 s.2 n.1", "s.1 s.2 n.2", "s.1 s.2 n.3", "s.1 s.4 n.2"),
)
"""Which systems the back-off chains b.1 to b.8 ask in turn."""


@dataclass
class BackOff(LinkingSystem):
    """Asks its systems in turn and takes the first whose best score reaches its threshold.

    The thresholds are those with the highest accuracy of the whole chain on the development part,
    chosen one system after the other from the last but one to the first; the last answers always.
    What the later systems rank follows behind, so that accuracy at 10 does not suffer.

    Attributes:
        chain: The systems' names, or the beginnings of them.
        base: The encoder of the neural systems; None for the packaged AcroBERT's.
        device: Where it computes.
    """

    chain: tuple[str, ...]
    base: Base = None
    device: Device = "cpu"

    def fit(self, training: Training) -> None:
        """Fit the systems on `train`, choose the thresholds on `dev`, then fit them on both."""
        self.systems = self.make_systems()
        self.thresholds = [0.0] * len(self.systems)
        for system in self.systems:
            system.fit(training._replace(dev=()))
        gold = [training.inventory.find_all(one.concepts) for one in training.dev]
        answers = [system.rank(training.dev, 1) for system in self.systems]
        for index in reversed(range(len(self.systems) - 1)):
            right = []
            for threshold in THRESHOLDS:
                self.thresholds[index] = threshold
                chosen = [self._choose(rows) for rows in zip(*answers, strict=True)]
                pairs = zip(chosen, gold, strict=True)
                right.append(sum(bool(row) and row[0][0] in one for row, one in pairs))
            self.thresholds[index] = THRESHOLDS[right.index(max(right))]
        for system in self.systems:
            system.fit(training)

    def make_systems(self) -> list[LinkingSystem]:
        """Make the systems of the chain."""
        options = {"base": self.base, "device": self.device}
        entries = [entry for entry, _ in SYSTEMS.select(self.chain).values()]
        return [entry.system(**entry.settings(options)) for entry in entries]

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


for _number, _chain in enumerate(CHAINS, 1):
    SYSTEMS.register(
        f"b.{_number} {_chain}",
        f"{', '.join(_chain.split())} in turn.",
        "COMETA, section 4",
        chain=tuple(_chain.split()),
    )(BackOff)
