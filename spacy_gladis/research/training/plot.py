"""The log of a run as a figure: losses, accuracies and the held-out score by step."""

from pathlib import Path
from typing import Any

from ...errors import InputError
from ...files import writing
from ..report.tables import new_figure
from .log import read_log

NOT_DRAWN = ("step", "samples_per_second", "seconds_left")
FORMATS = (".svg", ".png", ".pdf")


def plot_log(folder: Path, output: Path) -> None:
    """Draw `log.jsonl` of a run's folder into `output`, an SVG, PNG or PDF file.

    Raises InputError without a log or for another kind of file, MissingExtraError without
    matplotlib.
    """
    if output.suffix not in FORMATS:
        raise InputError(f"{output}: give a file that ends in {', '.join(FORMATS)}")
    records = read_log(folder)
    curves: dict[str, list[tuple[int, float]]] = {}
    for record in records:
        for name, value in record.items():
            if name not in NOT_DRAWN and isinstance(value, int | float):
                curves.setdefault(name, []).append((record["step"], value))
    losses = {name: curve for name, curve in curves.items() if "loss" in name}
    shares = {name: curve for name, curve in curves.items() if name not in losses}
    figure = new_figure(9, 3.5)
    left, right = figure.subplots(1, 2)
    for axis, drawn, label in ((left, losses, "loss"), (right, shares, "share or score")):
        _draw(axis, drawn)
        axis.set(xlabel="step", ylabel=label)
    figure.suptitle(folder.name)
    with writing(output) as temporary:
        figure.savefig(temporary, format=output.suffix[1:])


def _draw(axis: Any, curves: dict[str, list[tuple[int, float]]]) -> None:
    for name, curve in curves.items():
        marker = "o" if "score" in name or name.startswith("held_out") else ""
        axis.plot(*zip(*curve, strict=True), label=name.replace("_", " "), marker=marker)
    axis.grid(alpha=0.3)
    if curves:
        axis.legend(fontsize="small")
