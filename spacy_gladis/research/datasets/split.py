"""Splitting of data sets into parts that keep related rows together (Elangovan et al. 2021)."""

import random
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ...errors import InputError

T = TypeVar("T")


def split_rows(keys: Sequence[Hashable], shares: Sequence[float], seed: int = 0) -> list[list[int]]:
    """Split rows into parts so that rows with the same key are in the same part.

    Keys are assigned in random order, each to the part that is missing most rows. The sizes are
    therefore as close to the shares as the largest group of rows with the same key allows.

    Args:
        keys: Key of each row, such as its document or acronym, or its number for a random split.
        shares: Relative sizes of the parts.
        seed: Random seed of the order. The same seed gives the same parts.

    Returns:
        The row numbers of each part, ascending.

    Raises:
        InputError: If a key is empty, a share is not positive, or there are fewer keys than parts.
    """
    if any(key in ("", None) for key in keys):
        raise InputError("A row has no key to split by. Every row needs a document or an acronym.")
    if not shares or any(share <= 0 for share in shares):
        raise InputError(f"Each share must be above 0, got {list(shares)}.")
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
    """Yield for each fold the rows to train on and the rows to evaluate on.

    Args:
        rows: The rows.
        folds: Fold of each row.

    Yields:
        `(rows of the other folds, rows of the fold)`, in the order of the folds.
    """
    for fold in sorted(set(folds)):
        inside: list[T] = []
        outside: list[T] = []
        for row, row_fold in zip(rows, folds, strict=True):
            (inside if row_fold == fold else outside).append(row)
        yield outside, inside


def linked(groups: Sequence[Sequence[Hashable]]) -> list[int]:
    """Assign a key to each group, so that groups that share a member have equal keys.

    Args:
        groups: Members of each group. Groups that are connected through other groups also get equal
            keys.

    Returns:
        A key for each group.
    """
    numbers: dict[Hashable, int] = {}
    rows = [row for row, group in enumerate(groups) for _ in group]
    members = [
        len(groups) + numbers.setdefault(member, len(numbers))
        for group in groups
        for member in group
    ]
    size = len(groups) + len(numbers)
    graph = coo_array((np.ones(len(rows)), (rows, members)), shape=(size, size))
    _, keys = connected_components(graph, directed=False)
    group_keys: list[int] = keys[: len(groups)].tolist()
    return group_keys
