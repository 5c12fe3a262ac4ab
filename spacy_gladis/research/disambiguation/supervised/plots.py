"""Figures: accuracy against cost, and accuracy by training samples of a long form."""

from pathlib import Path
from typing import Any

from ....files import write_text
from ...report.figures import as_svg, new_figure
from .report import sizes

Run = dict[str, Any]


def plot(results: dict[str, Any], folder: Path) -> list[Path]:
    """Draw the figures of every set and setting into `folder`, as SVG; returns the paths.

    Raises MissingExtraError without matplotlib.
    """
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in results["runs"]:
        if "scores" in run:
            groups.setdefault((run["set"], run["setting"]), []).append(run)
    paths = []
    for (name, setting), runs in groups.items():
        stem = f"{name.replace('/', '-')}-{setting}"
        largest = [run for run in runs if run["per_long_form"] == sizes(runs)[-1]]
        paths.append(folder / f"{stem}-cost.svg")
        _cost(f"{name}, {setting}", largest, paths[-1])
        if len(sizes(runs)) > 1:
            paths.append(folder / f"{stem}-curve.svg")
            _curve(f"{name}, {setting}", runs, paths[-1])
    return paths


def _cost(title: str, runs: list[Run], path: Path) -> None:
    figure = new_figure(9, 3.5)
    axes = figure.subplots(1, 2, sharey=True)
    costs = (
        ("train_cpu_seconds", "training, CPU seconds"),
        ("test_cpu_milliseconds_per_row", "a row, CPU milliseconds"),
    )
    for axis, (key, label) in zip(axes, costs, strict=True):
        for run in runs:
            place = max(run[key], 1e-3), 100 * run["scores"]["accuracy"]
            axis.plot(*place, "o", color="tab:blue")
            axis.annotate(run["system"], place, (4, 2), textcoords="offset points", fontsize=7)
        axis.set(xscale="log", xlabel=label)
        axis.grid(alpha=0.3)
    axes[0].set(ylabel="accuracy, %")
    figure.suptitle(title)
    write_text(path, as_svg(figure))


def _curve(title: str, runs: list[Run], path: Path) -> None:
    figure = new_figure(6, 4)
    axis = figure.subplots()
    columns = sizes(runs)
    for system in dict.fromkeys(run["system"] for run in runs):
        found = {run["per_long_form"]: run for run in runs if run["system"] == system}
        points = [(x, found[each]) for x, each in enumerate(columns) if each in found]
        accuracies = [100 * run["scores"]["accuracy"] for _, run in points]
        axis.plot([x for x, _ in points], accuracies, marker="o", label=system)
    axis.set_xticks(range(len(columns)), [str(each or "all") for each in columns])
    axis.set(xlabel="training samples of a long form, at most", ylabel="accuracy, %", title=title)
    axis.grid(alpha=0.3)
    axis.legend(fontsize="x-small")
    write_text(path, as_svg(figure))
