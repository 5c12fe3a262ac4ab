"""WiC-TSV (Breit et al., EACL 2021): does this word have this sense here?"""

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Any

from ...verification.report import tables
from ..published import WIC_TSV
from ..results import Drawing, Results, Section
from ..tables import Table, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


Curve = tuple[str, dict[str, dict[str, Any]]]  # a label, mean scores by share of the training words


def section(results: Results) -> Section:
    """Accuracy, precision, recall and F1 of every system on every task; learning curves."""
    made = Section(
        "WiC-TSV: target sense verification",
        "Breit, Revenko, Rezaee, Pilehvar and Camacho-Collados, EACL 2021. Task 1: definitions, "
        "task 2: hypernyms, task 3: both.",
    )
    made.show(results, "wic-tsv", tables)
    if made.sources:
        known = [(task, *one.cells) for task, one in WIC_TSV.items()]
        made.tables.append(Table("As published", ("task", "system", "accuracy", "source"), known))
    if curves := list(_curves(results, made.sources)):
        caption = "Accuracy on the development items by share of the training words (± seeds)"
        made.drawings.append(Drawing("wic-tsv-curve", caption, _draw(curves)))
    return made


def _curves(results: Results, shown: Container[str]) -> Iterator[Curve]:
    for result in results.of("wic-tsv"):
        curves = result.content["learning_curve"] if result.name in shown else {}
        for task, systems in curves.items():
            for system, by_share in systems.items():
                if len(by_share) > 1:
                    yield f"{system}, task {task}", by_share


def _draw(curves: list[Curve]) -> "Figure":
    figure = new_figure(6, 4)
    axis = figure.subplots()
    for label, by_share in curves:
        shares = sorted(by_share, key=float)
        axis.errorbar(
            [100 * float(share) for share in shares],
            [100 * by_share[share]["accuracy"] for share in shares],
            [100 * by_share[share]["accuracy_deviation"] for share in shares],
            marker="o",
            capsize=3,
            label=label,
        )
    axis.set(xlabel="training words, %", ylabel="accuracy, %")
    axis.grid(alpha=0.3)
    axis.legend(fontsize="small")
    return figure
