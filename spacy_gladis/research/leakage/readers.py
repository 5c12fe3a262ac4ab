"""Readers of data files, one for each format, which yield the items of a file.

A reader may raise any of `formats.BROKEN` on a damaged file. Text is UTF-8.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ...concepts.readers.psytar import read_psytar_sheet
from ...problem import Problem
from ...text import decode_bio
from ..datasets.bioc import read_bioc
from ..datasets.disambiguation import read_disambiguation
from ..datasets.files import fail, table_rows, text_lines
from ..datasets.interactions import read_interactions
from ..datasets.linked_phrases import read_articles, read_askapatient, read_psytar_sentences
from ..datasets.sample import read_records
from ..datasets.sciai import read_sciai, read_sdu22
from ..datasets.wic_tsv import read_questions


def read_blocks(path: Path) -> Iterator[list[str]]:
    """Read the blocks of lines in a file, which are separated by blank lines.

    Args:
        path: Path of the file.

    Yields:
        The lines of a block.
    """
    for blank, lines in groupby(text_lines(path), key=lambda line: not line.strip()):
        if not blank:
            yield list(lines)


class Item(NamedTuple):
    """A text of a data set with its annotations.

    Attributes:
        text: The text.
        annotations: Strings that a system has to find or produce, such as gene names, long forms,
            concept mentions or definitions.
        acronyms: The acronyms of the text, in data sets of acronyms.
        pairs: The (acronym, long form) pairs of the text, in data sets of acronyms.
        id: Identifier of the item in the data set, or its number.
        document: Name of the unit that must not be split, such as the article.
        label: The class of the text.
    """

    text: str
    annotations: tuple[str, ...] = ()
    acronyms: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    id: str = ""
    document: str = ""
    label: str = ""


def _pair(text: str, acronym: str, long_form: str, id: str, document: str = "") -> Item:
    return Item(text, (long_form,), (acronym,), ((acronym, long_form),), id, document)


def read_disambiguation_items(path: Path) -> Iterator[Item]:
    """Read GLADIS evaluation and fine-tuning sets, SciAD, or SDU-22 acronym disambiguation.

    Args:
        path: Path of the file.

    Yields:
        An item per sample.
    """
    for sample in read_disambiguation(path):
        yield _pair(sample.text, sample.acronym, sample.long_form, sample.document)


def read_gladis_pretraining_items(path: Path) -> Iterator[Item]:
    """Read GLADIS's pre-training sample, which has columns acronym, long form and sentence.

    Args:
        path: Path of the file.

    Yields:
        An item per line.
    """
    for number, line in enumerate(text_lines(path)):
        acronym, long_form, text = line.split("\t")
        yield _pair(text, acronym, long_form, str(number))


def read_sample_items(path: Path) -> Iterator[Item]:
    """Read samples of this package, as JSON Lines or Parquet. Only `text` is required.

    Args:
        path: Path of the file.

    Yields:
        An item per sample.
    """
    for number, (_, record) in enumerate(read_records(path)):
        text, document = record["text"], str(record.get("document", ""))
        acronym, long_form = record.get("acronym"), record.get("long_form")
        if acronym and long_form:
            yield _pair(text, acronym, long_form, str(number), document)
        else:
            yield Item(text, id=str(number), document=document)


def read_sciai_items(path: Path) -> Iterator[Item]:
    """Read SciAI, whose tokens have BIO labels of acronyms ("short") and long forms ("long").

    Args:
        path: Path of the file.

    Yields:
        An item per sentence.
    """
    for sentence in read_sciai(path).sentences:
        spans = _marked(sentence.tokens, sentence.labels)
        acronyms = tuple(text for kind, text in spans if kind == "short")
        yield Item(
            " ".join(sentence.tokens), tuple(text for _, text in spans), acronyms, (), sentence.id
        )


def read_sdu22_extraction_items(path: Path) -> Iterator[Item]:
    """Read SDU-22 acronym extraction, which gives character offsets.

    Args:
        path: Path of the file.

    Yields:
        An item per paragraph.
    """
    for paragraph in read_sdu22(path).paragraphs:
        acronyms, long_forms = (
            tuple(paragraph.text[start:end] for start, end in sorted(spans))
            for spans in (paragraph.short, paragraph.long)
        )
        yield Item(paragraph.text, acronyms + long_forms, acronyms, (), paragraph.id)


def read_bioc_items(path: Path) -> Iterator[Item]:
    """Read BioC XML, whose relations pair short and long forms.

    Args:
        path: Path of the file.

    Yields:
        An item per document.
    """
    for document in read_bioc(path):
        pairs = tuple(sorted(document.definitions))
        acronyms = tuple(short for short, _ in pairs)
        yield Item(document.text, document.mentions, acronyms, pairs, document.id, document.id)


def read_pubtator_items(path: Path) -> Iterator[Item]:
    """Read PubTator. The mentions are the annotations.

    Args:
        path: Path of the file.

    Yields:
        An item per title and abstract.
    """
    for article in read_articles(path, _fail_but_for_offsets):
        phrases = tuple(mention.phrase for mention in article.annotations)
        yield Item(article.text, phrases, id=article.id, document=article.id)


def _fail_but_for_offsets(problem: Problem) -> None:
    if problem.kind != "wrong offsets":  # comparing texts needs no offsets
        fail(problem)


def read_interaction_items(path: Path) -> Iterator[Item]:
    """Read AIMed and similar sets. The label is 1 if the proteins interact.

    Args:
        path: Path of the file.

    Yields:
        An item per pair of proteins.
    """
    for pair in read_interactions(path):
        yield Item(pair.text, id=pair.id, document=pair.document, label=str(int(pair.interacts)))


def read_labelled_line_items(path: Path) -> Iterator[Item]:
    """Read SST-2, which has columns sentence and label, 0 or 1.

    Args:
        path: Path of the file.

    Yields:
        An item per line.
    """
    for number, line in enumerate(text_lines(path)):
        text, label = line.split("\t")
        yield Item(text, id=str(number), label=label.strip())


RECORDS, GOLD = "*all_records*.tsv", "*gold*standard*.tsv"
"""Patterns of the names of BC3 ACT's files: the articles, and the labels in the same folder."""


def read_bc3_act_items(path: Path) -> Iterator[Item]:
    """Read BC3 ACT (id, journal, its id, year, title, abstract) with the gold standard's labels.

    Args:
        path: Path of the file.

    Yields:
        An item per article.
    """
    gold = (line.split("\t") for line in text_lines(next(path.parent.glob(GOLD))))
    labels = {id: label.strip() for id, label, *_ in gold}
    for line in text_lines(path):
        id, _, _, _, _, abstract, *_ = line.split("\t")
        yield Item(abstract, id=id, document=id, label=labels[id])


def read_brat_items(path: Path) -> Iterator[Item]:
    """Read BRAT standoff (ChEMU), a text file with an `.ann` file of spans.

    Args:
        path: Path of the file.

    Yields:
        The one item of the file.
    """
    notes = (line.split("\t") for line in text_lines(path.with_suffix(".ann")))
    spans = tuple(cells[2] for cells in notes if cells[0].startswith("T"))
    text = "\n".join(text_lines(path)).strip()
    yield Item(text, spans, id=path.stem, document=path.stem)


def read_iob_items(path: Path) -> Iterator[Item]:
    """Read IOB columns, a token and its tag per line.

    Args:
        path: Path of the file.

    Yields:
        An item per sentence.
    """
    for number, (tokens, tags) in enumerate(read_iob_sentences(path)):
        spans = tuple(text for _, text in _marked(tokens, tags))
        yield Item(" ".join(tokens), spans, id=str(number))


def read_iob_sentences(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    """Read the sentences of a file with IOB columns.

    Args:
        path: Path of the file.

    Yields:
        The tokens and the tags of a sentence.

    Raises:
        FormatError: If a line doesn't have two columns.
    """
    for sentence in read_blocks(path):
        cells = [line.split("\t") for line in sentence]
        if wrong := [cell for cell in cells if len(cell) != 2]:
            fail(f"{path}: expected a token, a tab and its tag, got {wrong[0]}.")
        tokens, tags = map(list, zip(*cells, strict=True))
        yield tokens, tags


def _marked(tokens: list[str], tags: list[str]) -> list[tuple[str, str]]:
    """Return the kind and words of each span."""
    return [(kind, " ".join(tokens[start:end])) for start, end, kind in decode_bio(tags)]


def read_wic_tsv_items(path: Path) -> Iterator[Item]:
    """Read WiC-TSV. The context is the text, target and definition are the annotation.

    Args:
        path: Path of the file.

    Yields:
        An item per question.
    """
    for number, question in enumerate(read_questions(path)):
        sense = f"{question.word} {question.sense.definition}".strip()
        yield Item(question.sense.mention.text, (sense,), id=str(number))


def read_psytar_sentence_items(path: Path) -> Iterator[Item]:
    """Read PsyTAR's sentences.

    Args:
        path: Path of the file.

    Yields:
        An item per sentence.
    """
    for sentence in read_psytar_sentences(path, fail):
        yield Item(sentence.text, id=sentence.id, document=sentence.document)


def read_psytar_phrase_items(path: Path) -> Iterator[Item]:
    """Read PsyTAR's mapped phrases. The phrase is the text, its UMLS concept the annotation.

    Args:
        path: Path of the file.

    Yields:
        An item per phrase.
    """
    for _, (id, document, _, phrase, concept, *_) in read_psytar_sheet(path, fail):
        yield Item(phrase, (concept,), id=id, document=document)


def read_askapatient_items(path: Path) -> Iterator[Item]:
    """Read AskAPatient. The phrase is the text, its concepts are the annotations.

    Args:
        path: Path of the file.

    Yields:
        An item per phrase.
    """
    for number, mention in enumerate(read_askapatient(path, fail)):
        yield Item(mention.phrase, mention.concepts, id=str(number))


def read_cometa_items(path: Path) -> Iterator[Item]:
    """Read COMETA. The example sentence is the text, the term is the annotation.

    Args:
        path: Path of the file.

    Yields:
        An item per term.
    """
    for _, row in table_rows(path, fail, ("ID", "Term", "Example")):
        yield Item(row["Example"], (row["Term"],), id=row["ID"])


def read_line_items(path: Path) -> Iterator[Item]:
    """Read plain text with one text per line.

    Args:
        path: Path of the file.

    Yields:
        An item per line that isn't blank.
    """
    for number, line in enumerate(text_lines(path)):
        if line.strip():
            yield Item(line.strip(), id=str(number))
