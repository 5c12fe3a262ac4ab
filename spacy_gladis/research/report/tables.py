"""One table, shown on a terminal, in Markdown or in HTML; and figures that all look alike."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...errors import require
from ...output.templates import environment

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.table import Table as RichTable

Cell = str | int | float | None


@dataclass
class Table:
    """A title, column names and rows; floats are shares and shown as percentages."""

    title: str
    columns: Sequence[str]
    rows: list[Any] = field(default_factory=list)  # sequences of cells

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


def page(template: str, **values: Any) -> str:
    """A page in HTML that needs no other file, by one of the templates of this folder."""
    return environment(__package__).get_template(template).render(values, show=show, as_svg=as_svg)


def show(cell: Cell) -> str:
    """A cell as text: floats as percentages with one decimal, numbers with separators."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{100 * cell:.1f}"
    return f"{cell:,}" if isinstance(cell, int) else cell.replace("\n", " ")


def new_figure(width: float, height: float, extra: str = "evaluation") -> "Figure":
    """An empty figure, in inches. Raises MissingExtraError without matplotlib, naming the extra."""
    matplotlib = require("matplotlib", extra)
    from matplotlib.figure import Figure

    matplotlib.rcParams.update({"svg.hashsalt": "gladis", "svg.fonttype": "none"})
    return Figure(figsize=(width, height), layout="constrained")


def as_svg(figure: Any) -> str:
    """The figure as an `<svg>` element, which stands in a page or in a file of its own."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None})
    return re.sub(r"^.*?(?=<svg)", "", stream.getvalue(), flags=re.DOTALL)
