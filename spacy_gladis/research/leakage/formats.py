"""Reads the items of a data file of any known format, which is detected from its content.

Known: GLADIS (JSON lines and pre-training TSV), samples of this package (JSON lines, Parquet),
SciAI, SciAD, SDU-22 extraction and disambiguation, BioC XML, PubTator, IOB columns, WiC-TSV,
PsyTAR, AskAPatient, COMETA, AIMed and others in the PPI corpora's XML, SST-2, BC3 ACT, BRAT
(ChEMU), and plain text with one text a line. Text is UTF-8.

Each format has a `Reader`, a function that takes a file's path and yields its items. A reader may
raise any of `BROKEN` on a damaged file; `read_items` turns these into FormatError.
"""

from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ...concepts.readers.psytar import read_psytar_sheet
from ...documents.lines import COMPRESSIONS
from ...errors import FormatError
from ...problem import Problem
from ...text import decode_bio
from ..datasets.bioc import read_bioc
from ..datasets.disambiguation import read_disambiguation
from ..datasets.files import fail, first_line, json_records, table_rows, text_lines
from ..datasets.interactions import read_interactions
from ..datasets.linked_phrases import read_articles, read_askapatient, read_psytar_sentences
from ..datasets.sample import read_records
from ..datasets.sciai import read_sciai, read_sdu22
from ..datasets.wic_tsv import read_questions


def blocks(path: Path) -> Iterator[list[str]]:
    """Yield the lines of each block that blank lines separate."""
    for blank, lines in groupby(text_lines(path), key=lambda line: not line.strip()):
        if not blank:
            yield list(lines)


class Item(NamedTuple):
    """A text of a data set with its annotations.

    Attributes:
        text: The text.
        annotations: The strings that a system has to find or produce, such as gene names, long
            forms, concept mentions or definitions.
        acronyms: The acronyms, in acronym sets.
        pairs: (acronym, long form) pairs, in acronym sets.
        id: The data set's identifier, or the item's number.
        document: What must not be split, such as the article.
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


def disambiguation(path: Path) -> Iterator[Item]:
    """Read GLADIS evaluation and fine-tuning sets, SciAD, or SDU-22 acronym disambiguation."""
    for sample in read_disambiguation(path):
        yield _pair(sample.text, sample.acronym, sample.long_form, sample.document)


def gladis_pretraining(path: Path) -> Iterator[Item]:
    """Read GLADIS's pre-training sample: acronym, long form, sentence."""
    for number, line in enumerate(text_lines(path)):
        acronym, long_form, text = line.split("\t")
        yield _pair(text, acronym, long_form, str(number))


def samples(path: Path) -> Iterator[Item]:
    """Read samples of this package, JSON lines or Parquet; only `text` is required."""
    for number, (_, record) in enumerate(read_records(path)):
        text, document = record["text"], str(record.get("document", ""))
        acronym, long_form = record.get("acronym"), record.get("long_form")
        if acronym and long_form:
            yield _pair(text, acronym, long_form, str(number), document)
        else:
            yield Item(text, id=str(number), document=document)


def sciai(path: Path) -> Iterator[Item]:
    """Read SciAI: tokens with BIO labels of acronyms ("short") and long forms ("long")."""
    for sentence in read_sciai(path).sentences:
        spans = _marked(sentence.tokens, sentence.labels)
        acronyms = tuple(text for kind, text in spans if kind == "short")
        yield Item(
            " ".join(sentence.tokens), tuple(text for _, text in spans), acronyms, (), sentence.id
        )


def sdu22_extraction(path: Path) -> Iterator[Item]:
    """Read SDU-22 acronym extraction: texts with character offsets."""
    for paragraph in read_sdu22(path).paragraphs:
        acronyms, long_forms = (
            tuple(paragraph.text[start:end] for start, end in sorted(spans))
            for spans in (paragraph.short, paragraph.long)
        )
        yield Item(paragraph.text, acronyms + long_forms, acronyms, (), paragraph.id)


def bioc(path: Path) -> Iterator[Item]:
    """Read BioC XML, a document as an item; its relations pair short and long forms."""
    for document in read_bioc(path):
        pairs = tuple(sorted(document.definitions))
        acronyms = tuple(short for short, _ in pairs)
        yield Item(document.text, document.mentions, acronyms, pairs, document.id, document.id)


def pubtator(path: Path) -> Iterator[Item]:
    """Read PubTator, a title and abstract as an item, with its mentions as annotations."""
    for article in read_articles(path, _fail_but_for_offsets):
        phrases = tuple(mention.phrase for mention in article.annotations)
        yield Item(article.text, phrases, id=article.id, document=article.id)


def _fail_but_for_offsets(problem: Problem) -> None:
    if problem.kind != "wrong offsets":  # comparing texts needs no offsets
        fail(problem)


def interactions(path: Path) -> Iterator[Item]:
    """Read AIMed and similar sets, a pair of proteins as an item, labelled 1 if they interact."""
    for pair in read_interactions(path):
        yield Item(pair.text, id=pair.id, document=pair.document, label=str(int(pair.interacts)))


def labelled_lines(path: Path) -> Iterator[Item]:
    """Read SST-2: a sentence, a tab and its label, 0 or 1."""
    for number, line in enumerate(text_lines(path)):
        text, label = line.split("\t")
        yield Item(text, id=str(number), label=label.strip())


RECORDS, GOLD = "*all_records*.tsv", "*gold*standard*.tsv"
"""Files of BC3 ACT: articles, and the labels in the same folder."""


def bc3_act(path: Path) -> Iterator[Item]:
    """Read BC3 ACT (id, journal, its id, year, title, abstract) with the gold standard's labels."""
    gold = (line.split("\t") for line in text_lines(next(path.parent.glob(GOLD))))
    labels = {id: label.strip() for id, label, *_ in gold}
    for line in text_lines(path):
        id, _, _, _, _, abstract, *_ = line.split("\t")
        yield Item(abstract, id=id, document=id, label=labels[id])


def brat(path: Path) -> Iterator[Item]:
    """Read BRAT standoff (ChEMU), a text file as an item with the spans of its `.ann` file."""
    notes = (line.split("\t") for line in text_lines(path.with_suffix(".ann")))
    spans = tuple(cells[2] for cells in notes if cells[0].startswith("T"))
    text = "\n".join(text_lines(path)).strip()
    yield Item(text, spans, id=path.stem, document=path.stem)


def iob(path: Path) -> Iterator[Item]:
    """Read IOB columns, a token and its tag per line, a sentence as an item."""
    for number, (tokens, tags) in enumerate(iob_sentences(path)):
        spans = tuple(text for _, text in _marked(tokens, tags))
        yield Item(" ".join(tokens), spans, id=str(number))


def iob_sentences(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    """Read the tokens and tags of each sentence of IOB columns.

    Raises:
        FormatError: If a line has not two columns.
    """
    for sentence in blocks(path):
        cells = [line.split("\t") for line in sentence]
        if wrong := [cell for cell in cells if len(cell) != 2]:
            fail(f"{path}: expected a token, a tab and its tag, got {wrong[0]}.")
        tokens, tags = map(list, zip(*cells, strict=True))
        yield tokens, tags


def _marked(tokens: list[str], tags: list[str]) -> list[tuple[str, str]]:
    """Return the kind and words of each span."""
    return [(kind, " ".join(tokens[start:end])) for start, end, kind in decode_bio(tags)]


def wic_tsv(path: Path) -> Iterator[Item]:
    """Read WiC-TSV: the context as text, target and definition as annotation."""
    for number, question in enumerate(read_questions(path)):
        sense = f"{question.word} {question.sense.definition}".strip()
        yield Item(question.sense.mention.text, (sense,), id=str(number))


def psytar_sentences(path: Path) -> Iterator[Item]:
    """Read PsyTAR's sentences."""
    for sentence in read_psytar_sentences(path, fail):
        yield Item(sentence.text, id=sentence.id, document=sentence.document)


def psytar_phrases(path: Path) -> Iterator[Item]:
    """Read PsyTAR's mapped phrases: the phrase as text, its UMLS concept as annotation."""
    for _, (id, document, _, phrase, concept, *_) in read_psytar_sheet(path, fail):
        yield Item(phrase, (concept,), id=id, document=document)


def askapatient(path: Path) -> Iterator[Item]:
    """Read AskAPatient: the phrase as text, its concepts as annotations."""
    for number, mention in enumerate(read_askapatient(path, fail)):
        yield Item(mention.phrase, mention.concepts, id=str(number))


def cometa(path: Path) -> Iterator[Item]:
    """Read COMETA: the example sentence as text, the term as annotation."""
    for _, row in table_rows(path, fail, ("ID", "Term", "Example")):
        yield Item(row["Example"], (row["Term"],), id=row["ID"])


def lines(path: Path) -> Iterator[Item]:
    """Read plain text, one text per line; blank lines are left out."""
    for number, line in enumerate(text_lines(path)):
        if line.strip():
            yield Item(line.strip(), id=str(number))


Reader = Callable[[Path], Iterator[Item]]

BROKEN = (ValueError, KeyError, TypeError, IndexError)
"""Errors that a format's reader may raise on a damaged file."""


class UnknownFormatError(FormatError):
    """Raised for a file of no known format, which may not be data at all."""


def read_items(path: Path) -> list[Item]:
    """Read all items of a data file.

    Args:
        path: The file.

    Returns:
        Its items, at least one.

    Raises:
        FormatError: If the file is damaged, empty or of no known format.
    """
    reader = reader_of(path)
    try:
        items = list(reader(path))
    except FormatError:
        raise
    except BROKEN as error:
        raise FormatError(f"{path} is not a whole {reader.__name__} file: {error!r}.") from error
    if not items:
        raise FormatError(f"{path} holds no item: the file is empty.")
    return items


def read_all(path: Path) -> list[Item]:
    """Read the items of a data file, or of every data file in a folder.

    Args:
        path: The file or folder.

    Returns:
        The items.
    """
    if path.is_dir():
        return [item for items in read_folder(path)[0].values() for item in items]
    return read_items(path)


def read_folder(folder: Path) -> tuple[dict[str, list[Item]], list[Path]]:
    """Read the items of every data file below a folder.

    Plain text (such as labels and definitions) and dictionaries are not data files.

    Args:
        folder: The folder.

    Returns:
        Items by the file's path within the folder, and the other files.

    Raises:
        FormatError: If a data file is damaged, or there is none.
    """
    items: dict[str, list[Item]] = {}
    others: list[Path] = []
    for path in sorted(file for file in folder.rglob("*") if file.is_file()):
        try:
            is_data = reader_of(path) is not lines
        except UnknownFormatError:
            is_data = False
        if is_data:
            items[path.relative_to(folder).as_posix()] = read_items(path)
        else:
            others.append(path)
    if not items:
        raise FormatError(f"{folder} holds no data file of a known format.")
    return items, others


def reader_of(path: Path) -> Reader:
    """Return the reader for a file, by its suffix and its first record.

    Args:
        path: The file.

    Returns:
        The reader of its format.

    Raises:
        FormatError: If there is no file, or its format is unknown.
    """
    if not path.is_file():
        raise FormatError(f"{path} is not a file.")
    suffix = whole_suffix(path)
    if suffix not in BY_SUFFIX:
        raise UnknownFormatError(f"{path}: no data format ends in '{suffix}'.")
    return BY_SUFFIX[suffix](path)


def whole_suffix(path: Path) -> str:
    """Return the suffix that tells a file's format, without that of its compression.

    Args:
        path: The file.

    Returns:
        The suffix in lower case, such as ".json".
    """
    return Path(path.stem if path.suffix in COMPRESSIONS else path.name).suffix.lower()


def _json_reader(path: Path) -> Reader:
    try:
        keys = set(next(json_records(path), ()))
    except FormatError:
        if first_line(path).lstrip().startswith("["):
            raise
        raise UnknownFormatError(f"{path} is neither JSON lines nor a JSON list.") from None
    for required, reader in JSON_KEYS:
        if required <= keys:
            return reader
    raise UnknownFormatError(f"{path}: JSON of an unknown kind, with the keys {sorted(keys)}.")


def _tsv_reader(path: Path) -> Reader:
    columns = first_line(path).split("\t")
    if "sentences" in columns:
        return psytar_sentences
    if "UMLS1" in columns:
        return psytar_phrases
    if len(columns) == 2 and columns[1].strip() in ("0", "1"):
        return labelled_lines
    if len(columns) == 2 and columns[1].strip().isdecimal():
        return askapatient
    if path.match(RECORDS) and any(path.parent.glob(GOLD)):
        return bc3_act
    if len(columns) == 2 and (columns[1] == "O" or columns[1][:2] in ("B-", "I-")):
        return iob
    raise UnknownFormatError(f"{path}: tab-separated columns of an unknown kind: {columns}.")


def _text_reader(path: Path) -> Reader:
    if path.name.endswith("_examples.txt"):
        return wic_tsv
    if path.with_suffix(".ann").is_file():
        return brat
    first = first_line(path)
    if first.split("|")[1:2] == ["t"]:
        return pubtator
    columns = first.split("\t")
    # WiC-TSV's hypernyms are tab-separated too, but no sentence.
    if len(columns) == 3 and len(columns[2].split()) > 2:
        return gladis_pretraining
    return lines


BY_SUFFIX: dict[str, Callable[[Path], Reader]] = {
    ".json": _json_reader,
    ".jsonl": _json_reader,
    ".tsv": _tsv_reader,
    ".txt": _text_reader,
    ".xml": lambda path: interactions if "<corpus" in first_line(path)[:999] else bioc,
    ".csv": lambda _: cometa,
    ".parquet": lambda _: samples,
}
JSON_KEYS: tuple[tuple[set[str], Reader], ...] = (
    ({"short_term", "tokens"}, disambiguation),
    ({"tokens", "labels"}, sciai),
    ({"tokens", "expansion"}, disambiguation),
    ({"text", "acronyms", "long-forms"}, sdu22_extraction),
    ({"sentence", "acronym", "label"}, disambiguation),
    ({"text"}, samples),
)
