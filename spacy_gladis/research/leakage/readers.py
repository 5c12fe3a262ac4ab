"""Functions that read the items of a data file, one for each supported format.

Text files are in UTF-8. If a file is damaged, a reader may raise any of the errors in
`formats.BROKEN`.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ...concepts.readers.psytar import read_psytar_sheet
from ...errors import FormatError
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
    """Read a text file as blocks of lines that are separated by blank lines.

    Args:
        path: Path of the file.

    Yields:
        The lines of each block, without line ends.
    """
    for blank, lines in groupby(text_lines(path), key=lambda line: not line.strip()):
        if not blank:
            yield list(lines)


class Item(NamedTuple):
    """A text of a data set with its annotations.

    Attributes:
        text: The text, such as a sentence or an abstract.
        annotations: Strings that a system has to find or produce, such as gene names, long forms,
            concept mentions or definitions. Empty if the data set has no such strings.
        acronyms: Acronyms that are labelled in the text. Empty in data sets that are not about
            acronyms.
        pairs: Pairs `(acronym, long form)` of the text. Empty in data sets that don't pair them.
        id: Identifier of the item in the data set, or its number in the file.
        document: Name of the unit that must not be split, such as the article that a sentence comes
            from. Empty if the data set doesn't say.
        label: Class of the text, such as "1" for a positive review. Empty if texts are not
            labelled.
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
    """Read a data set of acronym disambiguation: GLADIS, SciAD or SDU-22.

    Of GLADIS, these are the evaluation and the fine-tuning sets.

    Args:
        path: Path of a JSON file.

    Yields:
        An item for each sample, with its acronym and its long form.
    """
    for sample in read_disambiguation(path):
        yield _pair(sample.text, sample.acronym, sample.long_form, sample.document)


def read_gladis_pretraining_items(path: Path) -> Iterator[Item]:
    """Read GLADIS's pre-training sample, which has an acronym, a long form and a sentence per line.

    Args:
        path: Path of the file, whose three columns are separated by tabs.

    Yields:
        An item for each line.
    """
    for number, line in enumerate(text_lines(path)):
        acronym, long_form, text = line.split("\t")
        yield _pair(text, acronym, long_form, str(number))


def read_sample_items(path: Path) -> Iterator[Item]:
    """Read the samples that this package writes, as JSON Lines or Parquet.

    Only the field `text` is required. A sample with `acronym` and `long_form` becomes an item with
    this pair.

    Args:
        path: Path of the file.

    Yields:
        An item for each sample.
    """
    for number, (_, record) in enumerate(read_records(path)):
        text, document = record["text"], str(record.get("document", ""))
        acronym, long_form = record.get("acronym"), record.get("long_form")
        if acronym and long_form:
            yield _pair(text, acronym, long_form, str(number), document)
        else:
            yield Item(text, id=str(number), document=document)


def read_sciai_items(path: Path) -> Iterator[Item]:
    """Read SciAI, a data set of acronym extraction whose tokens have BIO labels.

    The labels mark acronyms ("short") and long forms ("long"), but don't pair them.

    Args:
        path: Path of the file.

    Yields:
        An item for each sentence. Its annotations are the acronyms and the long forms in text
        order.
    """
    for sentence in read_sciai(path).sentences:
        spans = _marked(sentence.tokens, sentence.labels)
        acronyms = tuple(text for kind, text in spans if kind == "short")
        yield Item(
            " ".join(sentence.tokens), tuple(text for _, text in spans), acronyms, (), sentence.id
        )


def read_sdu22_extraction_items(path: Path) -> Iterator[Item]:
    """Read the acronym extraction data of SDU-22, which gives character offsets.

    Args:
        path: Path of the file.

    Yields:
        An item for each paragraph. Its annotations are the acronyms, followed by the long forms.
    """
    for paragraph in read_sdu22(path).paragraphs:
        acronyms, long_forms = (
            tuple(paragraph.text[start:end] for start, end in sorted(spans))
            for spans in (paragraph.short, paragraph.long)
        )
        yield Item(paragraph.text, acronyms + long_forms, acronyms, (), paragraph.id)


def read_bioc_items(path: Path) -> Iterator[Item]:
    """Read BioC XML in which relations pair acronyms ("short forms") with their long forms.

    Args:
        path: Path of the file.

    Yields:
        An item for each document, which is also its own unit that must not be split.
    """
    for document in read_bioc(path):
        pairs = tuple(sorted(document.definitions))
        acronyms = tuple(short for short, _ in pairs)
        yield Item(document.text, document.mentions, acronyms, pairs, document.id, document.id)


def read_pubtator_items(path: Path) -> Iterator[Item]:
    """Read articles with annotated mentions in the PubTator format.

    Args:
        path: Path of the file.

    Yields:
        An item for each title and abstract. Its annotations are the mentions as written in the
        text.
    """
    for article in read_articles(path, _fail_but_for_offsets):
        phrases = tuple(mention.phrase for mention in article.annotations)
        yield Item(article.text, phrases, id=article.id, document=article.id)


def _fail_but_for_offsets(problem: Problem) -> None:
    if problem.kind != "wrong offsets":  # the comparison of texts doesn't need offsets
        fail(problem)


def read_interaction_items(path: Path) -> Iterator[Item]:
    """Read protein interactions from AIMed or another corpus in the same XML format.

    Args:
        path: Path of the file.

    Yields:
        An item for each pair of proteins in a sentence. Its label is "1" if the sentence states
        that the proteins interact, and "0" otherwise.
    """
    for pair in read_interactions(path):
        yield Item(pair.text, id=pair.id, document=pair.document, label=str(int(pair.interacts)))


def read_labelled_line_items(path: Path) -> Iterator[Item]:
    """Read SST-2, which has a sentence and its sentiment, 0 or 1, in each line.

    Args:
        path: Path of the file, whose two columns are separated by a tab.

    Yields:
        An item for each line. Its label is the sentiment.
    """
    for number, line in enumerate(text_lines(path)):
        text, label = line.split("\t")
        yield Item(text, id=str(number), label=label.strip())


RECORDS, GOLD = "*all_records*.tsv", "*gold*standard*.tsv"
"""Patterns of the names of BC3 ACT's files: the articles, and the gold labels in the same
folder."""


def read_bc3_act_items(path: Path) -> Iterator[Item]:
    """Read the articles of BC3 ACT with the labels of the gold standard.

    The columns of the articles are an id, the journal, the journal's id, the year, the title and
    the abstract. The labels are in another file of the same folder (see `GOLD`). A folder with
    several parts may have several files with labels. The ids of the articles are unique, so the
    labels of all these files are combined.

    Args:
        path: Path of the file with the articles.

    Yields:
        An item for each article. Its text is the abstract.
    """
    gold = (line for file in sorted(path.parent.glob(GOLD)) for line in text_lines(file))
    rows = (line.split("\t") for line in gold if line.strip())
    labels = {id: label.strip() for id, label, *_ in rows}
    for line in text_lines(path):
        id, _, _, _, _, abstract, *_ = line.split("\t")
        yield Item(abstract, id=id, document=id, label=labels[id])


BRAT_SPAN = re.compile(r"T\S*\t(\S+) (\d+ \d+(?:;\d+ \d+)*)\t(.*)")
"""Pattern of a span in BRAT's `.ann` files. Its groups are the type, the offsets and the text."""


def read_brat_items(path: Path) -> Iterator[Item]:
    """Read a text with annotated spans in the BRAT standoff format, such as a text of ChEMU.

    The spans are in an `.ann` file next to the text file.

    Args:
        path: Path of the text file.

    Yields:
        A single item with the whole text. Its annotations are the texts of the spans.
    """
    notes = (line.split("\t") for line in text_lines(path.with_suffix(".ann")))
    spans = tuple(cells[2] for cells in notes if cells[0].startswith("T"))
    text = "\n".join(text_lines(path)).strip()
    yield Item(text, spans, id=path.stem, document=path.stem)


def read_brat_spans(path: Path) -> tuple[str, list[tuple[int, int, str]]]:
    """Read a text in the BRAT standoff format with the offsets and the types of its spans.

    A span in several parts is read as one span from the start of the first part to the end of the
    last part.

    Args:
        path: Path of the text file. Its spans are in an `.ann` file next to it.

    Returns:
        The text, and the ``(start, end, type)`` of each span in character offsets, in file order.

    Raises:
        FormatError: If a span is not in the BRAT format, or its offsets do not match its text.
    """
    text, notes = "\n".join(text_lines(path)), path.with_suffix(".ann")
    spans: list[tuple[int, int, str]] = []
    for line in text_lines(notes):
        if not line.startswith("T"):
            continue
        if not (match := BRAT_SPAN.fullmatch(line)):
            raise FormatError(
                f"{notes}: expected an id, a type with offsets and a text, got {line!r}."
            )
        kind, offsets, written = match.groups()
        parts = [[int(offset) for offset in part.split()] for part in offsets.split(";")]
        covered = " ".join(text[start:end] for start, end in parts)
        if covered.split() != written.split():
            raise FormatError(
                f"{notes}: the text at the offsets {offsets} is {covered!r}, not {written!r}."
            )
        spans.append((min(start for start, _ in parts), max(end for _, end in parts), kind))
    return text, spans


def read_iob_items(path: Path) -> Iterator[Item]:
    """Read sentences with one token and its IOB tag per line.

    Args:
        path: Path of the file, whose two columns are separated by a tab.

    Yields:
        An item for each sentence. Its annotations are the tagged spans.
    """
    for number, (tokens, tags) in enumerate(read_iob_sentences(path)):
        spans = tuple(text for _, text in _marked(tokens, tags))
        yield Item(" ".join(tokens), spans, id=str(number))


def read_iob_sentences(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    """Read the tokens and tags of each sentence in a file with one token and its IOB tag per line.

    Args:
        path: Path of the file. Columns are separated by a tab, and sentences by blank lines.

    Yields:
        The tokens of a sentence and the tags of these tokens, as two lists of equal length.

    Raises:
        FormatError: If a line doesn't have exactly two columns.
    """
    for sentence in read_blocks(path):
        cells = [line.split("\t") for line in sentence]
        if wrong := [cell for cell in cells if len(cell) != 2]:
            fail(f"{path}: expected lines with a token, a tab and a tag, got {wrong[0]}.")
        tokens, tags = map(list, zip(*cells, strict=True))
        yield tokens, tags


def _marked(tokens: list[str], tags: list[str]) -> list[tuple[str, str]]:
    """Return the kind and the words of each span that the BIO tags of tokens mark."""
    return [(kind, " ".join(tokens[start:end])) for start, end, kind in decode_bio(tags)]


def read_wic_tsv_items(path: Path) -> Iterator[Item]:
    """Read WiC-TSV, which asks whether a word has a given sense in its context.

    Args:
        path: Path of the file with the examples, such as `dev_examples.txt`.

    Yields:
        An item for each question. Its text is the context, and its annotation is the word followed
        by the definition of the sense.
    """
    for number, question in enumerate(read_questions(path)):
        sense = f"{question.word} {question.sense.definition}".strip()
        yield Item(question.sense.mention.text, (sense,), id=str(number))


def read_psytar_sentence_items(path: Path) -> Iterator[Item]:
    """Read the sentences of PsyTAR, a corpus of patients' reviews of drugs.

    Args:
        path: Path of the sheet with the sentences, as tab-separated values.

    Yields:
        An item for each sentence, without annotations.
    """
    for sentence in read_psytar_sentences(path, fail):
        yield Item(sentence.text, id=sentence.id, document=sentence.document)


def read_psytar_phrase_items(path: Path) -> Iterator[Item]:
    """Read the phrases of PsyTAR that were mapped to UMLS concepts.

    Args:
        path: Path of a mapped sheet, as tab-separated values.

    Yields:
        An item for each phrase. Its text is the phrase, and its annotation is the first UMLS
        concept.
    """
    for _, (id, document, _, phrase, concept, *_) in read_psytar_sheet(path, fail):
        yield Item(phrase, (concept,), id=id, document=document)


def read_askapatient_items(path: Path) -> Iterator[Item]:
    """Read AskAPatient, which maps phrases of patients to medical concepts.

    Args:
        path: Path of the file, whose columns are separated by tabs.

    Yields:
        An item for each phrase. Its text is the phrase, and its annotations are the concepts' ids.
    """
    for number, mention in enumerate(read_askapatient(path, fail)):
        yield Item(mention.phrase, mention.concepts, id=str(number))


def read_cometa_items(path: Path) -> Iterator[Item]:
    """Read COMETA, a data set of medical terms from social media.

    Args:
        path: Path of the table, which has the columns `ID`, `Term` and `Example`.

    Yields:
        An item for each term. Its text is the example sentence, and its annotation is the term.
    """
    for _, row in table_rows(path, fail, ("ID", "Term", "Example")):
        yield Item(row["Example"], (row["Term"],), id=row["ID"])


def read_line_items(path: Path) -> Iterator[Item]:
    """Read plain text that has one text per line.

    Args:
        path: Path of the file.

    Yields:
        An item for each line that isn't blank. Spaces around the text are removed.
    """
    for number, line in enumerate(text_lines(path)):
        if line.strip():
            yield Item(line.strip(), id=str(number))
