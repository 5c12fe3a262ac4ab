"""Phrases linked to concepts: AskAPatient, COMETA, PsyTAR, PubTator and NCBI disease."""

import csv
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from ...concepts import Concept, ConceptMention
from ...concepts.readers.psytar import parse_psytar_concepts, read_psytar_rows
from ...problem import Problem, Report, log_problem
from ...text.schwartz_hearst import schwartz_hearst
from .files import split_ids, table_rows, text_lines
from .sample import Sample


def to_sample(mention: ConceptMention, concept: Concept, domain: str) -> Sample | None:
    """The mention with its acronym in place of the long form; None where it has no acronym.

    The acronym is the first of the concept's names that the rules take as the mention's. None, too,
    where the long form stands elsewhere in the text: it would give the answer away.
    """
    start, end = mention.start, mention.start + len(mention.phrase)
    long_form = " ".join(mention.phrase.split())
    acronym = find_acronym(long_form, concept)
    left, right = mention.text[:start], mention.text[end:]
    if acronym is None or long_form.lower() in (left + "\n" + right).lower():
        return None
    text, kind = left + acronym + right, mention.kind or concept.domain
    end = start + len(acronym)
    return Sample(acronym, long_form, text, start, end, domain, kind, mention.document)


def find_acronym(long_form: str, concept: Concept) -> str | None:
    """The first name of a concept that is an acronym of the whole long form, by the rules."""
    for name in concept.names:
        if len(name) < len(long_form) and not set("()") & set(name):
            text = f"{long_form} ({name})"
            for definition in schwartz_hearst(text):
                if definition.long_form == (0, len(long_form)) and not name.islower():
                    return name
    return None


def read_askapatient(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Yield the phrases of one file of a fold, repetitions included, as they are published."""
    for number, line in enumerate(text_lines(path, report), 1):
        phrase, _, ids = line.partition("\t")
        concepts = split_ids(ids)
        if phrase.strip() and concepts and "\t" not in ids:
            yield ConceptMention(phrase.strip(), concepts)
        elif line:
            report(Problem("no id", str(path), number, line[:80]))


COLUMNS = {"general": "General SNOMED ID", "specific": "Specific SNOMED ID"}


def read_cometa(
    path: Path, level: str = "general", report: Report = log_problem
) -> Iterator[ConceptMention]:
    """Yield the terms with their general or specific concept; tabs or commas between columns.

    Raises FormatError where a column is missing; rows without an id go to `report`.
    """
    for number, row in table_rows(path, report, ("Term", COLUMNS[level], "Example")):
        term, concepts = row["Term"].strip(), split_ids(row[COLUMNS[level]])
        if not term or not concepts:
            report(Problem("no id", str(path), number, term))
            continue
        text = row["Example"]
        start = text.lower().find(term.lower())
        yield ConceptMention(term, concepts, text, start, row.get("ID", ""))


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
    for sheet, number, row in read_psytar_rows(folder, report):
        path, phrase = str(folder / f"{sheet}_Mapped.tsv"), row[3].strip()
        concepts = tuple(dict.fromkeys(one.id for one in parse_psytar_concepts(row, vocabulary)))
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


_TEXT = re.compile(r"(\w+)\|([ta])\|(.*)")
RELATION = 4
"""Columns of a line that relates two concepts (`CID`): no mention, and no mistake."""


class Annotation(NamedTuple):
    """A mention; `start` is -1 where the text at its offsets is another. `ids` as they stand."""

    line: int
    start: int
    phrase: str
    kind: str
    ids: str


class Article(NamedTuple):
    """A document: its id, title and abstract (one line each), and what is annotated in them.

    Offsets are those of the lines with one character between them.
    """

    id: str
    line: int
    lines: tuple[str, ...]
    annotations: tuple[Annotation, ...]

    @property
    def text(self) -> str:
        return " ".join(self.lines)


def read_articles(path: Path, report: Report = log_problem) -> Iterator[Article]:
    """Yield the documents, which blank lines or a title divide.

    To `report` go lines that are neither text nor annotation, and offsets that do not match.
    """
    block: list[tuple[int, str]] = []
    for number, line in enumerate(chain(text_lines(path, report), [""]), 1):
        match = _TEXT.fullmatch(line)
        if block and (not line.strip() or (match and match[2] == "t")):
            yield _article(path, block, report)
            block = []
        if line.strip():
            block.append((number, line))


def _article(path: Path, block: list[tuple[int, str]], report: Report) -> Article:
    id, lines, annotations = "", list[str](), list[Annotation]()
    for number, line in block:
        if match := _TEXT.fullmatch(line):
            id = match[1]
            lines.append(match[3])
            continue
        cells = line.split("\t")
        if len(cells) == RELATION:
            continue
        try:
            _, first, last, phrase, kind, ids = cells[:6]
            start, end = int(first), int(last)
        except ValueError:
            report(Problem("no annotation", str(path), number, line[:80]))
            continue
        if (found := " ".join(lines)[start:end]) != phrase:
            detail = f"the text has {found!r}, the annotation {phrase!r}"
            report(Problem("wrong offsets", str(path), number, detail))
            start = -1
        annotations.append(Annotation(number, start, phrase, kind, ids))
    return Article(id, block[0][0], tuple(lines), tuple(annotations))


def read_pubtator(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Yield the mentions that have an id, each with title and abstract as its text.

    Documents that come again and mentions without an id are left out, and go to `report`.
    """
    seen: set[str] = set()
    for article in read_articles(path, report):
        if article.id in seen:
            report(Problem("document again", str(path), article.line, article.id))
            continue
        seen.add(article.id)
        for one in article.annotations:
            if concepts := split_ids(one.ids):
                yield ConceptMention(
                    one.phrase, concepts, article.text, one.start, article.id, one.kind
                )
            else:
                report(Problem("no id", str(path), one.line, one.phrase))
