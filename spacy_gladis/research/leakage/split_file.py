"""Splitting of a data file into parts of the same format, by document, by acronym or at random."""

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
"""A function that takes the row numbers of records and returns the content of a file with only
these records."""
WIC_TSV = ("_examples", "_definitions", "_hypernyms", "_labels", "_domains")
"""Endings of the names of WiC-TSV's files. Each line of one file belongs to the same line of the
others."""


class Cut(NamedTuple):
    """The records of a text file, and the text before, between and after them.

    Attributes:
        records: Text of each record, unchanged.
        before: Text before the first record, such as a header line.
        between: Separator between two records.
        behind: Text after the last record.
    """

    records: list[str]
    before: str = ""
    between: str = "\n"
    behind: str = "\n"

    def take(self, rows: list[int]) -> bytes:
        """Return the content of a file that contains only some of the records.

        Args:
            rows: Indices of the records to include, in their new order.

        Returns:
            The content of the file, encoded in UTF-8.
        """
        chosen = self.between.join(self.records[row] for row in rows)
        behind = self.behind if chosen or self.before else ""
        return f"{self.before}{chosen}{behind}".encode()


def split_file(
    path: Path, folder: Path, shares: dict[str, float], by: By, seed: int = 0
) -> dict[str, int]:
    """Split a data file into parts of the same format, and copy the records unchanged.

    The files of a WiC-TSV data set are split together, so that their lines stay aligned.

    Args:
        path: Path of the file to split.
        folder: Folder for the parts. A part named `train` of a `.json` file is written to
            `train.json`.
        shares: A mapping from the name of each part to its relative size, such as `{"train": 8,
            "test": 2}`.
        by: "document" keeps all records of a document in the same part. "acronym" does so for
            records that share an acronym, directly or through other records. "random" splits the
            records at random.
        seed: Random seed of the split. The same seed gives the same parts.

    Returns:
        A mapping from the name of each part to its number of records.

    Raises:
        FormatError: If the file is damaged, or its format is unknown.
        InputError: If the file should be split by document or acronym but has none, or has too few
            of them for the parts.
    """
    reader = reader_of(path)
    items = read_items(path)
    parts = split_rows(_keys(path, items, by), list(shares.values()), seed)
    for source, suffix in _files(path, whole_suffix(path), reader):
        size, take = _records(source, reader)
        if size != len(items):
            raise FormatError(
                f"{source} has {size} records, but {path.name} has {len(items)} items. The file "
                "cannot be split."
            )
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
            raise InputError(
                f"{path}: its items have no document. Split the file by 'acronym' or 'random'."
            )
        return [item.document for item in items]
    if not any(item.acronyms for item in items):
        raise InputError(
            f"{path}: its items have no acronyms. Split the file by 'document' or 'random'."
        )
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
    if reader is readers.read_cometa_items:  # its cells may contain line breaks
        dialect = "excel-tab" if "\t" in lines[0] else "excel"
        lines = [f"{line}\n" for line in lines]
        rows = [row for row in csv.reader(lines, dialect) if row]
        header, *records = (_row(row, dialect) for row in rows)
        return Cut(records, header, "", "")
    if first_line(path).lstrip().startswith("["):
        records = [json.dumps(record, ensure_ascii=False) for record in json_list(path)]
        return Cut(records, "[\n", ",\n", "\n]\n")
    if reader is not readers.read_wic_tsv_items:  # its blank lines are aligned with other files
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
