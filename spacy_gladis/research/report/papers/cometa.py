"""COMETA (Basaldella et al., EMNLP 2020): linking of people's words to concepts."""

from ...linking.report import tables
from ..published import LINKING
from ..results import Results, Section
from ..tables import Table


def section(results: Results) -> Section:
    """Accuracy of every linking system on every split."""
    made = Section(
        "COMETA: concept linking",
        "Basaldella, Liu, Shareghi and Collier, EMNLP 2020. Acc@1, Acc@10 and mean reciprocal "
        "rank; a phrase whose concept is outside the inventory counts as wrong.",
    )
    made.show(results, "cometa", tables)
    if made.tables:
        bars = [known.cells for known in LINKING]
        made.tables.append(Table("Bars to know", ("system", "Acc@1", "source"), bars))
    return made
