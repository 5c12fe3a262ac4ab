"""Memorization vs. Generalization (Elangovan, He and Verspoor, EACL 2021): leakage."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...leakage.report import GRAMS
from ..published import BC2GM
from ..results import Drawing, Results, Section
from ..tables import Table, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Audit = tuple[str, dict[str, Any], str]  # its name, itself, its file


def section(results: Results) -> Section:
    """Similarity of test to training items, of the paper's set and of every other pair."""
    made = Section(
        "Memorization and generalization: leakage",
        "Elangovan, He and Verspoor, EACL 2021: for each test item the best cosine similarity to "
        "any training item (Algorithm 1), means in %.",
    )
    audits = list(_audits(results))
    for result in results.of("leakage", "audit", "leakage_acrobert"):
        made.sources[result.name] = result.command
    for what in ("texts", "annotations"):
        table = Table(f"Mean best similarity of {what}", ("sets", "test", *GRAMS.values(), "by"))
        for name, audit, source in audits:
            if audit[what]:
                means = (audit[what][n]["mean"] for n in GRAMS)
                table.add(name, audit["test"]["items"], *means, source)
            if name == "BC2GM":
                known = BC2GM[what]
                table.add(name, None, *known.scores, f"*{known.source}*")
        if table.rows:
            made.tables.append(table)
    for result in results.of("leakage_acrobert"):
        made.tables.append(_accuracy(result.content["sets"]))
    if audits:
        caption = "Test texts by similarity to training texts, in the paper's intervals (unigrams)"
        made.drawings.append(Drawing("leakage", caption, _by_interval(audits)))
    return made


def _accuracy(sets: dict[str, Any]) -> Table:
    """The packaged model's accuracy (and items) by similarity to its training samples."""
    intervals = next(iter(sets.values()))["metrics"]["1"]["intervals"]
    title = "Accuracy of the packaged model by similarity to its training samples (unigrams)"
    table = Table(title, ("set", *(name for one in intervals for name in (one, "items"))))
    for name, one in sets.items():
        parts = one["metrics"]["1"]["intervals"].values()
        cells = ((p["scores"]["accuracy"], p["items"]) if p else (None, 0) for p in parts)
        table.add(name, *(cell for pair in cells for cell in pair))
    return table


def _by_interval(audits: list[Audit]) -> "Figure":
    figure = new_figure(9, 2 + 0.3 * len(audits))
    axis = figure.subplots()
    names = [name for name, _, _ in audits]
    left = [0.0] * len(audits)
    for interval in audits[0][1]["texts"]["1"]["intervals"]:
        profiles = [audit["texts"]["1"] for _, audit, _ in audits]
        shares = [100 * one["intervals"][interval] / one["items"] for one in profiles]
        axis.barh(names, shares, left=left, label=interval)
        left = [before + share for before, share in zip(left, shares, strict=True)]
    axis.invert_yaxis()
    axis.set(xlabel="test texts, %", xlim=(0, 100))
    axis.legend(fontsize="small", ncols=4, loc="lower left", bbox_to_anchor=(0, 1))
    return figure


def _audits(results: Results) -> Iterator[Audit]:
    for result in results.of("leakage"):
        for name, audit in result.content.get("audits", {}).items():
            yield name, audit, result.name
    for result in results.of("audit"):
        names = (Path(name).name for name in result.content["names"])
        yield " to ".join(names), result.content, result.name
