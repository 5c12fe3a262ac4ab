"""Readers of data sets in which phrases are linked to concepts of a vocabulary.

The data sets are AskAPatient, COMETA, PsyTAR, and those in the format of PubTator, such as NCBI
disease. All readers report records that can't be used, and continue.
"""

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
    """Create a disambiguation sample from a phrase that is linked to a concept.

    An acronym among the names of the concept replaces the phrase, and the phrase becomes the label.
    For example, "a myocardial infarction" becomes "a MI" if the concept has the name "MI".

    Args:
        mention: Phrase in its text. The phrase must occur at the mention's offset.
        concept: Concept that the phrase is linked to.
        domain: Domain of the sample, such as the name of the data set.

    Returns:
        The sample, or None if no name of the concept is an acronym of the phrase. Also None if the
        phrase occurs elsewhere in the text, because this would reveal the answer.
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
    """Find an acronym of a long form among the names of a concept.

    A name is an acronym if the rules of Schwartz and Hearst accept it as one of the whole long
    form, and if it has at least one capital letter or no letters at all.

    Args:
        long_form: A name of the concept, such as "computed tomography".
        concept: Concept whose names are searched.

    Returns:
        The first name that is an acronym of the long form, such as "CT", or None.
    """
    for name in concept.names:
        if len(name) < len(long_form) and not set("()") & set(name):
            text = f"{long_form} ({name})"
            for definition in schwartz_hearst(text):
                if definition.long_form == (0, len(long_form)) and not name.islower():
                    return name
    return None


def read_askapatient(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Read the phrases of a file of the AskAPatient data set, with the concepts they name.

    Args:
        path: Path of a training, validation or test file of one fold.
        report: Function that is called with each line that has no concept id. Such lines are
            skipped.

    Yields:
        The phrases without context, in file order. Phrases that the file repeats are yielded
        repeatedly.
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
    """Read the terms of the COMETA data set in their contexts, with the concepts they name.

    Args:
        path: Path of a table with a header, separated by tabs or commas.
        level: Which of the two annotations to read: ``"general"``, the meaning of the term without
            its context, or ``"specific"``, its meaning in this context.
        report: Function that is called with each row that has no term or no concept id. Such rows
            are skipped.

    Yields:
        The mentions, in file order. Their `start` is -1 if the context does not contain the term.

    Raises:
        FormatError: If the table lacks a column.
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
    """A sentence of PsyTAR, from a patient's report on a drug.

    Attributes:
        id: Id of the sentence's row in the sheet.
        document: Id of the report.
        number: Number of the sentence in its report.
        text: Text of the sentence.
    """

    id: str
    document: str
    number: str
    text: str


def read_psytar(
    folder: Path, vocabulary: str = "UMLS", report: Report = log_problem
) -> Iterator[ConceptMention]:
    """Read the phrases of the PsyTAR data set, with the concepts that they name.

    A phrase with two concepts names both, so that either of them is a correct answer.

    Args:
        folder: Folder with the sheets of PsyTAR, each saved as a file of tab-separated columns.
        vocabulary: Vocabulary of the concept ids: ``"UMLS"`` or ``"SNOMEDCT"``.
        report: Function that is called with each row that has no phrase or no concept id. Such rows
            are skipped. It is also called with each phrase that does not occur in its sentence.
            These phrases are kept.

    Yields:
        The mentions, with their sentence as the text. Their `start` is -1 if the sentence does not
        contain the phrase.
    """
    sentences: dict[tuple[str, str], str] = {}
    if (folder / SENTENCES).is_file():
        for sentence in read_psytar_sentences(folder / SENTENCES, report):
            sentences[sentence.document, sentence.number] = sentence.text
    else:
        detail = "the sheet of sentences is missing, so phrases have no context"
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
    """Read the sheet of the PsyTAR data set that contains all sentences of the reports.

    Args:
        path: Path of the sheet `Sentence_Labeling.tsv`, with columns separated by tabs.
        report: Function that is called with each row that can't be read. Such rows are skipped.

    Yields:
        The sentences, in file order.

    Raises:
        FormatError: If the sheet lacks a column.
    """
    columns = ("id", "drug_id", "sentence_index", "sentences")
    for _, row in table_rows(path, report, columns, quoting=csv.QUOTE_NONE):
        yield PatientSentence(*(row[name] for name in columns))


_TEXT = re.compile(r"(\w+)\|([ta])\|(.*)")
RELATION = 4
"""Number of columns of a line that states a relation of two concepts, and is not a mention."""


class Annotation(NamedTuple):
    """An annotated phrase of a PubTator document, with the ids of its concepts.

    Attributes:
        line: Number of the annotation's line in the file, counted from 1.
        start: Character offset of the phrase in the document. -1 if the document has another text
            at this offset.
        phrase: The annotated phrase.
        kind: Type of the phrase, such as ``"Disease"``.
        ids: Ids of the concepts, as the file writes them, such as ``"D003110|D009369"``.
    """

    line: int
    start: int
    phrase: str
    kind: str
    ids: str


class Article(NamedTuple):
    """A document of a PubTator file, usually the title and abstract of an article.

    Attributes:
        id: Id of the document.
        line: Number of the document's first line in the file, counted from 1.
        lines: Texts of the document, usually the title and the abstract.
        annotations: Annotated phrases of the document, in file order.
    """

    id: str
    line: int
    lines: tuple[str, ...]
    annotations: tuple[Annotation, ...]

    @property
    def text(self) -> str:
        """Title and abstract joined by a space, which the offsets of annotations refer to."""
        return " ".join(self.lines)


def read_articles(path: Path, report: Report = log_problem) -> Iterator[Article]:
    """Read the documents of a PubTator file with all their annotations.

    A document ends at a blank line, or where the title of the next one begins.

    Args:
        path: Path of the PubTator file.
        report: Function that is called with each line that is neither a text nor an annotation, and
            with each annotation whose phrase is not at its offsets. Such annotations are kept.

    Yields:
        The documents, in file order.
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
    """Read the phrases of a PubTator file that are linked to concepts.

    Args:
        path: Path of the PubTator file.
        report: Function that is called with each document that the file repeats and each phrase
            that has no concept id. Both are skipped.

    Yields:
        The mentions, with the title and abstract of their document as the text.
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
