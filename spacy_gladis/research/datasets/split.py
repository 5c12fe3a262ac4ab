"""Splitting a data set without tearing apart what must stay together (Elangovan et al. 2021)."""

import random
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ...errors import InputError

T = TypeVar("T")


def split_rows(keys: Sequence[Hashable], shares: Sequence[float], seed: int = 0) -> list[list[int]]:
    """Row numbers of each part; rows of one key go to one part.

    `keys` holds a key for each row: its document, its acronym, or its own number for a random
    split. `shares` are the parts' sizes, in any unit. Keys are taken in random order, each by the
    part that lacks most rows, so that sizes come as near to the shares as the largest key allows.
    Rows keep their order within a part. The same seed gives the same parts.

    Raises InputError for an empty key, a share that is not positive, or fewer keys than parts.
    """
    if any(key in ("", None) for key in keys):
        raise InputError("A row has no key to split by: every row needs its document or acronym.")
    if not shares or any(share <= 0 for share in shares):
        raise InputError(f"The shares are {list(shares)}; each must be above 0.")
    groups: dict[Hashable, list[int]] = {}
    for row, key in enumerate(keys):
        groups.setdefault(key, []).append(row)
    if len(groups) < len(shares):
        raise InputError(f"{len(groups)} keys cannot be split into {len(shares)} parts.")
    order = list(groups.values())
    random.Random(seed).shuffle(order)
    lacking = [share / sum(shares) * len(keys) for share in shares]
    parts: list[list[int]] = [[] for _ in shares]
    for group in order:
        part = max(range(len(parts)), key=lacking.__getitem__)
        parts[part] += group
        lacking[part] -= len(group)
    return [sorted(part) for part in parts]


def by_folds(rows: Sequence[T], folds: Sequence[int]) -> Iterator[tuple[list[T], list[T]]]:
    """For each fold the rows of all others, to fit on, and its own, to measure on."""
    for fold in sorted(set(folds)):
        inside: list[T] = []
        outside: list[T] = []
        for row, own in zip(rows, folds, strict=True):
            (inside if own == fold else outside).append(row)
        yield outside, inside


def linked(groups: Sequence[Sequence[Hashable]]) -> list[int]:
    """A key for each group, equal where groups share a member, directly or through others."""
    numbers: dict[Hashable, int] = {}
    rows = [row for row, group in enumerate(groups) for _ in group]
    members = [
        len(groups) + numbers.setdefault(one, len(numbers)) for group in groups for one in group
    ]
    size = len(groups) + len(numbers)
    graph = coo_array((np.ones(len(rows)), (rows, members)), shape=(size, size))
    _, keys = connected_components(graph, directed=False)
    found: list[int] = keys[: len(groups)].tolist()
    return found
