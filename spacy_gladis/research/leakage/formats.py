"""Items of each format, as an audit compares them: text, annotations, acronyms, document."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ...concepts.readers.psytar import sheet_rows
from ...problem import Problem
from ...rules import decode_bio
from ..datasets.bioc import read_bioc
from ..datasets.disambiguation import read_disambiguation
from ..datasets.files import fail, table_rows, text_lines
from ..datasets.linked_phrases import read_articles, read_askapatient, read_psytar_sentences
from ..datasets.sample import read_records
from ..datasets.sciai import read_sciai, read_sdu22
from ..datasets.wic_tsv import read_questions


def read_iob(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the tokens and the tags of each sentence; raises FormatError for another line."""
    for sentence in blocks(path):
        cells = [line.split("\t") for line in sentence]
        if wrong := [cell for cell in cells if len(cell) != 2]:
            fail(f"{path}: expected a token, a tab and its tag, got {wrong[0]}.")
        yield [token for token, _ in cells], [tag for _, tag in cells]


def blocks(path: Path) -> Iterator[list[str]]:
    """The lines of a file, divided by blank ones."""
    for blank, lines in groupby(text_lines(path), key=lambda line: not line.strip()):
        if not blank:
            yield list(lines)


class Item(NamedTuple):
    """One text of a data set with what is annotated in it.

    `annotations` are the strings a system has to find or produce (gene names, long forms, concept
    mentions, definitions); `acronyms` and `pairs` (acronym, long form) are those of acronym sets.
    `id` is the data set's own, or the item's number; `document` names what must not be split.
    """

    text: str
    annotations: tuple[str, ...] = ()
    acronyms: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    id: str = ""
    document: str = ""


def _pair(text: str, acronym: str, long_form: str, id: str, document: str = "") -> Item:
    return Item(text, (long_form,), (acronym,), ((acronym, long_form),), id, document)


def disambiguation(path: Path) -> Iterator[Item]:
    """GLADIS evaluation and fine-tuning sets, SciAD, SDU-22 acronym disambiguation."""
    for one in read_disambiguation(path):
        yield _pair(one.text, one.acronym, one.long_form, one.document)


def gladis_pretraining(path: Path) -> Iterator[Item]:
    """GLADIS's pre-training sample: acronym, long form, sentence."""
    for number, line in enumerate(text_lines(path)):
        acronym, long_form, text = line.split("\t")
        yield _pair(text, acronym, long_form, str(number))


def samples(path: Path) -> Iterator[Item]:
    """Samples of this package, JSON lines or Parquet; only `text` is required."""
    for number, (_, record) in enumerate(read_records(path)):
        text, document = record["text"], str(record.get("document", ""))
        acronym, long_form = record.get("acronym"), record.get("long_form")
        if acronym and long_form:
            yield _pair(text, acronym, long_form, str(number), document)
        else:
            yield Item(text, id=str(number), document=document)


def sciai(path: Path) -> Iterator[Item]:
    """SciAI: tokens with BIO labels of acronyms ("short") and long forms ("long")."""
    for one in read_sciai(path).sentences:
        spans = _marked(one.tokens, one.labels)
        acronyms = tuple(text for kind, text in spans if kind == "short")
        yield Item(" ".join(one.tokens), tuple(text for _, text in spans), acronyms, (), one.id)


def sdu22_extraction(path: Path) -> Iterator[Item]:
    """SDU-22 acronym extraction: a text with character offsets."""
    for one in read_sdu22(path).paragraphs:
        acronyms, long_forms = (
            tuple(one.text[start:end] for start, end in sorted(spans))
            for spans in (one.short, one.long)
        )
        yield Item(one.text, acronyms + long_forms, acronyms, (), one.id)


def bioc(path: Path) -> Iterator[Item]:
    """BioC XML; a document is an item, its relations pair short and long forms."""
    for one in read_bioc(path):
        pairs = tuple(sorted(one.definitions))
        acronyms = tuple(short for short, _ in pairs)
        yield Item(one.text, one.mentions, acronyms, pairs, one.id, one.id)


def pubtator(path: Path) -> Iterator[Item]:
    """PubTator; a document (title and abstract) is an item, its mentions are the annotations."""
    for one in read_articles(path, _fail_but_for_offsets):
        phrases = tuple(mention.phrase for mention in one.annotations)
        yield Item(one.text, phrases, id=one.id, document=one.id)


def _fail_but_for_offsets(problem: Problem) -> None:
    if problem.kind != "wrong offsets":  # which no comparison of texts needs
        fail(problem)


def iob(path: Path) -> Iterator[Item]:
    """IOB columns; a sentence is an item."""
    for number, (tokens, tags) in enumerate(read_iob(path)):
        spans = tuple(text for _, text in _marked(tokens, tags))
        yield Item(" ".join(tokens), spans, id=str(number))


def _marked(tokens: list[str], tags: list[str]) -> list[tuple[str, str]]:
    """Kind and words of each span."""
    return [(kind, " ".join(tokens[start:end])) for start, end, kind in decode_bio(tags)]


def wic_tsv(path: Path) -> Iterator[Item]:
    """WiC-TSV: the context is the text, target and definition are the annotation."""
    for number, one in enumerate(read_questions(path)):
        sense = f"{one.word} {one.sense.definition}".strip()
        yield Item(one.sense.mention.text, (sense,), id=str(number))


def psytar_sentences(path: Path) -> Iterator[Item]:
    """PsyTAR's sentences."""
    for one in read_psytar_sentences(path, fail):
        yield Item(one.text, id=one.id, document=one.document)


def psytar_phrases(path: Path) -> Iterator[Item]:
    """PsyTAR's mapped phrases: the phrase is the text, its UMLS concept the annotation."""
    for _, (id, document, _, phrase, concept, *_) in sheet_rows(path, fail):
        yield Item(phrase, (concept,), id=id, document=document)


def askapatient(path: Path) -> Iterator[Item]:
    """AskAPatient: phrase and concept."""
    for number, one in enumerate(read_askapatient(path, fail)):
        yield Item(one.phrase, one.concepts, id=str(number))


def cometa(path: Path) -> Iterator[Item]:
    """COMETA: the example sentence is the text, the term is the annotation."""
    for _, row in table_rows(path, fail, ("ID", "Term", "Example")):
        yield Item(row["Example"], (row["Term"],), id=row["ID"])


def lines(path: Path) -> Iterator[Item]:
    """Plain text, one text a line; blank lines are left out."""
    for number, line in enumerate(text_lines(path)):
        if line.strip():
            yield Item(line.strip(), id=str(number))
