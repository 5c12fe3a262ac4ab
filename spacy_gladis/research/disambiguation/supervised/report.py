"""The results as tables: for the terminal and in Markdown."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ....files import write_text
from ...report.tables import Table, as_svg, new_figure

Results = dict[str, Any]
Run = dict[str, Any]

SCORES = {
    "accuracy": "accuracy",
    "F1 (GLADIS)": "gladis_macro_f1",
    "P (SDU)": "sdu_macro_precision",
    "R (SDU)": "sdu_macro_recall",
    "F1 (SDU)": "sdu_macro_f1",
    "F1 (sklearn)": "sklearn_macro_f1",
}
BRIEF = {"accuracy": "accuracy", "F1 GLADIS": "gladis_macro_f1", "F1 SDU": "sdu_macro_f1"}
COSTS = {
    "train s": ("train_cpu_seconds", 1),
    "ms a row": ("test_cpu_milliseconds_per_row", 2),
    "MB": ("peak_memory_megabytes", 0),
}


NOTE = (
    "Accuracy with its 95 % bootstrap interval; macro F1 by three definitions; seconds are CPU "
    "seconds on one core; MB is the most memory that the system's process held.\n"
)


def tables(results: Results, *, brief: bool = False) -> Iterator[Table]:
    """A table for each set, setting and number of training samples; then the curves.

    brief: three scores, without intervals and published figures, to fit a terminal.
    """
    for name, found in results["sets"].items():
        for setting, rows in found["splits"].items():
            runs = [r for r in results["runs"] if r["set"] == name and r["setting"] == setting]
            for each in sizes(runs):
                chosen = [r for r in runs if r["per_long_form"] == each and "scores" in r]
                if chosen:
                    table = _table(_title(chosen[0], rows), chosen, BRIEF if brief else SCORES)
                    if not brief and setting == "closed" and each is None:
                        _add_published(table, name, results["published"])
                    yield table
            if len(sizes(runs)) > 1:
                yield _curve(name, setting, runs)


def markdown(results: Results) -> str:
    """The whole report."""
    parts = [f"# Acronym disambiguation with training\n\n`{results['command']}`\n", NOTE]
    parts += [table.markdown() for table in tables(results)]
    if errors := [run for run in results["runs"] if "error" in run]:
        lines = [
            f"- {run['set']}, {run['setting']}, {run['system']}: {run['error']}" for run in errors
        ]
        parts.append("**Not measured**\n\n" + "\n".join(lines) + "\n")
    if results["left_out"]:
        lines = [f"- {name}: {reason}" for name, reason in results["left_out"].items()]
        parts.append("**Left out**\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def sizes(runs: list[Run]) -> list[int | None]:
    """The numbers of training samples a long form, ascending; None (all of them) last."""
    found = {run["per_long_form"] for run in runs}
    return sorted(found, key=lambda each: (each is None, each or 0))


def _title(run: Run, rows: dict[str, int]) -> str:
    each = run["per_long_form"]
    limit = f" (at most {each} a long form)" if each else ""
    return (
        f"{run['set']}, {run['setting']}: {run['train_rows']:,} training{limit}, "
        f"{rows['test']:,} test rows"
    )


def _table(title: str, runs: list[Run], scores: dict[str, str]) -> Table:
    table = Table(title, ("system", *scores, *COSTS))
    for run in runs:
        cells = [run["scores"][key] for key in scores.values()]
        if scores is SCORES and run["intervals"]:
            low, high = run["intervals"]["accuracy"]
            cells[0] = f"{100 * cells[0]:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
        costs = (f"{run[key]:,.{digits}f}" for key, digits in COSTS.values())
        table.add(run["system"], *cells, *costs)
    return table


def _add_published(table: Table, name: str, published: list[dict[str, Any]]) -> None:
    for one in published:
        if one["set"] == name:
            label = f"*{one['system']}: {one['source']}; {one['rows']}*"
            scores = [one.get(key) for key in SCORES.values()]
            table.add(label, *scores, *(None for _ in COSTS))


def _curve(name: str, setting: str, runs: list[Run]) -> Table:
    columns = sizes(runs)
    table = Table(
        f"{name}, {setting}: accuracy by training samples of a long form",
        ("system", *(f"at most {each}" if each else "all" for each in columns)),
    )
    for system in dict.fromkeys(run["system"] for run in runs):
        found = {
            r["per_long_form"]: r["scores"]["accuracy"]
            for r in runs
            if r["system"] == system and "scores" in r
        }
        table.add(system, *(found.get(each) for each in columns))
    return table


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
        _draw_cost(f"{name}, {setting}", largest, paths[-1])
        if len(sizes(runs)) > 1:
            paths.append(folder / f"{stem}-curve.svg")
            _draw_curve(f"{name}, {setting}", runs, paths[-1])
    return paths


def _draw_cost(title: str, runs: list[Run], path: Path) -> None:
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


def _draw_curve(title: str, runs: list[Run], path: Path) -> None:
    figure = new_figure(6, 4)
    axis = figure.subplots()
    columns = sizes(runs)
    for system in dict.fromkeys(run["system"] for run in runs):
        found = {run["per_long_form"]: run for run in runs if run["system"] == system}
        points = [(x, found[each]) for x, each in enumerate(columns) if each in found]
        if len(points) < 2:  # measured with all samples alone: the other figure has it
            continue
        accuracies = [100 * run["scores"]["accuracy"] for _, run in points]
        axis.plot([x for x, _ in points], accuracies, marker="o", label=system)
    axis.set_xticks(range(len(columns)), [str(each or "all") for each in columns])
    axis.set(xlabel="training samples of a long form, at most", ylabel="accuracy, %", title=title)
    axis.grid(alpha=0.3)
    axis.legend(fontsize="x-small")
    write_text(path, as_svg(figure))
