"""Splitting of data sets into parts, such as training and test, that keep related rows together.

Otherwise, sentences of one document can be in both parts, and test scores are too high (Elangovan
et al. 2021).
"""

import random
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ...errors import InputError

T = TypeVar("T")


def split_rows(keys: Sequence[Hashable], shares: Sequence[float], seed: int = 0) -> list[list[int]]:
    """Split the rows of a data set at random, with all rows of a document or acronym in one part.

    Groups of rows with the same key are assigned one after the other, each to the part that lacks
    most rows. The sizes of the parts are therefore as exact as the sizes of the groups allow.

    Args:
        keys: Key of each row. Rows with the same key end up in the same part. Use the document or
            the acronym of each row, or its number to split rows independently.
        shares: Relative sizes of the parts, such as ``[8, 1, 1]``.
        seed: Random seed. The same seed gives the same parts.

    Returns:
        The row numbers of each part, in ascending order.

    Raises:
        InputError: If a key is empty or None, a share is not above 0, or there are fewer distinct
            keys than parts.
    """
    if any(key in ("", None) for key in keys):
        raise InputError(
            "A row has no key to split by. Each row needs a document or an acronym. Split at "
            "random if the data has neither."
        )
    if not shares or any(share <= 0 for share in shares):
        raise InputError(f"The relative sizes of the parts must be above 0, got {list(shares)}.")
    groups: dict[Hashable, list[int]] = {}
    for row, key in enumerate(keys):
        groups.setdefault(key, []).append(row)
    if len(groups) < len(shares):
        raise InputError(
            f"Rows with {len(groups)} keys cannot be split into {len(shares)} parts. Choose fewer "
            "parts, or split by another property."
        )
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
    """Divide rows into training and test rows for each fold of a cross-validation.

    Args:
        rows: Rows of the data set.
        folds: Number of the fold that each row belongs to.

    Yields:
        For each fold, in ascending order, the rows of all other folds (for training) and the rows
        of this fold (for evaluation).
    """
    for fold in sorted(set(folds)):
        inside: list[T] = []
        outside: list[T] = []
        for row, row_fold in zip(rows, folds, strict=True):
            (inside if row_fold == fold else outside).append(row)
        yield outside, inside


def linked(groups: Sequence[Sequence[Hashable]]) -> list[int]:
    """Assign a number to each group of members, so that connected groups have the same number.

    Two groups are connected if they have a member in common, directly or through other groups. For
    example, the groups (a, b), (c) and (b, d) get the numbers 0, 1 and 0. Use the numbers as keys
    of `split_rows`.

    Args:
        groups: Members of each group, such as the documents that a row comes from.

    Returns:
        A number for each group, in the order of `groups`.
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
