"""Tables of evaluation results: the scores on each data set, and on groups of its rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from statistics import fmean, pstdev
from typing import NamedTuple

from ...output.figures import Cell, Table
from .results import Result

Columns = Mapping[str, str]
"""A mapping from the heading of each column to the name of the score that the column shows."""


def result_tables(results: Iterable[Result], columns: Columns) -> Iterator[Table]:
    """Create tables that compare the results of a task's systems.

    Runs of a system that differ only in the seed share a row of the table. The row shows the mean
    of their scores, and the standard deviation of the first score over the seeds.

    Args:
        results: Results of runs on one task.
        columns: The scores to show, by column heading. The first score is the main one. Only the
            main score is shown with a confidence interval, and in the tables of groups that compare
            several systems.

    Yields:
        For each data set, a table with the scores of all systems, then a table for each property by
        which rows are grouped, such as the domain.
    """
    by_data: dict[str, list[Result]] = {}
    for result in results:
        by_data.setdefault(result.data, []).append(result)
    for name, runs in by_data.items():
        rows = list(_rows(runs))
        yield _scores(name, rows, columns)
        yield from _groups(name, rows, columns)


class Row(NamedTuple):
    """A row of a table of results. It combines runs that differ only in the random seed.

    Attributes:
        label: Name of the system. If several rows have the same system, the settings in which they
            differ follow in brackets.
        runs: Results of the runs, one for each seed.
    """

    label: str
    runs: list[Result]

    def mean(self, name: str) -> float | None:
        """Compute the mean of a score over the seeds.

        Args:
            name: Name of the score, such as "f1".

        Returns:
            The mean over the runs that have the score, or None if no run has it.
        """
        values = [run.metrics[name].value for run in self.runs if name in run.metrics]
        scored = [value for value in values if value is not None]
        return fmean(scored) if scored else None

    def of_group(self, kind: str, group: str, score: str) -> float | None:
        """Compute the mean of a score on a group of the data set's rows over the seeds.

        Args:
            kind: Name of the property by which rows are grouped, such as "domain".
            group: Value of the property in this group, such as "medical".
            score: Name of the score, such as "f1".

        Returns:
            The mean over the runs that have the score, or None if no run has it.
        """
        scores = [run.groups.get(kind, {}).get(group) for run in self.runs]
        values = [scored.metrics.get(score) for scored in scores if scored]
        numbers = [value for value in values if value is not None]
        return fmean(numbers) if numbers else None


def _rows(runs: Sequence[Result]) -> Iterator[Row]:
    """Group the results on a data set into table rows, labelled by the settings that differ."""

    def settings(run: Result) -> str:
        return repr((run.system, run.details, sorted(run.settings.items()), run.inputs))

    grouped = [list(same) for _, same in groupby(sorted(runs, key=settings), key=settings)]
    grouped.sort(key=lambda same: runs.index(same[0]))
    for same in grouped:
        first = same[0]
        others = [group[0].settings for group in grouped if group[0].system == first.system]
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
    values = [run.metrics[score].value for run in row.runs if score in run.metrics]
    return pstdev([value for value in values if value is not None]) if len(values) > 1 else None


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
    kinds = dict.fromkeys(kind for row in rows for run in row.runs for kind in run.groups)
    for kind in kinds:
        sizes: dict[str, int] = {}
        for run in (run for row in rows for run in row.runs):
            for group, scored in run.groups.get(kind, {}).items():
                sizes[group] = scored.rows
        if len(rows) == 1:
            yield _table_of_groups(
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


def _table_of_groups(
    title: str, row: Row, kind: str, sizes: Mapping[str, int], columns: Columns
) -> Table:
    """Create a table of one system's scores, with a row for each group of the data set's rows."""
    scores = {
        heading: [row.of_group(kind, group, score) for group in sizes]
        for heading, score in columns.items()
    }
    scored = {heading: values for heading, values in scores.items() if set(values) != {None}}
    table = Table(title, [kind, "rows", *scored])
    for cells in zip(sizes, sizes.values(), *scored.values(), strict=True):
        table.add(*cells)
    return table
