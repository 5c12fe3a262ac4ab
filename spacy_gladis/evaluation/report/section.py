"""A part of the report: what it is about, its tables and its figures."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ..tables import Table

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

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.tables and not self.drawings
