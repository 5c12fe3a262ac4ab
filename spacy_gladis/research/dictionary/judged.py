"""Manual judgements of extracted pairs and of dictionary entries (GLADIS, sections 3.1 and 7)."""

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
    """An acronym and a long form to be judged by a person.

    Attributes:
        acronym: The acronym.
        long_form: The long form.
        frequency: Number of occurrences of the pair.
        verdict: "right" or "wrong". Empty before the judgement.
    """

    acronym: str
    long_form: str
    frequency: int
    verdict: str = ""


def draw(source: Path, size: int, seed: int = 0) -> list[Judged]:
    """Draw random (acronym, long form) pairs to be judged.

    Args:
        source: Dictionary file, from which entries are drawn, or folder written by 'corpus
            extract', from which single extractions are drawn.
        size: Number of pairs to draw.
        seed: Random seed.

    Returns:
        The pairs, without verdicts.
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
    """Write pairs to a table in which a person fills in the last column.

    Args:
        path: The tab-separated file to write.
        rows: The pairs.
    """
    with writing(path) as temporary, temporary.open("w", encoding="utf8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerows([COLUMNS, *rows])


def read_judged(path: Path) -> Iterator[Judged]:
    """Read judged pairs.

    Args:
        path: Table written by `write_judged`, with the verdicts filled in.

    Yields:
        The pairs.

    Raises:
        FormatError: If a row is incomplete, or its verdict is neither "right" nor "wrong".
    """
    with path.open(encoding="utf8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file, delimiter="\t"), 2):
            try:
                pair = Judged(
                    row["acronym"], row["long_form"], int(row["frequency"]), row["verdict"]
                )
            except (KeyError, TypeError, ValueError):
                raise FormatError(f"{path}:{number}: expected {', '.join(COLUMNS)}.") from None
            if pair.verdict not in (RIGHT, WRONG):
                raise FormatError(f"{path}:{number}: the verdict must be {RIGHT} or {WRONG}.")
            yield pair


def accuracy(rows: Sequence[Judged]) -> dict[str, Any]:
    """Compute the share of pairs that were judged right.

    Args:
        rows: One or more judged pairs.

    Returns:
        The number of pairs, the share of right pairs with its 95 % interval (Wilson), and the share
        weighted by frequency ("weighted").
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
