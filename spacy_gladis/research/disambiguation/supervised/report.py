"""The results as tables: for the terminal and in Markdown."""

from collections.abc import Iterator
from typing import Any

from ...report.tables import Table

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
