"""SciAI and SciAD (Pouran Ben Veyseh et al., COLING 2020) and their shared tasks, and Ab3P."""

from ...disambiguation.supervised.report import tables as disambiguation_tables
from ...extraction.bioc.report import tables as pair_tables
from ...extraction.sciai.report import tables as span_tables
from ..published import AB3P, SCIAI
from ..results import Result, Results, Section
from ..tables import Table


def section(results: Results) -> Section:
    """Identification, extraction and the seeds' disambiguators."""
    made = Section(
        "SciAI and SciAD: identification and disambiguation",
        "Pouran Ben Veyseh et al., COLING 2020, and the SDU shared tasks of AAAI 2021 and 2022. "
        "Spans must be exact; scores are means over acronyms and long forms.",
    )
    for kind in ("sciai", "sdu22-ae"):
        made.show(results, kind, span_tables)
    if known := [one for one in results.of("sciai") if one.name in made.sources]:
        made.tables.append(_identification(known))
    made.show(results, "bioc", pair_tables)
    if any(results.of("bioc")):
        title, rows = "Ab3P corpus: what is known of other tools", [one.cells for one in AB3P]
        made.tables.append(Table(title, ("system", "F1", "source"), rows))
    made.show(results, "ad", disambiguation_tables)
    return made


def _identification(results: list[Result]) -> Table:
    table = Table("Identification on SciAI", ("set", "system", "P", "R", "macro F1", "source"))
    for result in results:
        for name, found in result.content["sets"].items():
            for system, one in found["systems"].items():
                scores = (one["macro"][key] for key in ("precision", "recall", "f1"))
                table.add(name, system, *scores, result.name)
    for one in SCIAI:
        table.add("SciAI", *one.cells)
    return table
