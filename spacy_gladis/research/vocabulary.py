"""What the recurrent networks share: numbers for words and tags, batches of like length."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

PAD, UNKNOWN, FIRST = 0, 1, 2
"""The numbers of padding, of all that training did not show, and of the first word or tag."""


def number(strings: Iterable[str]) -> dict[str, int]:
    """A number from FIRST on for each string, the most frequent first."""
    ranked = Counter(strings).most_common()
    return {string: index for index, (string, _) in enumerate(ranked, FIRST)}


def batches(lengths: Sequence[int], size: int, rng: np.random.Generator) -> list[list[int]]:
    """Row numbers in batches of like length, rows and batches in random order."""
    shuffled = rng.permutation(len(lengths)).tolist()
    order = sorted(shuffled, key=lambda row: lengths[row])
    cut = [order[first : first + size] for first in range(0, len(order), size)]
    return [cut[index] for index in rng.permutation(len(cut))]
