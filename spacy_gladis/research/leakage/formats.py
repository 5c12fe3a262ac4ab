"""The items of any data file, as an audit compares them; its format is found by a look into it.

Known: GLADIS (JSON lines and pre-training TSV), samples of this package (JSON lines, Parquet),
SciAI, SciAD, SDU-22 extraction and disambiguation, BioC XML, PubTator, IOB columns, WiC-TSV,
PsyTAR, AskAPatient, COMETA, AIMed and others in the PPI corpora's XML, SST-2, BC3 ACT, BRAT
(ChEMU), and plain text with one text a line. Text is UTF-8.
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
    """The lines of a file, divided by blank ones."""
    for blank, lines in groupby(text_lines(path), key=lambda line: not line.strip()):
        if not blank:
            yield list(lines)


class Item(NamedTuple):
    """One text of a data set with what is annotated in it.

    `annotations` are the strings a system has to find or produce (gene names, long forms, concept
    mentions, definitions); `acronyms` and `pairs` (acronym, long form) are those of acronym sets.
    `id` is the data set's own, or the item's number; `document` names what must not be split;
    `label` is the class of the text.
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


def interactions(path: Path) -> Iterator[Item]:
    """AIMed and the like: a pair of proteins is an item, its label 1 where they interact."""
    for one in read_interactions(path):
        yield Item(one.text, id=one.id, document=one.document, label=str(int(one.interacts)))


def labelled_lines(path: Path) -> Iterator[Item]:
    """SST-2: a sentence, a tab and its label, 0 or 1."""
    for number, line in enumerate(text_lines(path)):
        text, label = line.split("\t")
        yield Item(text, id=str(number), label=label.strip())


RECORDS, GOLD = "*all_records*.tsv", "*gold*standard*.tsv"
"""Files of BC3 ACT: articles, and their labels beside them."""


def bc3_act(path: Path) -> Iterator[Item]:
    """BC3 ACT: id, journal, its id, year, title and abstract; the gold standard has the labels."""
    gold = (line.split("\t") for line in text_lines(next(path.parent.glob(GOLD))))
    labels = {id: label.strip() for id, label, *_ in gold}
    for line in text_lines(path):
        id, _, _, _, _, abstract, *_ = line.split("\t")
        yield Item(abstract, id=id, document=id, label=labels[id])


def brat(path: Path) -> Iterator[Item]:
    """BRAT standoff (ChEMU): a text file is an item, the spans of its `.ann` the annotations."""
    notes = (line.split("\t") for line in text_lines(path.with_suffix(".ann")))
    spans = tuple(cells[2] for cells in notes if cells[0].startswith("T"))
    text = "\n".join(text_lines(path)).strip()
    yield Item(text, spans, id=path.stem, document=path.stem)


def iob(path: Path) -> Iterator[Item]:
    """IOB columns, a token and its tag a line; a sentence is an item."""
    for number, (tokens, tags) in enumerate(iob_sentences(path)):
        spans = tuple(text for _, text in _marked(tokens, tags))
        yield Item(" ".join(tokens), spans, id=str(number))


def iob_sentences(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    """The tokens and the tags of each sentence of IOB columns."""
    for sentence in blocks(path):
        cells = [line.split("\t") for line in sentence]
        if wrong := [cell for cell in cells if len(cell) != 2]:
            fail(f"{path}: expected a token, a tab and its tag, got {wrong[0]}.")
        tokens, tags = map(list, zip(*cells, strict=True))
        yield tokens, tags


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
    for _, (id, document, _, phrase, concept, *_) in read_psytar_sheet(path, fail):
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


Reader = Callable[[Path], Iterator[Item]]

BROKEN = (ValueError, KeyError, TypeError, IndexError)
"""What a format's generator raises on a damaged file."""


class UnknownFormatError(FormatError):
    """A file is of no format that is known: it may well be no data."""


def read_items(path: Path) -> list[Item]:
    """All items of a data file; raises FormatError, naming file and place, where it is not one."""
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
    """The items of a data file, or of every data file in a folder."""
    if path.is_dir():
        return [item for items in read_folder(path)[0].values() for item in items]
    return read_items(path)


def read_folder(folder: Path) -> tuple[dict[str, list[Item]], list[Path]]:
    """The items of every data file below `folder`, and the files that are none.

    The first key is the file's path in the folder. Plain text (read-me files, labels, definitions)
    and dictionaries are not items; a data file that is broken raises FormatError.
    """
    items: dict[str, list[Item]] = {}
    others: list[Path] = []
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        try:
            known = reader_of(path) is not lines
        except UnknownFormatError:
            known = False
        if known:
            items[path.relative_to(folder).as_posix()] = read_items(path)
        else:
            others.append(path)
    if not items:
        raise FormatError(f"{folder} holds no data file of a known format.")
    return items, others


def reader_of(path: Path) -> Reader:
    """The reader for a file, by its ending and its first record."""
    if not path.is_file():
        raise FormatError(f"{path} is not a file.")
    suffix = whole_suffix(path)
    if suffix not in BY_SUFFIX:
        raise UnknownFormatError(f"{path}: no data format ends in '{suffix}'.")
    return BY_SUFFIX[suffix](path)


def whole_suffix(path: Path) -> str:
    """The ending that tells the format, whatever the file is compressed with."""
    return Path(path.stem if path.suffix in COMPRESSIONS else path.name).suffix.lower()


def _json_reader(path: Path) -> Reader:
    try:
        keys = set(next(json_records(path), ()))
    except FormatError:
        if first_line(path).lstrip().startswith("["):
            raise
        raise UnknownFormatError(f"{path} is neither JSON lines nor a JSON list.") from None
    for wanted, reader in JSON_KEYS:
        if wanted <= keys:
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
