"""Figures of an audit, as SVG to stand in a page."""

from typing import Any

from ..report.figures import as_svg, new_figure

GRAMS = {"1": "unigrams", "2": "bigrams", "3": "trigrams"}


def similarity_figure(report: dict[str, Any]) -> str:
    """Test items by interval of similarity and, where there are metrics, those by interval.

    Raises MissingExtraError without matplotlib.
    """
    panels = [what for what in ("texts", "annotations", "metrics") if report.get(what)]
    figure = new_figure(5 * len(panels), 3.6)
    for axis, what in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        if what == "metrics":
            _metrics(axis, report["metrics"]["1"])
        else:
            _intervals(axis, what, report[what])
    return as_svg(figure)


def _intervals(axis: Any, what: str, profiles: dict[str, Any]) -> None:
    width = 0.8 / len(profiles)
    for index, (n, profile) in enumerate(profiles.items()):
        counts = profile["intervals"]
        percentages = [100 * count / profile["items"] for count in counts.values()]
        at = [number + (index - (len(profiles) - 1) / 2) * width for number in range(len(counts))]
        axis.bar(at, percentages, width, label=GRAMS[n])
        axis.set_xticks(range(len(counts)), list(counts))
    axis.set(title=what, xlabel="best similarity to a training item", ylabel="test items, %")
    axis.legend(fontsize="small")


def _metrics(axis: Any, metrics: dict[str, Any]) -> None:
    parts = {name: part for name, part in metrics["intervals"].items() if part}
    for name in metrics["all"]["scores"]:
        values = [100 * part["scores"][name] for part in parts.values()]
        axis.plot(list(parts), values, marker="o", label=name.replace("_", " "))
    axis.set(title="metrics", xlabel="best similarity to a training text (unigrams)", ylabel="%")
    axis.set_ylim(0, 102)
    axis.legend(fontsize="x-small")
