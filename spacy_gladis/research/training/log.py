"""A run's log: JSON lines, a record every so many steps, the held-out scores; and its figure."""

import json
import math
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...errors import InputError
from ...files import writing
from ..report.tables import new_figure


class Log:
    """`log.jsonl`, cut back to the checkpoint so that a resumed run writes no step twice.

    done: steps of the checkpoint. report: is given every new record. writes: whether this process
    is the one that writes and reports.
    """

    def __init__(
        self, path: Path, done: int, report: Callable[[dict[str, Any]], None], *, writes: bool
    ) -> None:
        self.path, self.report, self.writes = path, report, writes
        self.best, self.stale = -math.inf, 0
        self.records: list[dict[str, Any]] = []
        for record in _records(path) if path.is_file() else []:
            if record["step"] <= done:
                self._note(record)
        if writes:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(json.dumps(r) + "\n" for r in self.records), "utf8")

    def add(self, record: dict[str, Any]) -> bool:
        """Keep a record; returns whether it holds the best held-out score yet."""
        if self.writes:
            with self.path.open("a", encoding="utf8") as file:
                file.write(json.dumps(record) + "\n")
            self.report(record)
        return self._note(record)

    def _note(self, record: dict[str, Any]) -> bool:
        self.records.append(record)
        if "score" not in record:
            return False
        better: bool = record["score"] > self.best
        self.best = max(self.best, record["score"])
        self.stale = 0 if better else self.stale + 1
        return better


def read_log(folder: Path) -> list[dict[str, Any]]:
    """The records of a run's folder; InputError when it holds no log, or an empty one."""
    path = folder / "log.jsonl"
    records = _records(path) if path.is_file() else []
    if not records:
        raise InputError(f"{folder}: no training log. Give the output folder of a run.")
    return records


def _records(path: Path) -> list[dict[str, Any]]:
    records: list[Any] = []
    for line in path.read_text("utf8").splitlines():
        with suppress(ValueError):  # the last line of a killed run may be a part
            records.append(json.loads(line))
    return [record for record in records if isinstance(record, dict) and "step" in record]


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
    figure = new_figure(9, 3.5, "train")
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
