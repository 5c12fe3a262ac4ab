"""PsyTAR: patients' words for reactions, symptoms and indications, with their sentences."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...concepts import ConceptMention
from ...concepts.readers.psytar import psytar_concepts, psytar_rows
from ...problem import Problem, Report, log_problem
from .files import table_rows

SENTENCES = "Sentence_Labeling.tsv"


class PatientSentence(NamedTuple):
    """A sentence of a patient's report of a drug; `number` counts within it."""

    id: str
    document: str
    number: str
    text: str


def read_psytar(
    folder: Path, vocabulary: str = "UMLS", report: Report = log_problem
) -> Iterator[ConceptMention]:
    """Yield the mapped phrases with an id of `vocabulary` (UMLS or SNOMEDCT).

    A row's second concept is as right as its first. Rows without an id and phrases that do not
    stand in their sentence word for word go to `report`; the latter are kept.
    """
    sentences: dict[tuple[str, str], str] = {}
    if (folder / SENTENCES).is_file():
        for one in read_psytar_sentences(folder / SENTENCES, report):
            sentences[one.document, one.number] = one.text
    else:
        detail = "phrases have no sentences"
        report(Problem("no sheet", str(folder / SENTENCES), 0, detail))
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


def read_psytar_sentences(path: Path, report: Report = log_problem) -> Iterator[PatientSentence]:
    """Yield the rows of the sheet of sentences."""
    columns = ("id", "drug_id", "sentence_index", "sentences")
    for _, row in table_rows(path, report, columns, quoting=csv.QUOTE_NONE):
        yield PatientSentence(*(row[name] for name in columns))
