"""A part of the report: what it is about, its tables and its figures."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from .results import Results
from .tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Drawing(NamedTuple):
    """A figure, what it shows and the name of its file."""

    name: str
    caption: str
    figure: "Figure"


@dataclass
class Section:
    """One paper, or what is measured beyond the papers.

    about: a sentence or two in plain text. sources: the commands whose results are shown.
    """

    title: str
    about: str
    tables: list[Table] = field(default_factory=list)
    drawings: list[Drawing] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)

    def show(
        self,
        results: Results,
        kind: str,
        tables: Callable[[dict[str, Any]], Iterable[Table]],
    ) -> None:
        """Add the tables of each result of a kind, under its name.

        A file of another version, which `tables` cannot read, is left out and told of.
        """
        for result in results.of(kind):
            try:
                made = [
                    Table(f"{result.name}: {table.title}", table.columns, table.rows)
                    for table in tables(result.content)
                ]
            except (  # noqa: PERF203 (one file must not spoil the report)
                KeyError,
                TypeError,
                ValueError,
                IndexError,
                AttributeError,
            ) as error:
                results.left_out.append(f"{result.name}.json: of another version ({error!r})")
            else:
                self.tables += made
                self.sources[result.name] = result.command

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.tables and not self.drawings
