"""PsyTAR: patients' words for reactions, symptoms and indications, with their sentences."""

import csv
from collections.abc import Iterator
from pathlib import Path

from ....concepts.mention import ConceptMention
from ....concepts.readers.psytar import psytar_concepts, psytar_rows
from ....documents.lines import read_lines
from ....problem import Problem, Report, log_problem
from .rows import csv_rows

_SENTENCE = ("drug_id", "sentence_index", "sentences")


def read_psytar(
    folder: Path, vocabulary: str = "UMLS", report: Report = log_problem
) -> Iterator[ConceptMention]:
    """Yield the mapped phrases with an id of `vocabulary` (UMLS or SNOMEDCT).

    A row's second concept is as right as its first. Rows without an id and phrases that do not
    stand in their sentence word for word go to `report`; the latter are kept.
    """
    sentences = _sentences(folder / "Sentence_Labeling.tsv", report)
    for sheet, number, row in psytar_rows(folder, report):
        path, phrase = str(folder / f"{sheet}_Mapped.tsv"), row[3].strip()
        concepts = tuple(dict.fromkeys(one.id for one in psytar_concepts(row, vocabulary)))
        if not phrase or not concepts:
            report(Problem("no id", path, number, phrase))
            continue
        text = sentences.get((row[1], row[2]), "")
        start = text.lower().find(phrase.lower())
        if start < 0:
            report(Problem("phrase not in its sentence", path, number, phrase))
        yield ConceptMention(phrase, concepts, text, start, row[1], sheet)


def _sentences(path: Path, report: Report) -> dict[tuple[str, str], str]:
    if not path.is_file():
        report(Problem("no sheet", str(path), 0, "phrases have no sentences"))
        return {}
    lines = (raw.decode("utf-8", "replace") for _, raw in read_lines(path, report))

    def broken(number: int, detail: str) -> None:
        report(Problem("no row", str(path), number, detail))

    rows = csv_rows(lines, broken, delimiter="\t", quoting=csv.QUOTE_NONE)
    found = ([row.get(name) or "" for name in _SENTENCE] for _, row in rows)
    return {(document, index): sentence for document, index, sentence in found}
