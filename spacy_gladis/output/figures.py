"""Tables of numbers that can be printed in the terminal or written as Markdown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table as RichTable

Cell = str | int | float | None
Columns = Mapping[str, str | Callable[[Any], Cell]]
"""A mapping from the name of each column to the way its cells are read from a record.

The way is either a path of keys such as ``"counts.documents"``, or a function that takes the record
and returns the cell.
"""


@dataclass
class Table:
    """A table of numbers to show in the terminal or in a Markdown document.

    Floats are shares between 0 and 1, which are shown as percentages.

    Attributes:
        title: Title of the table.
        columns: Names of the columns. The first column is aligned to the left, the others to the
            right.
        rows: Rows of the table. Each row is a sequence with a cell for each column.
    """

    title: str
    columns: Sequence[str]
    rows: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, title: str, names: Sequence[str], columns: Columns, rows: Iterable[Any]) -> "Table":
        """Create a table from records, such as dictionaries that were read from JSON files.

        Args:
            title: Title of the table.
            names: Names of the first columns, whose cells are given in `rows`.
            columns: The other columns, with the way their cells are read from the records.
            rows: For each row, a sequence with the cells of the first columns and then the record.

        Returns:
            A table with a row for each record.
        """
        cells_of_rows = [
            (*cells, *(_pick(record, column) for column in columns.values()))
            for *cells, record in rows
        ]
        return cls(title, (*names, *columns), cells_of_rows)

    def add(self, *cells: Cell) -> None:
        """Add a row to the end of the table.

        Args:
            *cells: One cell for each column.
        """
        self.rows.append(cells)

    def markdown(self) -> str:
        """Return the table in Markdown, with its title in bold above it.

        Returns:
            The lines of the title and the table, with a line feed at the end.
        """
        lines = [self.columns, ["---"] + ["--:"] * (len(self.columns) - 1)]
        lines += [[show(cell).replace("|", "\\|") for cell in row] for row in self.rows]
        body = "\n".join("| " + " | ".join(line) + " |" for line in lines)
        return f"**{self.title}**\n\n{body}\n"

    def rich(self) -> "RichTable":
        """Return the table as an object of the library rich, which can print it to a terminal.

        Returns:
            The table, to pass to `rich.print` or to a rich console.
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
    """Read a table cell from a record. The cell is None if the record lacks the key."""
    if callable(column):
        return column(record)
    for key in column.split("."):
        record = record.get(key) if record else None
    cell: Cell = record
    return cell


def show(cell: Cell) -> str:
    """Return the text that a table shows for a cell.

    For example, ``0.125`` becomes ``"12.5"``, ``1200`` becomes ``"1,200"`` and None becomes
    ``"-"``.

    Args:
        cell: A share between 0 and 1 as a float, an integer, a text, or None for an empty cell.

    Returns:
        The percentage of a share, an integer with thousands separators, or the text on a single
        line.
    """
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{100 * cell:.1f}"
    return f"{cell:,}" if isinstance(cell, int) else cell.replace("\n", " ")
