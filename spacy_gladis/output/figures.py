"""Figures as a table, shown on a terminal or in Markdown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table as RichTable

Cell = str | int | float | None
Columns = Mapping[str, str | Callable[[Any], Cell]]
"""Names of columns, each with the keys of its cells in a record, joined by dots, or what makes a
cell of a record."""


@dataclass
class Table:
    """A title, column names and rows; floats are shares and shown as percentages."""

    title: str
    columns: Sequence[str]
    rows: list[Any] = field(default_factory=list)  # sequences of cells

    @classmethod
    def of(cls, title: str, names: Sequence[str], columns: Columns, rows: Iterable[Any]) -> "Table":
        """A row for each of `rows`: as many cells as there are `names`, then a record."""
        made = [
            (*cells, *(_pick(record, one) for one in columns.values())) for *cells, record in rows
        ]
        return cls(title, (*names, *columns), made)

    def add(self, *cells: Cell) -> None:
        self.rows.append(cells)

    def markdown(self) -> str:
        """The table in Markdown, its title in bold above it."""
        lines = [self.columns, ["---"] + ["--:"] * (len(self.columns) - 1)]
        lines += [[show(cell).replace("|", "\\|") for cell in row] for row in self.rows]
        body = "\n".join("| " + " | ".join(line) + " |" for line in lines)
        return f"**{self.title}**\n\n{body}\n"

    def rich(self) -> "RichTable":
        """The table for `rich.print`."""
        from rich.markup import escape as plain
        from rich.table import Table as RichTable

        table = RichTable(title=plain(self.title), title_justify="left")
        for number, name in enumerate(self.columns):
            table.add_column(name, justify="right" if number else "left")
        for row in self.rows:
            table.add_row(*(plain(show(cell)) for cell in row))
        return table


def _pick(record: Any, column: str | Callable[[Any], Cell]) -> Cell:
    """The cell of a column; None where the record has none."""
    if callable(column):
        return column(record)
    for key in column.split("."):
        record = record.get(key) if record else None
    cell: Cell = record
    return cell


def show(cell: Cell) -> str:
    """A cell as text: floats as percentages with one decimal, numbers with separators."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{100 * cell:.1f}"
    return f"{cell:,}" if isinstance(cell, int) else cell.replace("\n", " ")
