"""An audit as a report: tables in Markdown, or a page of its own with figures (SVG)."""

from collections.abc import Iterator
from typing import Any

from ..report.tables import Table, as_svg, new_figure, page

GRAMS = {"1": "unigrams", "2": "bigrams", "3": "trigrams"}

Report = dict[str, Any]


def tables(report: Report) -> Iterator[Table]:
    """The tables of an audit, the texts of the closest pairs apart."""
    yield _sizes(report)
    for what in ("texts", "annotations"):
        if report[what]:
            yield _profile(what, report[what])
    yield _shared(report)
    for n, metrics in report.get("metrics", {}).items():
        yield from _metrics(n, metrics)


def markdown(report: Report) -> str:
    """The audit in Markdown."""
    parts = [f"# Leakage from {report['names'][0]} to {report['names'][1]}\n"]
    parts += [table.markdown() for table in tables(report)]
    if report["closest"]:
        parts.append(_closest(report).markdown())
    return "\n".join(parts)


def html(report: Report) -> str:
    """The audit as one HTML page with its figures inside; needs matplotlib."""
    title = f"Leakage from {report['names'][0]} to {report['names'][1]}"
    return page(
        "audit.jinja",
        title=title,
        tables=tables(report),
        figure=similarity_figure(report),
        closest=_closest(report) if report["closest"] else None,
    )


def _sizes(report: Report) -> Table:
    rows = [(side, *report[side].values()) for side in ("train", "test")]
    return Table("Sets", ("set", "items", "distinct texts", "annotations", "documents"), rows)


def _profile(what: str, profiles: Report) -> Table:
    intervals = next(iter(profiles.values()))["intervals"]
    columns = (what, "mean", "quartile 1", "median", "quartile 3", *intervals, "without any")
    rows = [
        (GRAMS[n], one["mean"], *one["quartiles"], *one["intervals"].values(), one["empty"])
        for n, one in profiles.items()
    ]
    return Table(f"Best similarity of test {what} to training {what}, % (and items)", columns, rows)


def _shared(report: Report) -> Table:
    table = Table("What both sets have", ("", "in the test set", "also in training", "share"))

    def add(name: str, total: int, shared: int) -> None:
        table.add(name, total, shared, shared / total if total else None)

    add("equal texts", report["test"]["items"], report["duplicate_texts"])
    if report["annotations"]:
        total = report["test"]["annotations"]
        add("equal annotations", total, report["duplicate_annotations"])
    for key, name in (("acronyms", "acronyms"), ("pairs", "(acronym, long form) pairs")):
        if report[key]:
            add(name, report[key]["test"], report[key]["shared"])
            held = report[key]["items_with_shared"]
            add(f"items with shared {name}", report["test"]["items"], held)
    return table


def _metrics(n: str, metrics: Report) -> Iterator[Table]:
    names = metrics["all"]["scores"]
    columns = ("similarity", "from", "to", "items", *(name.replace("_", " ") for name in names))
    for kind, parts in (("interval", metrics["intervals"]), ("quarter", metrics["quartiles"])):
        table = Table(f"Metrics by {kind} of text similarity ({GRAMS[n]}), %", columns)
        for name, part in {**parts, "all": metrics["all"]}.items():
            if part:
                table.add(name, *part["similarity"], part["items"], *part["scores"].values())
            else:
                table.add(name, None, None, 0, *(None for _ in names))
        yield table


def _closest(report: Report) -> Table:
    rows = [
        (pair["similarity"], pair["test"]["text"], pair["train"]["text"])
        for pair in report["closest"]
    ]
    return Table("The closest texts that are not equal", ("similarity", "test", "training"), rows)


def similarity_figure(report: dict[str, Any]) -> str:
    """Test items by interval of similarity and, where there are metrics, those by interval.

    Raises MissingExtraError without matplotlib.
    """
    panels = [what for what in ("texts", "annotations", "metrics") if report.get(what)]
    figure = new_figure(5 * len(panels), 3.6)
    for axis, what in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        if what == "metrics":
            _draw_metrics(axis, report["metrics"]["1"])
        else:
            _draw_intervals(axis, what, report[what])
    return as_svg(figure)


def _draw_intervals(axis: Any, what: str, profiles: dict[str, Any]) -> None:
    width = 0.8 / len(profiles)
    for index, (n, profile) in enumerate(profiles.items()):
        counts = profile["intervals"]
        percentages = [100 * count / profile["items"] for count in counts.values()]
        at = [number + (index - (len(profiles) - 1) / 2) * width for number in range(len(counts))]
        axis.bar(at, percentages, width, label=GRAMS[n])
        axis.set_xticks(range(len(counts)), list(counts))
    axis.set(title=what, xlabel="best similarity to a training item", ylabel="test items, %")
    axis.legend(fontsize="small")


def _draw_metrics(axis: Any, metrics: dict[str, Any]) -> None:
    parts = {name: part for name, part in metrics["intervals"].items() if part}
    for name in metrics["all"]["scores"]:
        values = [100 * part["scores"][name] for part in parts.values()]
        axis.plot(list(parts), values, marker="o", label=name.replace("_", " "))
    axis.set(title="metrics", xlabel="best similarity to a training text (unigrams)", ylabel="%")
    axis.set_ylim(0, 102)
    axis.legend(fontsize="x-small")
