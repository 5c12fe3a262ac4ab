"""Files of many documents: JSON lines, plain or compressed, and spaCy's DocBin (`.spacy`)."""

import json
import re
import zlib
from collections.abc import Callable, Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]  # not in typeshed
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any
from unicodedata import category

from ...errors import FormatError
from ...problem import Problem, Report
from ..builder import TextBuilder
from ..lines import read_lines
from ..source import Source

_ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.")
_CHUNK = 1 << 20  # bytes
_MOST = 1 << 26
_MOST_TIMES = 50
"""Bytes that a DocBin may unpack to in any case, and how many times its own size."""


def read_json_lines(
    path: Path, report: Report, encoding: str | None = None, text_field: str | None = None
) -> Iterator[Source]:
    """Yield the text of each line's object; a place is one in the line.

    Args:
        path: The file.
        report: Is told of bad lines.
        encoding: Is not asked: JSON is UTF-8.
        text_field: The key of the text. None: `text`.
    """
    key = text_field or "text"
    for number, line, record in json_records(path, report, key, parse=loads):
        builder = TextBuilder(line)
        for run, start, end in decoded(line, record[key]):
            builder.replace(run, start, end)
        source = builder.source("json lines", f"{path}:{number}")
        yield source.at(path=str(path), first=number)


def json_records(
    path: Path,
    report: Report,
    text_field: str = "text",
    first: int = 1,
    parse: Callable[[str], Any] = json.loads,
) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the number, counted from `first`, the line and the object of each line with a text.

    text_field: the key of each object's text.
    Invalid JSON, lines that are no UTF-8, records without a text: each goes to `report`.
    """

    def problem(kind: str, detail: str) -> None:
        report(Problem(kind, str(path), number, detail))

    for number, content in read_lines(path, report, first):
        if not content or content.isspace():
            continue
        try:
            line = content.decode("utf-8")
            record = parse(line)
        except UnicodeDecodeError as error:
            problem("wrong encoding", f"not UTF-8: {error.reason}")
            continue
        except (ValueError, RecursionError) as error:
            problem("invalid JSON", str(error))
            continue
        text = record.get(text_field) if isinstance(record, dict) else None
        if isinstance(text, str) and text:
            yield number, line, record
        else:
            problem("no text", f"expected an object with a string '{text_field}'")


def read_docbins(
    path: Path, report: Report, encoding: str | None = None, text_field: str | None = None
) -> Iterator[Source]:
    """Yield the texts of a DocBin; a place is a document's number and a character in it.

    Args:
        path: The file.
        report: Is told of bad documents.
        encoding: Is not asked: the format is binary.
        text_field: Is not asked: a document has one text.
    """
    for number, text in docbin_texts(path, report):
        builder = TextBuilder(" ".join(text.replace("\r", " ").split("\n")))
        builder.replace(text, 0, len(text))
        source = builder.source("docbin", f"{path}:{number}")
        yield source.at(path=str(path), unit="document", first=number)


def docbin_texts(path: Path, report: Report) -> Iterator[tuple[int, str]]:
    """Yield the texts of a DocBin with their documents' numbers, from 1.

    The packed file is held in memory, as spaCy's format asks; the documents are unpacked singly.
    """
    import spacy.tokens
    import spacy.vocab

    number = 0
    try:
        _check_size(path)
        packed = spacy.tokens.DocBin().from_disk(path)
        for number, doc in enumerate(packed.get_docs(spacy.vocab.Vocab()), 1):
            if doc.text.strip():
                yield number, doc.text
            else:
                report(Problem("no text", str(path), number, "the document is empty"))
    except FormatError as error:
        report(Problem("damaged file", str(path), None, str(error)))
    except Exception as error:  # whatever zlib, msgpack and spaCy raise
        report(Problem("damaged file", str(path), number + 1, f"{error!r}"))


def _check_size(path: Path) -> None:
    """Refuse a file that unpacks to very much, as spaCy unpacks it at once."""
    most = max(_MOST, _MOST_TIMES * path.stat().st_size)
    size, unpacker = 0, zlib.decompressobj()
    with path.open("rb") as file:
        while data := unpacker.unconsumed_tail or file.read(_CHUNK):
            size += len(unpacker.decompress(data, _CHUNK))
            if size > most:
                raise FormatError(f"it unpacks to more than {most:,} bytes")


class PlacedString(str):
    """A string with its offsets in the JSON text, between the quotes."""

    start: int
    end: int


def loads(source: str) -> Any:
    """As `json.loads`, but string values, though not keys, are `PlacedString`s."""

    def placed(text: str, start: int, strict: bool) -> tuple[PlacedString, int]:
        content, after = scanstring(text, start, strict)
        found = PlacedString(content)
        found.start, found.end = start, after - 1
        return found, after

    decoder: Any = json.JSONDecoder()
    decoder.parse_string = placed
    decoder.scan_once = py_make_scanner(decoder)  # the one in C asks no `parse_string`
    return decoder.decode(source)


def decoded(source: str, string: PlacedString) -> Iterator[tuple[str, int, int]]:
    """Yield the runs of a string of a JSON text with their offsets there.

    An escape is a run of its own; half a character, which JSON can hold, becomes U+FFFD.
    """
    at, end = string.start, string.end
    for escape in _ESCAPE.finditer(source, at, end):
        if at < escape.start():
            yield source[at : escape.start()], at, escape.start()
        text = json.loads(f'"{escape[0]}"')
        shown = text.isprintable() or text.isspace() or category(text[0]) == "Cf"
        yield text if shown else "\ufffd", *escape.span()
        at = escape.end()
    if at < end:
        yield source[at:end], at, end
