"""Figures for reports: one look, and the same bytes from the same results."""

import io
import re
from typing import TYPE_CHECKING, Any

from ...errors import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_figure(width: float, height: float) -> "Figure":
    """An empty figure, in inches. Raises MissingExtraError without matplotlib."""
    matplotlib = require("matplotlib", "evaluation")
    from matplotlib.figure import Figure

    matplotlib.rcParams.update({"svg.hashsalt": "gladis", "svg.fonttype": "none"})
    return Figure(figsize=(width, height), layout="constrained")


def as_svg(figure: Any) -> str:
    """The figure as an `<svg>` element, which stands in a page or in a file of its own."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None})
    return re.sub(r"^.*?(?=<svg)", "", stream.getvalue(), flags=re.DOTALL)
