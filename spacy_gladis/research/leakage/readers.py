"""The items of any data file, its format found by a look into it.

Known: GLADIS (JSON lines and pre-training TSV), samples of this package (JSON lines, Parquet),
SciAI, SciAD, SDU-22 extraction and disambiguation, BioC XML, PubTator, IOB columns, WiC-TSV,
PsyTAR, AskAPatient, COMETA, and plain text with one text a line. Text is UTF-8.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from ...documents.lines import COMPRESSIONS
from ...errors import FormatError
from ..datasets.files import first_line, json_records
from . import formats
from .formats import Item

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
            known = reader_of(path) is not formats.lines
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
        return formats.psytar_sentences
    if "UMLS1" in columns:
        return formats.psytar_phrases
    if len(columns) == 2 and columns[1].strip().isdecimal():
        return formats.askapatient
    if len(columns) == 2 and (columns[1] == "O" or columns[1][:2] in ("B-", "I-")):
        return formats.iob
    raise UnknownFormatError(f"{path}: tab-separated columns of an unknown kind: {columns}.")


def _text_reader(path: Path) -> Reader:
    if path.name.endswith("_examples.txt"):
        return formats.wic_tsv
    first = first_line(path)
    if first.split("|")[1:2] == ["t"]:
        return formats.pubtator
    columns = first.split("\t")
    # WiC-TSV's hypernyms are tab-separated too, but no sentence.
    if len(columns) == 3 and len(columns[2].split()) > 2:
        return formats.gladis_pretraining
    return formats.lines


BY_SUFFIX: dict[str, Callable[[Path], Reader]] = {
    ".json": _json_reader,
    ".jsonl": _json_reader,
    ".tsv": _tsv_reader,
    ".txt": _text_reader,
    ".xml": lambda _: formats.bioc,
    ".csv": lambda _: formats.cometa,
    ".parquet": lambda _: formats.samples,
}
JSON_KEYS: tuple[tuple[set[str], Reader], ...] = (
    ({"short_term", "tokens"}, formats.disambiguation),
    ({"tokens", "labels"}, formats.sciai),
    ({"tokens", "expansion"}, formats.disambiguation),
    ({"text", "acronyms", "long-forms"}, formats.sdu22_extraction),
    ({"sentence", "acronym", "label"}, formats.disambiguation),
    ({"text"}, formats.samples),
)
