"""Readers of phrases linked to concepts: AskAPatient, COMETA, PsyTAR, PubTator and NCBI disease."""

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
    """Create a sample from a mention by replacing its long form with an acronym of the concept.

    The acronym is the first name of the concept that the rules accept as an acronym of the mention.

    Args:
        mention: The mention.
        concept: Concept of the mention.
        domain: Domain of the sample.

    Returns:
        The sample. None if there is no acronym, or if the long form occurs elsewhere in the text,
        which would reveal the answer.
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
    """Return the first name of a concept that is an acronym of the whole long form, or None.

    Args:
        long_form: The long form.
        concept: The concept.
    """
    for name in concept.names:
        if len(name) < len(long_form) and not set("()") & set(name):
            text = f"{long_form} ({name})"
            for definition in schwartz_hearst(text):
                if definition.long_form == (0, len(long_form)) and not name.islower():
                    return name
    return None


def read_askapatient(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Read the phrases of one file of a fold of AskAPatient, including repeated phrases.

    Args:
        path: Path of the file.
        report: Called with each line without an id.

    Yields:
        The phrases, without context.
    """
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
    """Read COMETA's terms in their contexts.

    Args:
        path: A table separated by tabs or commas.
        level: Kind of concepts to read: "general" or "specific".
        report: Called with each row without an id.

    Yields:
        The mentions. `start` is -1 if the context does not contain the term.

    Raises:
        FormatError: If a column is missing.
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
    """A sentence of a patient's report on a drug.

    Attributes:
        id: The row's id.
        document: The report's id.
        number: The sentence's number in the report.
        text: The sentence.
    """

    id: str
    document: str
    number: str
    text: str


def read_psytar(
    folder: Path, vocabulary: str = "UMLS", report: Report = log_problem
) -> Iterator[ConceptMention]:
    """Read PsyTAR's phrases that are mapped to a vocabulary.

    If a row has two concepts, both are correct.

    Args:
        folder: Folder with the sheets as tab-separated files.
        vocabulary: "UMLS" or "SNOMEDCT".
        report: Called with each row without an id, which is skipped, and each phrase that its
            sentence does not contain literally, which is kept.

    Yields:
        The mentions.
    """
    sentences: dict[tuple[str, str], str] = {}
    if (folder / SENTENCES).is_file():
        for sentence in read_psytar_sentences(folder / SENTENCES, report):
            sentences[sentence.document, sentence.number] = sentence.text
    else:
        detail = "phrases have no sentences"
        report(Problem("no sheet", str(folder / SENTENCES), 0, detail))
    for sheet, number, row in read_psytar_rows(folder, report):
        path, phrase = str(folder / f"{sheet}_Mapped.tsv"), row[3].strip()
        concepts = tuple(
            dict.fromkeys(concept.id for concept in parse_psytar_concepts(row, vocabulary))
        )
        if not phrase or not concepts:
            report(Problem("no id", path, number, phrase))
            continue
        text = sentences.get((row[1], row[2]), "")
        start = text.lower().find(phrase.lower())
        if start < 0:
            report(Problem("phrase not in its sentence", path, number, phrase))
        yield ConceptMention(phrase, concepts, text, start, row[1], sheet)


def read_psytar_sentences(path: Path, report: Report = log_problem) -> Iterator[PatientSentence]:
    """Read PsyTAR's sheet of sentences.

    Args:
        path: The tab-separated file.
        report: Called with each bad row.

    Yields:
        The sentences.
    """
    columns = ("id", "drug_id", "sentence_index", "sentences")
    for _, row in table_rows(path, report, columns, quoting=csv.QUOTE_NONE):
        yield PatientSentence(*(row[name] for name in columns))


_TEXT = re.compile(r"(\w+)\|([ta])\|(.*)")
RELATION = 4
"""Number of columns of a line that relates two concepts (`CID`). Such a line is not a mention."""


class Annotation(NamedTuple):
    """An annotated mention.

    Attributes:
        line: Number of the line.
        start: Start offset of the mention. -1 if the text at its offsets differs.
        phrase: Text of the mention.
        kind: Type of the mention.
        ids: Ids of the concepts, as in the file.
    """

    line: int
    start: int
    phrase: str
    kind: str
    ids: str


class Article(NamedTuple):
    """A document with its annotations. Offsets count one character between lines.

    Attributes:
        id: The document's id.
        line: Number of its first line.
        lines: Title and abstract.
        annotations: The mentions.
    """

    id: str
    line: int
    lines: tuple[str, ...]
    annotations: tuple[Annotation, ...]

    @property
    def text(self) -> str:
        """The lines joined by blanks."""
        return " ".join(self.lines)


def read_articles(path: Path, report: Report = log_problem) -> Iterator[Article]:
    """Read the documents of a PubTator file, which are separated by blank lines or titles.

    Args:
        path: Path of the file.
        report: Called with each line that is neither text nor annotation, and with each annotation
            whose offsets do not match.

    Yields:
        The documents.
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
        if (actual := " ".join(lines)[start:end]) != phrase:
            detail = f"the text has {actual!r}, the annotation {phrase!r}"
            report(Problem("wrong offsets", str(path), number, detail))
            start = -1
        annotations.append(Annotation(number, start, phrase, kind, ids))
    return Article(id, block[0][0], tuple(lines), tuple(annotations))


def read_pubtator(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Read the mentions with an id in a PubTator file, with title and abstract as the context.

    Args:
        path: Path of the file.
        report: Called with each repeated document and each mention without an id. Both are skipped.

    Yields:
        The mentions.
    """
    seen: set[str] = set()
    for article in read_articles(path, report):
        if article.id in seen:
            report(Problem("document again", str(path), article.line, article.id))
            continue
        seen.add(article.id)
        for annotation in article.annotations:
            if concepts := split_ids(annotation.ids):
                yield ConceptMention(
                    annotation.phrase,
                    concepts,
                    article.text,
                    annotation.start,
                    article.id,
                    annotation.kind,
                )
            else:
                report(Problem("no id", str(path), annotation.line, annotation.phrase))
