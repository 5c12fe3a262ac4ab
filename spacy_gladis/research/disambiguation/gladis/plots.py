"""Figures of an evaluation: scores by number of candidates (GLADIS Figures 3, A1); confidence."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....files import write_text
from ...report.figures import as_svg, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot(results: dict[str, Any], folder: Path) -> list[Path]:
    """Draw two figures for each set of a results file into `folder`, as SVG; returns the paths.

    Raises MissingExtraError without matplotlib.
    """
    paths = []
    for name, found in results["sets"].items():
        if not found["systems"]:
            continue
        for kind, draw in KINDS.items():
            paths.append(folder / f"{name.replace('/', '-')}-{kind}.svg")
            write_text(paths[-1], as_svg(draw(name, found["systems"])))
    return paths


def by_candidates(name: str, systems: dict[str, Any]) -> "Figure":
    """Accuracy and macro F1 in ten equal parts of the rows by their number of candidates."""
    figure = new_figure(9, 3.5)
    axes = figure.subplots(1, 2, sharey=True)
    keys = (("accuracy", "accuracy"), ("gladis_macro_f1", "macro F1 (GLADIS)"))
    for axis, (key, label) in zip(axes, keys, strict=True):
        for system, one in systems.items():
            values = [100 * chunk["scores"][key] for chunk in one["by_candidates"]]
            axis.plot(range(1, len(values) + 1), values, marker="o", label=system)
        chunks = next(iter(systems.values()))["by_candidates"]
        names = [f"{chunk['candidates']:.0f}" for chunk in chunks]
        axis.set_xticks(range(1, len(chunks) + 1), names)
        axis.set(xlabel="mean number of candidates (tenths of the rows)", ylabel=f"{label}, %")
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize="small")
    figure.suptitle(name)
    return figure


def by_coverage(name: str, systems: dict[str, Any]) -> "Figure":
    """Right answers among the surest, by how many are answered."""
    figure = new_figure(4.5, 3.5)
    axis = figure.subplots()
    for system, one in systems.items():
        points = one["confidence"]["precision_at_coverage"]
        coverage = [100 * float(key) for key in points]
        axis.plot(coverage, [100 * value for value in points.values()], marker="o", label=system)
    axis.set(xlabel="rows answered, surest first, %", ylabel="right answers, %", title=name)
    axis.grid(alpha=0.3)
    axis.legend(fontsize="small")
    return figure


KINDS = {"candidates": by_candidates, "coverage": by_coverage}
