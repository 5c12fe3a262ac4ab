"""Tables of numbers, for the terminal and as Markdown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table as RichTable

Cell = str | int | float | None
Columns = Mapping[str, str | Callable[[Any], Cell]]
"""A mapping from the name of each column to the way its cells are read from a record.

The way is a path of keys joined by dots, or a function that takes the record and returns the cell.
"""


@dataclass
class Table:
    """A table of numbers. Floats are shares and are shown as percentages.

    Attributes:
        title: The title of the table.
        columns: The names of the columns.
        rows: The rows. Each row is a sequence of cells.
    """

    title: str
    columns: Sequence[str]
    rows: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, title: str, names: Sequence[str], columns: Columns, rows: Iterable[Any]) -> "Table":
        """Create a table from records.

        Args:
            title: The title of the table.
            names: The names of the first columns.
            columns: The other columns, whose cells are read from the record.
            rows: For each row, a sequence of the cells of the first columns, followed by the
                record.

        Returns:
            The table.
        """
        cells_of_rows = [
            (*cells, *(_pick(record, column) for column in columns.values()))
            for *cells, record in rows
        ]
        return cls(title, (*names, *columns), cells_of_rows)

    def add(self, *cells: Cell) -> None:
        """Add a row to the table.

        Args:
            *cells: The row's cells.
        """
        self.rows.append(cells)

    def markdown(self) -> str:
        """Return the table as Markdown, with its title in bold above it.

        Returns:
            The Markdown text.
        """
        lines = [self.columns, ["---"] + ["--:"] * (len(self.columns) - 1)]
        lines += [[show(cell).replace("|", "\\|") for cell in row] for row in self.rows]
        body = "\n".join("| " + " | ".join(line) + " |" for line in lines)
        return f"**{self.title}**\n\n{body}\n"

    def rich(self) -> "RichTable":
        """Return the table as a rich table, which `rich.print` can print.

        Returns:
            The rich table.
        """
        from rich.markup import escape
        from rich.table import Table as RichTable

        table = RichTable(title=escape(self.title), title_justify="left")
        for number, name in enumerate(self.columns):
            table.add_column(name, justify="right" if number else "left")
        for row in self.rows:
            table.add_row(*(escape(show(cell)) for cell in row))
        return table


def _pick(record: Any, column: str | Callable[[Any], Cell]) -> Cell:
    """Read the cell of a column from a record; it is None if the record has no such key."""
    if callable(column):
        return column(record)
    for key in column.split("."):
        record = record.get(key) if record else None
    cell: Cell = record
    return cell


def show(cell: Cell) -> str:
    """Return the text that is shown for a cell.

    Args:
        cell: The cell.

    Returns:
        Floats as percentages with one decimal, integers with separators, and "-" for None.
    """
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{100 * cell:.1f}"
    return f"{cell:,}" if isinstance(cell, int) else cell.replace("\n", " ")
