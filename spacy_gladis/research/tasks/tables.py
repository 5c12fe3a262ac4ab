"""Results as tables: one for each data set, then one for each property of its rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from statistics import fmean, pstdev
from typing import NamedTuple

from ...output.figures import Cell, Table
from .results import Result

Columns = Mapping[str, str]
"""Names of scores by the headings of their columns."""


def result_tables(results: Iterable[Result], columns: Columns) -> Iterator[Table]:
    """Make the tables of a task's results.

    Runs of a system that differ in the seed alone share a row: the mean of their scores, and the
    deviation of the first.

    Args:
        results: Results of one task.
        columns: The scores to show; the first is shown with its interval, and by groups.
    """
    by_data: dict[str, list[Result]] = {}
    for one in results:
        by_data.setdefault(one.data, []).append(one)
    for name, runs in by_data.items():
        rows = list(_rows(runs))
        yield _scores(name, rows, columns)
        yield from _groups(name, rows, columns)


class Row(NamedTuple):
    """Runs that differ in the seed alone, under the name that tells them from others."""

    label: str
    runs: list[Result]

    def mean(self, name: str) -> float | None:
        """The mean of a score over the seeds."""
        values = [one.metrics[name].value for one in self.runs if name in one.metrics]
        known = [value for value in values if value is not None]
        return fmean(known) if known else None

    def of_group(self, kind: str, group: str, score: str) -> float | None:
        """The mean of a group's score over the seeds."""
        found = [one.groups.get(kind, {}).get(group) for one in self.runs]
        values = [one.metrics.get(score) for one in found if one]
        known = [value for value in values if value is not None]
        return fmean(known) if known else None


def _rows(runs: Sequence[Result]) -> Iterator[Row]:
    """The rows of a data set; settings in which runs of one system differ are named."""

    def settings(one: Result) -> str:
        return repr((one.system, one.details, sorted(one.settings.items()), one.inputs))

    grouped = [list(same) for _, same in groupby(sorted(runs, key=settings), key=settings)]
    grouped.sort(key=lambda same: runs.index(same[0]))
    for same in grouped:
        first = same[0]
        others = [one[0].settings for one in grouped if one[0].system == first.system]
        differing = [
            f"{name} {value}"
            for name, value in first.settings.items()
            if any(other.get(name) != value for other in others)
        ]
        yield Row(f"{first.system} ({', '.join(differing)})" if differing else first.system, same)


def _scores(name: str, rows: Sequence[Row], columns: Columns) -> Table:
    first = next(iter(columns))
    seeds = any(len(row.runs) > 1 for row in rows)
    headings = ["system", first, "± (seeds)" if seeds else "interval", *list(columns)[1:]]
    table = Table(_title(name, rows[0].runs[0]), [*headings, "fit s", "ms each", "MB"])
    for row in rows:
        scores = [row.mean(score) for score in columns.values()]
        spread = _deviation(row, columns[first]) if seeds else _interval(row, columns[first])
        table.add(row.label, scores[0], spread, *scores[1:], *_costs(row))
    return table


def _title(name: str, result: Result) -> str:
    details = (
        f"{what} {value:,}" if isinstance(value, int) else f"{what} {value}"
        for what, value in result.details.items()
        if value is not None
    )
    return f"{name}: {', '.join(details)}"


def _interval(row: Row, score: str) -> Cell:
    metric = row.runs[0].metrics.get(score)
    if metric is None or metric.low is None or metric.high is None:
        return None
    return f"{100 * metric.low:.1f}–{100 * metric.high:.1f}"


def _deviation(row: Row, score: str) -> Cell:
    values = [one.metrics[score].value for one in row.runs if score in one.metrics]
    return pstdev([one for one in values if one is not None]) if len(values) > 1 else None


def _costs(row: Row) -> tuple[Cell, Cell, Cell]:
    cost = row.runs[-1].cost
    fit, predict = cost.fit_seconds, cost.predict_seconds
    each = None if predict is None else 1000 * predict / max(1, cost.questions)
    return (
        None if fit is None else f"{fit:,.1f}",
        None if each is None else f"{each:,.2f}",
        cost.peak_megabytes,
    )


def _groups(name: str, rows: Sequence[Row], columns: Columns) -> Iterator[Table]:
    first, score = next(iter(columns.items()))
    kinds = dict.fromkeys(kind for row in rows for one in row.runs for kind in one.groups)
    for kind in kinds:
        sizes: dict[str, int] = {}
        for one in (run for row in rows for run in row.runs):
            for group, found in one.groups.get(kind, {}).items():
                sizes[group] = found.rows
        if len(rows) == 1:
            yield _groups_of_one(
                f"{name}: {rows[0].label} by {kind}", rows[0], kind, sizes, columns
            )
            continue
        table = Table(
            f"{name}: {first} by {kind}",
            ["system", *(f"{group} ({size:,})" for group, size in sizes.items())],
        )
        for row in rows:
            table.add(row.label, *(row.of_group(kind, group, score) for group in sizes))
        yield table


def _groups_of_one(
    title: str, row: Row, kind: str, sizes: Mapping[str, int], columns: Columns
) -> Table:
    """The groups as rows, with the scores that they have."""
    found = {
        heading: [row.of_group(kind, group, score) for group in sizes]
        for heading, score in columns.items()
    }
    known = {heading: values for heading, values in found.items() if set(values) != {None}}
    table = Table(title, [kind, "rows", *known])
    for cells in zip(sizes, sizes.values(), *known.values(), strict=True):
        table.add(*cells)
    return table
