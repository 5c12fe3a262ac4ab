"""WiC-TSV (Breit et al., EACL 2021): does this word have this sense here?"""

from ...tables import Table
from ...wic_tsv.report import tables
from ..published import WIC_TSV
from ..results import Results
from ..section import Section


def section(results: Results) -> Section:
    """Accuracy, precision, recall and F1 of every system on every task."""
    made = Section(
        "WiC-TSV: target sense verification",
        "Breit, Revenko, Rezaee, Pilehvar and Camacho-Collados, EACL 2021. Task 1: definitions, "
        "task 2: hypernyms, task 3: both.",
    )
    made.show(results, "wic-tsv", tables)
    if made.sources:
        known = Table("As published", ("task", "system", "accuracy", "source"))
        for task, one in WIC_TSV.items():
            known.add(task, f"*{one.system}*", *one.scores, f"*{one.source}*")
        made.tables.append(known)
    return made
