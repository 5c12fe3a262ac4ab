"""Rows of a table in text: one that breaks the format is told of, and the others are read."""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

Row = dict[str, str | None]


def csv_rows(
    lines: Iterable[str],
    broken: Callable[[int, str], None],
    columns: Sequence[str] | None = None,
    **form: Any,
) -> Iterator[tuple[int, Row]]:
    """Yield each row with the number of its last line, counted from 1.

    broken: takes the line and what is wrong with it; what it raises ends the reading. columns:
    None takes the first row's cells. form: `csv.reader`'s, such as `delimiter`.
    """
    rows = csv.DictReader(lines, columns, **form)
    while True:
        try:
            row = next(rows)
        except StopIteration:  # noqa: PERF203 (the reader goes on behind a broken row)
            return
        except csv.Error as error:
            broken(rows.line_num, str(error))
        else:
            yield rows.line_num, row
