"""A data file into parts of its own format, document by document or acronym by acronym."""

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
from . import formats
from .formats import Item, Reader, blocks, read_items, reader_of, whole_suffix

By = Literal["document", "acronym", "random"]
WIC_TSV = ("_examples", "_definitions", "_hypernyms", "_labels", "_domains")
"""The files of a WiC-TSV set, aligned line by line."""


class Records(NamedTuple):
    """How many records a file holds, and the content of a file with some of them."""

    size: int
    cut: Callable[[list[int]], bytes]


def split_file(
    path: Path, folder: Path, shares: dict[str, float], by: By, seed: int = 0
) -> dict[str, int]:
    """Write `folder/NAME.suffix` for each of `shares` (a part's name and size, in any unit).

    Records are copied as they are. by: "document" keeps a document's records in one part,
    "acronym" those that share an acronym, directly or through others; "random" keeps nothing
    together. Returns the records in each part.

    Raises FormatError for a file of no known format, InputError where its items name no document
    or acronym, or too few to split.
    """
    reader = reader_of(path)
    items = read_items(path)
    parts = split_rows(_keys(path, items, by), list(shares.values()), seed)
    for source, suffix in _files(path, whole_suffix(path), reader):
        records = _records(source, reader)
        if records.size != len(items):
            raise FormatError(f"{source}: {records.size} records for {len(items)} items.")
        for part, rows in zip(shares, parts, strict=True):
            with writing(folder / f"{part}{suffix}") as temporary:
                temporary.write_bytes(records.cut(rows))
    return {part: len(rows) for part, rows in zip(shares, parts, strict=True)}


def _files(path: Path, suffix: str, reader: Reader) -> Iterator[tuple[Path, str]]:
    """The file and those aligned with it, with the ending of their parts' names."""
    if reader is not formats.wic_tsv:
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
            raise InputError(f"{path}: its items name no document: split by acronym or random.")
        return [item.document for item in items]
    if not any(item.acronyms for item in items):
        raise InputError(f"{path}: its items name no acronym: split by document or random.")
    return linked([item.acronyms for item in items])


def _records(path: Path, reader: Reader) -> Records:
    if path.suffix == ".parquet":
        return _parquet(path)
    if reader is formats.bioc:
        return _bioc(path)
    if reader in (formats.iob, formats.pubtator):
        return _joined([_as_lines(block) for block in blocks(path)], "\n".join)
    if reader in (formats.psytar_sentences, formats.psytar_phrases):
        return _table(list(text_lines(path)))
    if reader is formats.cometa:
        return _quoted_table(path)
    if first_line(path).lstrip().startswith("["):
        records = [json.dumps(record, ensure_ascii=False) for record in json_list(path)]
        return _joined(records, lambda chosen: "[\n" + ",\n".join(chosen) + "\n]\n")
    lines = list(text_lines(path))
    if reader is not formats.wic_tsv:  # whose lines may be blank, and count
        lines = [line for line in lines if line.strip()]
    return _joined(lines, _as_lines)


def _joined(texts: list[str], join: Callable[[list[str]], str]) -> Records:
    return Records(len(texts), lambda rows: join([texts[row] for row in rows]).encode())


def _as_lines(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _table(lines: list[str]) -> Records:
    return _joined(lines[1:], lambda rows: _as_lines([lines[0], *rows]))


def _quoted_table(path: Path) -> Records:
    """A CSV file, whose cells may hold line breaks."""
    dialect = "excel-tab" if "\t" in first_line(path) else "excel"

    def line(row: list[str]) -> str:
        stream = io.StringIO()
        csv.writer(stream, dialect, lineterminator="").writerow(row)
        return stream.getvalue()

    rows = csv.reader((f"{one}\n" for one in text_lines(path)), dialect)
    return _table([line(row) for row in rows if row])


def _parquet(path: Path) -> Records:
    from pyarrow import parquet

    table = parquet.read_table(path)

    def cut(rows: list[int]) -> bytes:
        stream = io.BytesIO()
        parquet.write_table(table.take(rows), stream)
        return stream.getvalue()

    return Records(table.num_rows, cut)


def _bioc(path: Path) -> Records:
    collection = ElementTree.parse(path).getroot()
    documents = collection.findall("document")

    def cut(rows: list[int]) -> bytes:
        part = ElementTree.Element(collection.tag, collection.attrib)
        part.extend([one for one in collection if one.tag != "document"])
        part.extend([documents[row] for row in rows])
        content: bytes = ElementTree.tostring(part, "utf-8", xml_declaration=True)
        return content

    return Records(len(documents), cut)
