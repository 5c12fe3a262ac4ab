"""Figures of an evaluation: scores by number of candidates (GLADIS Figures 3, A1); confidence."""

from pathlib import Path
from typing import Any

from ...errors import missing_extra
from ...files import writing


def plot(results: dict[str, Any], folder: Path) -> list[Path]:
    """Draw two figures for each set of a results file into `folder`, as SVG; returns the paths.

    Raises MissingExtraError without matplotlib.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise missing_extra("matplotlib", "evaluation") from error
    matplotlib.use("svg")
    # The same results draw the same bytes.
    matplotlib.rcParams.update({"svg.hashsalt": "gladis", "svg.fonttype": "none"})

    paths = []
    for name, found in results["sets"].items():
        if not found["systems"]:
            continue
        stem = name.replace("/", "-")
        candidates, confidence = (folder / f"{stem}-{kind}.svg" for kind in KINDS)
        _by_candidates(name, found["systems"], candidates)
        _by_coverage(name, found["systems"], confidence)
        paths += [candidates, confidence]
    return paths


KINDS = ("candidates", "coverage")


def _by_candidates(name: str, systems: dict[str, Any], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.5), layout="constrained")
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
    _save(figure, path)


def _by_coverage(name: str, systems: dict[str, Any], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.5, 3.5), layout="constrained")
    axis = figure.subplots()
    for system, one in systems.items():
        points = one["confidence"]["precision_at_coverage"]
        coverage = [100 * float(key) for key in points]
        axis.plot(coverage, [100 * value for value in points.values()], marker="o", label=system)
    axis.set(xlabel="rows answered, surest first, %", ylabel="right answers, %", title=name)
    axis.grid(alpha=0.3)
    axis.legend(fontsize="small")
    _save(figure, path)


def _save(figure: Any, path: Path) -> None:
    with writing(path) as temporary:
        figure.savefig(temporary, format="svg", metadata={"Date": None})
