"""How a labelled set is divided: by sentence (closed set) or by acronym (unseen acronyms)."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ....errors import InputError
from ...datasets.sample import Sample

SHARES = (0.8, 0.1, 0.1)
"""Of the rows, for training, development and test (Pouran Ben Veyseh et al. 2020, section 5.2)."""

SETTINGS: dict[str, Callable[[Sample], str]] = {
    "closed": lambda sample: sample.text,
    "unseen": lambda sample: sample.acronym,
}
"""What rows must share to stay together: closed, their sentence; unseen, their acronym."""


class Split(NamedTuple):
    """Row numbers, each in ascending order."""

    train: list[int]
    development: list[int]
    test: list[int]


def split(samples: Sequence[Sample], setting: str, seed: int = 0) -> Split:
    """Divide the samples 80:10:10; what must stay together is drawn in a seeded random order.

    Raises InputError where a part would be empty.
    """
    groups: dict[str, list[int]] = {}
    for row, sample in enumerate(samples):
        groups.setdefault(SETTINGS[setting](sample), []).append(row)
    names = list(groups)
    parts: list[list[int]] = [[], [], []]
    wanted = [share * len(samples) for share in SHARES]
    for index in np.random.default_rng(seed).permutation(len(names)).tolist():
        rows = groups[names[index]]
        # To the part that lacks most of its share: no part is overrun by one large group.
        lacking = [(want - len(part)) / want for want, part in zip(wanted, parts, strict=True)]
        parts[lacking.index(max(lacking))] += rows
    if not all(parts):
        raise InputError(
            f"{len(samples)} samples of {len(groups)} different "
            f"{'sentences' if setting == 'closed' else 'acronyms'} cannot be divided into "
            "training, development and test: give a larger set."
        )
    return Split(*map(sorted, parts))


def at_most(samples: Sequence[Sample], each: int, seed: int = 0) -> list[Sample]:
    """A random choice of at most `each` samples of every long form of an acronym, in their order.

    With 17 it makes UAD_small of UAD (Pouran Ben Veyseh et al. 2020, section 5.2). A smaller
    choice is part of a larger one of the same seed.
    """
    taken: Counter[tuple[str, str]] = Counter()
    chosen = []
    for row in np.random.default_rng(seed).permutation(len(samples)).tolist():
        pair = samples[row].acronym, samples[row].long_form
        if taken[pair] < each:
            taken[pair] += 1
            chosen.append(row)
    return [samples[row] for row in sorted(chosen)]
