"""Training samples kept apart from the benchmarks they will be judged on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from .sentences import normal, with_sentences
from .systems.threshold_join import ThresholdIndex

Mask = NDArray[np.bool_]


@dataclass
class FilterCounts:
    """Samples seen and dropped, in all and by benchmark (one may leak into several)."""

    seen: int = 0
    dropped: int = 0
    equal: int = 0
    by_benchmark: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The counts as JSON types."""
        return {
            "seen": self.seen,
            "kept": self.seen - self.dropped,
            "dropped": self.dropped,
            "dropped_equal": self.equal,
            "dropped_by_benchmark": dict(sorted(self.by_benchmark.items())),
        }


class LeakageFilter:
    """Tells which texts equal a benchmark item or reach a cosine similarity with one.

    `benchmarks` maps a name to the texts of its items. With `sentences`, the sentences of texts
    and of items are compared as well as the whole: a context of a hundred words that holds a
    benchmark sentence is not similar to it, and yet gives it away.
    """

    def __init__(
        self,
        benchmarks: Mapping[str, Iterable[str]],
        threshold: float = 0.75,
        n: int = 1,
        sentences: bool = True,
    ) -> None:
        self.names = list(benchmarks)
        self.sentences = sentences
        self.counts = FilterCounts(by_benchmark=dict.fromkeys(self.names, 0))
        belongs: dict[str, set[int]] = {}
        for number, name in enumerate(self.names):
            texts = list(dict.fromkeys(benchmarks[name]))
            for unit in with_sentences(texts)[0] if sentences else texts:
                belongs.setdefault(normal(unit), set()).add(number)
        belongs.pop("", None)
        if not belongs:
            raise InputError("The benchmarks hold no text: there is nothing to filter against.")
        self._number = {text: number for number, text in enumerate(belongs)}
        # [items, benchmarks]: an item can stand in several.
        self._belongs = np.zeros((len(belongs), len(self.names)), dtype=bool)
        for number, names in enumerate(belongs.values()):
            self._belongs[number, list(names)] = True
        self._index = ThresholdIndex(list(belongs), threshold, n)

    def leaks(self, texts: Sequence[str]) -> Mask:
        """[texts, benchmarks]: True where the text leaks into the benchmark; counts them."""
        units, owners = with_sentences(texts) if self.sentences else (list(texts), None)
        units = [normal(unit) for unit in units]
        owners = np.arange(len(texts)) if owners is None else owners
        leaking = np.zeros((len(texts), len(self.names)), dtype=bool)
        equal = np.zeros(len(texts), dtype=bool)
        for owner, unit in zip(owners, units, strict=True):
            if (number := self._number.get(unit)) is not None:
                leaking[owner] |= self._belongs[number]
                equal[owner] = True
        for pairs in self._index.pairs(units):
            np.logical_or.at(leaking, owners[pairs.left], self._belongs[pairs.right])
        self._count(leaking, equal)
        return leaking

    def _count(self, leaking: Mask, equal: Mask) -> None:
        self.counts.seen += len(leaking)
        self.counts.dropped += int(leaking.any(axis=1).sum())
        self.counts.equal += int(equal.sum())
        for name, count in zip(self.names, leaking.sum(axis=0), strict=True):
            self.counts.by_benchmark[name] += int(count)
