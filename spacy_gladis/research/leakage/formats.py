"""Reader of data files in all supported formats, which are detected from the content.

The formats are GLADIS (JSON Lines and pre-training TSV), samples of this package (JSON Lines,
Parquet), SciAI, SciAD, SDU-22 extraction and disambiguation, BioC XML, PubTator, IOB columns,
WiC-TSV, PsyTAR, AskAPatient, COMETA, AIMed and others in the PPI corpora's XML, SST-2, BC3 ACT,
BRAT (ChEMU), and plain text with one text per line. Text is UTF-8.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from ...documents.lines import COMPRESSIONS
from ...errors import FormatError
from ..datasets.files import first_line, json_records
from . import readers
from .readers import Item

Reader = Callable[[Path], Iterator[Item]]

BROKEN = (ValueError, KeyError, TypeError, IndexError)
"""Errors that the reader of a format may raise on a damaged file."""


class UnknownFormatError(FormatError):
    """Raised if the format of a file is unknown, for instance because it contains no data."""


def read_items(path: Path) -> list[Item]:
    """Read all items of a data file.

    Args:
        path: Path of the file.

    Returns:
        One or more items.

    Raises:
        FormatError: If the file is damaged or empty, or has an unknown format.
    """
    reader = reader_of(path)
    try:
        items = list(reader(path))
    except FormatError:
        raise
    except BROKEN as error:
        raise FormatError(f"{path}: damaged {format_name(reader)} file: {error!r}.") from error
    if not items:
        raise FormatError(f"{path} contains no items. The file is empty.")
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

    Files of plain text (such as labels and definitions) and dictionaries are skipped.

    Args:
        folder: The folder.

    Returns:
        A mapping from each data file's path within the folder to its items, and the other files.

    Raises:
        FormatError: If a data file is damaged, or the folder has no data files.
    """
    items: dict[str, list[Item]] = {}
    others: list[Path] = []
    for path in sorted(file for file in folder.rglob("*") if file.is_file()):
        try:
            is_data = reader_of(path) is not readers.read_line_items
        except UnknownFormatError:
            is_data = False
        if is_data:
            items[path.relative_to(folder).as_posix()] = read_items(path)
        else:
            others.append(path)
    if not items:
        raise FormatError(f"{folder} contains no data file in a supported format.")
    return items, others


def reader_of(path: Path) -> Reader:
    """Return the reader for a file, by its suffix and its first record.

    Args:
        path: Path of the file.

    Returns:
        The reader of its format.

    Raises:
        FormatError: If there is no file, or its format is unknown.
    """
    if not path.is_file():
        raise FormatError(f"{path} is not a file.")
    suffix = whole_suffix(path)
    if suffix not in BY_SUFFIX:
        raise UnknownFormatError(f"{path}: unknown extension '{suffix}'.")
    return BY_SUFFIX[suffix](path)


def format_name(reader: Reader) -> str:
    """Return the name of a reader's format, for messages.

    Args:
        reader: The reader.

    Returns:
        The name, such as "sciai".
    """
    return reader.__name__.removeprefix("read_").removesuffix("_items").replace("_", " ")


def whole_suffix(path: Path) -> str:
    """Return the suffix that identifies the format of a file, without that of its compression.

    Args:
        path: Path of the file.

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
        raise UnknownFormatError(f"{path} is neither JSON Lines nor a JSON list.") from None
    for required, reader in JSON_KEYS:
        if required <= keys:
            return reader
    raise UnknownFormatError(f"{path}: unknown JSON format with the keys {sorted(keys)}.")


def _tsv_reader(path: Path) -> Reader:
    columns = first_line(path).split("\t")
    if "sentences" in columns:
        return readers.read_psytar_sentence_items
    if "UMLS1" in columns:
        return readers.read_psytar_phrase_items
    if len(columns) == 2 and columns[1].strip() in ("0", "1"):
        return readers.read_labelled_line_items
    if len(columns) == 2 and columns[1].strip().isdecimal():
        return readers.read_askapatient_items
    if path.match(readers.RECORDS) and any(path.parent.glob(readers.GOLD)):
        return readers.read_bc3_act_items
    if len(columns) == 2 and (columns[1] == "O" or columns[1][:2] in ("B-", "I-")):
        return readers.read_iob_items
    raise UnknownFormatError(f"{path}: unknown format of tab-separated columns: {columns}.")


def _text_reader(path: Path) -> Reader:
    if path.name.endswith("_examples.txt"):
        return readers.read_wic_tsv_items
    if path.with_suffix(".ann").is_file():
        return readers.read_brat_items
    first = first_line(path)
    if first.split("|")[1:2] == ["t"]:
        return readers.read_pubtator_items
    columns = first.split("\t")
    # WiC-TSV's hypernyms are tab-separated too, but no sentence.
    if len(columns) == 3 and len(columns[2].split()) > 2:
        return readers.read_gladis_pretraining_items
    return readers.read_line_items


BY_SUFFIX: dict[str, Callable[[Path], Reader]] = {
    ".json": _json_reader,
    ".jsonl": _json_reader,
    ".tsv": _tsv_reader,
    ".txt": _text_reader,
    ".xml": lambda path: (
        readers.read_interaction_items
        if "<corpus" in first_line(path)[:999]
        else readers.read_bioc_items
    ),
    ".csv": lambda _: readers.read_cometa_items,
    ".parquet": lambda _: readers.read_sample_items,
}
JSON_KEYS: tuple[tuple[set[str], Reader], ...] = (
    ({"short_term", "tokens"}, readers.read_disambiguation_items),
    ({"tokens", "labels"}, readers.read_sciai_items),
    ({"tokens", "expansion"}, readers.read_disambiguation_items),
    ({"text", "acronyms", "long-forms"}, readers.read_sdu22_extraction_items),
    ({"sentence", "acronym", "label"}, readers.read_disambiguation_items),
    ({"text"}, readers.read_sample_items),
)
