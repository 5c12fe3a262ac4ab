"""Long forms one after another in rows, without padding between them, and the means of each."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import Floats, Ints
from .tokens import TokenIds, rounded

ROW = 48
"""Word pieces of long forms in one row: few long rows are faster than many short ones."""


class Packed(NamedTuple):
    """Long forms in rows.

    ids: [rows, tokens]. owner: [rows, tokens], the number of the long form that a token belongs
    to, counted over all rows; -1 where there is none.
    """

    ids: Ints
    owner: Ints

    def means(self, states: Floats) -> Floats:
        """Means over each long form's tokens, [long forms, hidden]; states: of all tokens."""
        there = self.owner >= 0
        begins = np.unique(self.owner[there], return_index=True)[1]
        if not begins.size:
            return np.zeros((0, states.shape[2]), np.float32)
        sums = np.add.reduceat(states[there], begins, axis=0)
        means: Floats = sums / np.diff([*begins, there.sum()]).astype(np.float32)[:, None]
        return means


def pack(rows: Sequence[Sequence[TokenIds]], pad_id: int) -> Packed:
    """Pack the long forms (word pieces) of each row; long forms are numbered through the rows."""
    width = rounded(max((sum(map(len, row)) for row in rows), default=0))
    ids = np.full((len(rows), width), pad_id, dtype=np.int64)
    owner = np.full_like(ids, -1)
    number = 0
    for line, row in enumerate(rows):
        at = 0
        for pieces in row:
            end = at + len(pieces)
            ids[line, at:end] = pieces
            owner[line, at:end] = number
            at, number = end, number + 1
    return Packed(ids, owner)


def in_rows(pieces: Iterable[TokenIds]) -> Iterator[list[TokenIds]]:
    """Long forms one after another, in rows of about ROW word pieces."""
    row: list[TokenIds] = []
    length = 0
    for one in pieces:
        if row and length + len(one) > ROW:
            yield row
            row, length = [], 0
        row.append(one)
        length += len(one)
    if row:
        yield row
