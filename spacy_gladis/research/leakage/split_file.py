"""Splitting of data files into parts of the same format, by document, by acronym or at random."""

import csv
import io
import json
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple
from xml.etree import ElementTree

from ...errors import FormatError, InputError
from ...files import writing
from ..datasets.files import first_line, json_list, text_lines
from ..datasets.split import linked, split_rows
from . import readers
from .formats import Reader, read_items, reader_of, whole_suffix
from .readers import Item, read_blocks

By = Literal["document", "acronym", "random"]
Take = Callable[[list[int]], bytes]
"""Function that takes row numbers and returns the content of a file with these records."""
WIC_TSV = ("_examples", "_definitions", "_hypernyms", "_labels", "_domains")
"""Endings of the names of WiC-TSV's files, which are aligned line by line."""


class Cut(NamedTuple):
    """The records of a file, and the text before, between and after them.

    Attributes:
        records: The records, unchanged.
        before: Text before the records.
        between: Text between two records.
        behind: Text after the records.
    """

    records: list[str]
    before: str = ""
    between: str = "\n"
    behind: str = "\n"

    def take(self, rows: list[int]) -> bytes:
        """Return the content of a file with a selection of the records.

        Args:
            rows: Indices of the records.

        Returns:
            The content in UTF-8.
        """
        chosen = self.between.join(self.records[row] for row in rows)
        behind = self.behind if chosen or self.before else ""
        return f"{self.before}{chosen}{behind}".encode()


def split_file(
    path: Path, folder: Path, shares: dict[str, float], by: By, seed: int = 0
) -> dict[str, int]:
    """Split a data file into parts, copying the records unchanged.

    Args:
        path: Path of the file.
        folder: Folder in which a file `NAME.suffix` is written for each part.
        shares: A mapping from the names of the parts to their relative sizes.
        by: "document" keeps a document's records together, "acronym" those that share an acronym,
            directly or through others. "random" splits the records at random.
        seed: Random seed of the         plit.

    Returns:
        Number of records in each part.

    Raises:
        FormatError: If the format of the file is unknown.
        InputError: If its items have no documents or acronyms, or are too few to split.
    """
    reader = reader_of(path)
    items = read_items(path)
    parts = split_rows(_keys(path, items, by), list(shares.values()), seed)
    for source, suffix in _files(path, whole_suffix(path), reader):
        size, take = _records(source, reader)
        if size != len(items):
            raise FormatError(f"{source}: found {size} records for {len(items)} items.")
        for part, rows in zip(shares, parts, strict=True):
            with writing(folder / f"{part}{suffix}") as temporary:
                temporary.write_bytes(take(rows))
    return {part: len(rows) for part, rows in zip(shares, parts, strict=True)}


def _files(path: Path, suffix: str, reader: Reader) -> Iterator[tuple[Path, str]]:
    """Yield the file and all files aligned with it, each with the suffix of its parts."""
    if reader is not readers.read_wic_tsv_items:
        yield path, suffix
        return
    for kind in WIC_TSV:
        aligned = path.with_name(path.name.replace("_examples", kind))
        if aligned.is_file():
            yield aligned, kind + suffix


def _keys(path: Path, items: Sequence[Item], by: By) -> Sequence[Hashable]:
    if by == "random":
        return [row + 1 for row in range(len(items))]
    if by == "document":
        if not all(item.document for item in items):
            raise InputError(f"{path}: its items have no documents. Split it by acronym or random.")
        return [item.document for item in items]
    if not any(item.acronyms for item in items):
        raise InputError(f"{path}: its items have no acronyms. Split it by document or random.")
    return linked([item.acronyms for item in items])


def _records(path: Path, reader: Reader) -> tuple[int, Take]:
    if path.suffix == ".parquet":
        return _parquet(path)
    if reader is readers.read_bioc_items:
        return _bioc(path)
    cut = _cut(path, reader)
    return len(cut.records), cut.take


def _cut(path: Path, reader: Reader) -> Cut:
    lines = list(text_lines(path))
    if reader in (readers.read_iob_items, readers.read_pubtator_items):
        return Cut(["\n".join(block) for block in read_blocks(path)], between="\n\n")
    if reader in (readers.read_psytar_sentence_items, readers.read_psytar_phrase_items):
        return Cut(lines[1:], lines[0] + "\n")
    if reader is readers.read_cometa_items:  # whose cells may hold line breaks
        dialect = "excel-tab" if "\t" in lines[0] else "excel"
        lines = [f"{line}\n" for line in lines]
        rows = [row for row in csv.reader(lines, dialect) if row]
        header, *records = (_row(row, dialect) for row in rows)
        return Cut(records, header, "", "")
    if first_line(path).lstrip().startswith("["):
        records = [json.dumps(record, ensure_ascii=False) for record in json_list(path)]
        return Cut(records, "[\n", ",\n", "\n]\n")
    if reader is not readers.read_wic_tsv_items:  # whose lines may be blank, and count
        lines = [line for line in lines if line.strip()]
    return Cut(lines)


def _row(cells: list[str], dialect: str) -> str:
    stream = io.StringIO()
    csv.writer(stream, dialect, lineterminator="\n").writerow(cells)
    return stream.getvalue()


def _parquet(path: Path) -> tuple[int, Take]:
    from pyarrow import parquet

    table = parquet.read_table(path)

    def take(rows: list[int]) -> bytes:
        stream = io.BytesIO()
        parquet.write_table(table.take(rows), stream)
        return stream.getvalue()

    return table.num_rows, take


def _bioc(path: Path) -> tuple[int, Take]:
    collection = ElementTree.parse(path).getroot()
    documents = collection.findall("document")

    def take(rows: list[int]) -> bytes:
        part = ElementTree.Element(collection.tag, collection.attrib)
        part.extend([element for element in collection if element.tag != "document"])
        part.extend([documents[row] for row in rows])
        content: bytes = ElementTree.tostring(part, "utf-8", xml_declaration=True)
        return content

    return len(documents), take
