"""The systems by name: strings (s), neural (n), back-off chains (b) and ours."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from ...arrays import Floats
from ...concepts import Inventory
from ...errors import unknown_name
from ..training.start import find_start
from .systems.neural import (
    AlignmentModel,
    Embed,
    NearestLabel,
    NearestName,
    bert,
    bert_layers,
    concatenated,
    fasttext,
    label_vectors,
    node2vec,
)
from .systems.protocol import LinkingSystem, Mentions, Ranking
from .systems.strings import (
    ApproximateMatch,
    CharNgrams,
    ExactMatch,
    LevenshteinRatio,
    Stoilos,
    TrainingDictionary,
)

if TYPE_CHECKING:
    from ...linking.acrobert import AcroBERT

THRESHOLDS = tuple(step / 20 for step in range(21))

CHAINS = (
    *("s.1 s.2", "s.1 s.2 s.3", "s.1 s.2 s.4", "s.1 s.2 s.5"),
    *("s.1 s.2 n.1", "s.1 s.2 n.2", "s.1 s.2 n.3", "s.1 s.4 n.2"),
)
"""Which systems the back-off chains b.1 to b.8 ask in turn."""


class BackOff(LinkingSystem):
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


DENSE = 40_000
"""Names up to which all of them are encoded and compared; beyond, those that trigrams propose."""


class OurLinker(LinkingSystem):
    """The concept linker, trained on the parts of a set.

    load: gives the encoder. aligned: whether its vectors are aligned first.
    """

    def __init__(self, load: "Callable[[], AcroBERT]", *, aligned: bool = True) -> None:
        self.load, self.aligned = load, aligned

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        """Learn from `train`, choose the weights on `dev`, remember both."""
        from ..training.concept_linker import train_concept_linker

        self.linker = train_concept_linker(
            inventory,
            train,
            dev,
            self.load(),
            aligned=self.aligned,
            dense=len(inventory.names) <= DENSE,
        )

    def rank(self, mentions: Mentions, k: int) -> list[Ranking]:
        """Concepts by their probabilities."""
        return self.linker.rank(mentions, k)


Make = Callable[[], LinkingSystem]


def systems_over(load: "Callable[[], AcroBERT]") -> dict[str, Make]:
    """What makes each system anew. load: gives the encoder, which is asked for once."""
    load = cache(load)
    once = cache(lambda: bert(load()))

    def vectors(inventory: Inventory, train: Mentions) -> Embed:
        return once()

    def layers(inventory: Inventory, train: Mentions) -> Embed:
        return bert_layers(load())

    def labels(inventory: Inventory, train: Mentions) -> Floats:
        return label_vectors(inventory, once())

    single: dict[str, Make] = {
        "s.1 dictionary": TrainingDictionary,
        "s.2 exact": ExactMatch,
        "s.3 levenshtein": LevenshteinRatio,
        "s.4 stoilos": Stoilos,
        "s.5 scispacy": CharNgrams,
        "s.6 quickumls": ApproximateMatch,
        "n.1 fasttext": partial(NearestName, fasttext),
        "n.2 bert": partial(NearestName, vectors),
        "n.3 layers to labels": partial(AlignmentModel, labels, layers),
        "n.4 labels": partial(NearestLabel, vectors),
        "n.5 bert to node2vec": partial(AlignmentModel, node2vec, vectors),
        "n.6 bert to labels and node2vec": partial(
            AlignmentModel, concatenated(labels, node2vec), vectors
        ),
    }
    by_number = {name.split()[0]: make for name, make in single.items()}

    def chain(parts: str) -> LinkingSystem:
        return BackOff([by_number[part]() for part in parts.split()])

    return {
        **single,
        **{f"b.{number} {parts}": partial(chain, parts) for number, parts in enumerate(CHAINS, 1)},
        "ours": partial(OurLinker, load),
        "ours-as-it-is": partial(OurLinker, load, aligned=False),
    }


def make_systems(
    names: list[str], base: str | None = None, device: str = "cpu"
) -> dict[str, LinkingSystem]:
    """Systems by name, by its beginning (`s.1`) or its first letter (`s`); "all" is every one.

    base: the encoder of the neural systems and ours, see `find_start`; None: the packaged
    AcroBERT's. device: where it computes. Raises InputError for a name that is none of these, or
    where there is no such encoder.
    """
    start = find_start(base) if base else None  # a misspelt name is told before an hour of work

    def load() -> "AcroBERT":
        from ...linking.acrobert import AcroBERT

        return AcroBERT.load(start).to(device)

    systems = systems_over(load)
    made: dict[str, LinkingSystem] = {}
    for name in names:
        matching = [one for one in systems if name in ("all", one, one.split()[0], one[0])]
        if not matching:
            raise unknown_name("system", name, ["all", *systems])
        made.update((one, systems[one]()) for one in matching if one not in made)
    return made
