"""Judgements by people on whether pairs of an acronym and a long form are right.

A random sample of mined definitions or dictionary entries is drawn and judged, as in sections 3.1
and 7 of the GLADIS paper. Entries are drawn uniformly from the whole dictionary, and in section 7
from the paper's three data sets.
"""

import csv
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...dictionary import Dictionary
from ...dictionary.candidate import total
from ...errors import FormatError, require
from ...files import writing

COLUMNS = ("acronym", "long_form", "frequency", "verdict")
RIGHT, WRONG = "right", "wrong"
Z = 1.96
"""Quantile of the normal distribution for a 95 % interval."""


class Judged(NamedTuple):
    """A pair of an acronym and a long form, with the verdict of a person.

    Attributes:
        acronym: Acronym that the long form belongs to, such as ``"CT"``.
        long_form: The long form to be judged.
        frequency: Number of occurrences of the pair in the dictionary's sources, or 1 for a single
            mined definition.
        verdict: ``"right"`` or ``"wrong"``. Empty until a person has judged the pair.
    """

    acronym: str
    long_form: str
    frequency: int
    verdict: str = ""


def draw(source: Path, size: int, seed: int = 0) -> list[Judged]:
    """Draw a random sample of pairs of an acronym and a long form, for a person to judge.

    Args:
        source: Path of a dictionary file, whose entries are drawn, or of a folder that
            `spacy-gladis corpus extract` wrote, whose mined definitions are drawn.
        size: Number of pairs to draw. If there are fewer, all of them are returned.
        seed: Random seed. The same seed draws the same pairs.

    Returns:
        The pairs in random order, with empty verdicts.
    """
    if source.is_dir():
        parquet = require("pyarrow.parquet", "corpus", "pyarrow")
        tables = [
            parquet.read_table(path, columns=["acronym", "long_form"])
            for path in sorted(source.glob("definitions/*.parquet"))
        ]
        rows = [
            Judged(row["acronym"], row["long_form"], 1)
            for table in tables
            for row in table.to_pylist()
        ]
    else:
        groups = Dictionary.open(source).groups()
        rows = [
            Judged(name, entry[0], total(entry)) for name, entries in groups for entry in entries
        ]
    chosen = np.random.default_rng(seed).permutation(len(rows))[:size]
    return [rows[row] for row in chosen.tolist()]


def write_judged(path: Path, rows: Sequence[Judged]) -> None:
    """Write pairs to a table, in which a person then fills in the column `verdict`.

    Args:
        path: Path of the file to write. Its columns are separated by tabs, and its first line has
            their names.
        rows: Pairs of an acronym and a long form, as `draw` returns them.
    """
    with writing(path) as temporary, temporary.open("w", encoding="utf8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerows([COLUMNS, *rows])


def read_judged(path: Path) -> Iterator[Judged]:
    """Read pairs that a person has judged.

    Args:
        path: Path of a table that `write_judged` wrote, with its column `verdict` filled in.

    Yields:
        The pairs with their verdicts, in file order.

    Raises:
        FormatError: If a row is incomplete, or its verdict is neither ``right`` nor ``wrong``. The
            message names the line.
    """
    with path.open(encoding="utf8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file, delimiter="\t"), 2):
            try:
                pair = Judged(
                    row["acronym"], row["long_form"], int(row["frequency"]), row["verdict"]
                )
            except (KeyError, TypeError, ValueError):
                raise FormatError(
                    f"{path}:{number}: the row is incomplete. Expected the columns "
                    f"{', '.join(COLUMNS)}, with a whole number as the frequency."
                ) from None
            if pair.verdict not in (RIGHT, WRONG):
                raise FormatError(
                    f"{path}:{number}: the verdict {pair.verdict!r} must be {RIGHT!r} or {WRONG!r}."
                )
            yield pair


def accuracy(rows: Sequence[Judged]) -> dict[str, Any]:
    """Compute the share of pairs that were judged to be right.

    Args:
        rows: Pairs with verdicts. There must be at least one.

    Returns:
        A mapping with the number of `pairs`, the share of pairs that are `right` (0 to 1), the ends
        `low` and `high` of its 95 % Wilson interval, and `weighted`, the share in which each pair
        counts as often as it occurs.
    """
    right = [row.frequency for row in rows if row.verdict == RIGHT]
    n, share = len(rows), len(right) / len(rows)
    centre, spread = (
        share + Z**2 / (2 * n),
        Z * math.sqrt(share * (1 - share) / n + (Z / n) ** 2 / 4),
    )
    low, high = ((centre + sign * spread) / (1 + Z**2 / n) for sign in (-1, 1))
    return {
        "pairs": n,
        "right": share,
        "low": low,
        "high": high,
        "weighted": sum(right) / sum(row.frequency for row in rows),
    }
