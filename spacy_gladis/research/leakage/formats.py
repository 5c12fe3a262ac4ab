"""Reading of data files in all supported formats. The format is detected from the content.

The formats are GLADIS (JSON Lines and pre-training TSV), samples of this package (JSON Lines,
Parquet), SciAI, SciAD, SDU-22 extraction and disambiguation, BioC XML, PubTator, IOB columns,
WiC-TSV, PsyTAR, AskAPatient, COMETA, AIMed and others in the PPI corpora's XML, SST-2, BC3 ACT,
BRAT (ChEMU), and plain text with one text per line. All text files are in UTF-8.
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
"""Errors other than `FormatError` that a reader may raise if its file is damaged."""


class UnknownFormatError(FormatError):
    """Raised if a file has none of the supported formats, for example because it is empty."""


def read_items(path: Path) -> list[Item]:
    """Read all items of a data file in any supported format.

    Args:
        path: Path of the data file.

    Returns:
        The texts of the file with their annotations, in the order of the file. There is at least
        one.

    Raises:
        FormatError: If the file is missing, damaged or empty, or has an unknown format.
    """
    reader = reader_of(path)
    try:
        items = list(reader(path))
    except FormatError:
        raise
    except BROKEN as error:
        raise FormatError(
            f"{path}: the file in the format '{format_name(reader)}' is damaged ({error!r})."
        ) from error
    if not items:
        raise FormatError(f"{path} contains no items. Give a file that is not empty.")
    return items


def read_all(path: Path) -> list[Item]:
    """Read the items of a data file, or of every data file in a folder.

    Args:
        path: Path of a data file, or of a folder whose data files are read.

    Returns:
        The items of all files in one list, in the alphabetical order of the files' paths.

    Raises:
        FormatError: If a data file is damaged, or the folder has no data files.
    """
    if path.is_dir():
        return [item for items in read_folder(path)[0].values() for item in items]
    return read_items(path)


def read_folder(folder: Path) -> tuple[dict[str, list[Item]], list[Path]]:
    """Read the items of every data file in a folder and its subfolders.

    Files of plain text (such as labels and definitions) and files in unknown formats (such as
    dictionaries) are skipped.

    Args:
        folder: Path of the folder to search.

    Returns:
        A mapping from the path of each data file, relative to the folder, to its items, and a list
        of the files that were skipped.

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
    """Return the function that reads a file's format, which is detected from the file.

    The extension and the first record of the file determine the format. For some formats, the
    file's name or the files next to it are checked too.

    Args:
        path: Path of the data file, plain or compressed.

    Returns:
        A function that takes the path and yields the items of the file.

    Raises:
        FormatError: If the path is not a file, or the format is unknown.
    """
    if not path.is_file():
        raise FormatError(f"{path} is not a file. Give the path of a data file.")
    suffix = whole_suffix(path)
    if suffix not in BY_SUFFIX:
        raise UnknownFormatError(
            f"{path}: unknown extension '{suffix}'. Give a file that ends with .json, .jsonl, "
            ".tsv, .txt, .xml, .csv or .parquet."
        )
    return BY_SUFFIX[suffix](path)


def format_name(reader: Reader) -> str:
    """Return the name of the format that a reader function reads, for error messages.

    Args:
        reader: One of the `read_..._items` functions of the module `readers`.

    Returns:
        The name of the format, such as "sciai" for `read_sciai_items`.
    """
    return reader.__name__.removeprefix("read_").removesuffix("_items").replace("_", " ")


def whole_suffix(path: Path) -> str:
    """Return the extension of a file, without the extension of its compression.

    Args:
        path: Path of the file, such as `dev.JSON.gz`.

    Returns:
        The extension in lower case with its dot, such as ".json".
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
    raise UnknownFormatError(
        f"{path}: unknown JSON format. The keys of its first record are {sorted(keys)}."
    )


def _tsv_reader(path: Path) -> Reader:
    if path.match(readers.GOLD) and any(path.parent.glob(readers.RECORDS)):
        raise UnknownFormatError(
            f"{path} has only the labels of BC3 ACT. Give the file of the articles in its folder."
        )
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
    raise UnknownFormatError(
        f"{path}: unknown format of tab-separated columns. The first line has {columns}."
    )


def _text_reader(path: Path) -> Reader:
    if path.name.endswith("_examples.txt"):
        return readers.read_wic_tsv_items
    if path.with_suffix(".ann").is_file():
        return readers.read_brat_items
    first = first_line(path)
    if first.split("|")[1:2] == ["t"]:
        return readers.read_pubtator_items
    columns = first.split("\t")
    # The hypernyms of WiC-TSV are also separated by tabs, but they are not sentences.
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
"""For each file extension, a function that returns the reader for a file with this extension."""
JSON_KEYS: tuple[tuple[set[str], Reader], ...] = (
    ({"short_term", "tokens"}, readers.read_disambiguation_items),
    ({"tokens", "labels"}, readers.read_sciai_items),
    ({"tokens", "expansion"}, readers.read_disambiguation_items),
    ({"text", "acronyms", "long-forms"}, readers.read_sdu22_extraction_items),
    ({"sentence", "acronym", "label"}, readers.read_disambiguation_items),
    ({"text"}, readers.read_sample_items),
)
"""Pairs of the keys that identify a JSON format and the reader of this format. The first pair whose
keys are all in a file's first record is used."""
