"""Readers of files that contain many documents: JSON lines and the DocBin files of spaCy."""

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
"""Limits of the decompressed size of a DocBin file: a number of bytes, and a multiple of the size
of the file. The greater of the two limits applies."""


def read_json_lines(
    path: Path, report: Report, encoding: str | None = None, text_field: str | None = None
) -> Iterator[Source]:
    """Read a document from the JSON object on each line of a plain or compressed file.

    Positions in the documents are lines and columns of the file.

    Args:
        path: Path of the file.
        report: Function that is called with a `Problem` for each invalid line, which is skipped.
        encoding: Ignored, because JSON lines are always in UTF-8.
        text_field: Key of the text in each object. None means `text`.

    Yields:
        The documents in the order of the file.
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
    """Read the objects in a file of JSON lines.

    Lines that are not valid JSON, and objects without a text, are reported and skipped.

    Args:
        path: Path of the plain or compressed file.
        report: Function that is called with a `Problem` for each skipped line.
        text_field: Key of the text in each object.
        first: Number to give to the first line.
        parse: Function that parses a line, `json.loads` by default.

    Yields:
        The number of each line, the line itself and the object on it.
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
    """Read the documents in a DocBin file of spaCy.

    Only the texts are used. A position consists of the number of a document and of a character in
    it.

    Args:
        path: Path of the file.
        report: Function that is called with a `Problem` for each invalid document.
        encoding: Ignored, because the format is binary.
        text_field: Ignored, because a document of spaCy has only one text.

    Yields:
        The documents in the order of the file.
    """
    for number, text in docbin_texts(path, report):
        builder = TextBuilder(" ".join(text.replace("\r", " ").split("\n")))
        builder.replace(text, 0, len(text))
        source = builder.source("docbin", f"{path}:{number}")
        yield source.at(path=str(path), unit="document", first=number)


def docbin_texts(path: Path, report: Report) -> Iterator[tuple[int, str]]:
    """Read the texts of the documents in a DocBin file of spaCy, as strings.

    The whole file is held in memory, as the format requires. Its documents are deserialized one by
    one.

    Args:
        path: Path of the file.
        report: Function that is called with a `Problem` for each empty document, and for a damaged
            file.

    Yields:
        The number of each document, counted from 1, and its text.
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
    except Exception as error:  # zlib, msgpack and spaCy may raise anything
        report(Problem("damaged file", str(path), number + 1, f"{error!r}"))


def _check_size(path: Path) -> None:
    """Raise an error if a DocBin file decompresses to more data than memory can hold."""
    most = max(_MOST, _MOST_TIMES * path.stat().st_size)
    size, unpacker = 0, zlib.decompressobj()
    with path.open("rb") as file:
        while data := unpacker.unconsumed_tail or file.read(_CHUNK):
            size += len(unpacker.decompress(data, _CHUNK))
            if size > most:
                raise FormatError(f"it unpacks to more than {most:,} bytes. Split it.")


class PlacedString(str):
    """A string value in a JSON text, with its position in this text.

    Attributes:
        start: Offset after the opening quotation mark of the string.
        end: Offset of its closing quotation mark.
    """

    start: int
    end: int


def loads(source: str) -> Any:
    """Parse JSON as `json.loads` does, but return string values as `PlacedString`.

    Each string value then has its position in the JSON text. Keys are ordinary strings.

    Args:
        source: The JSON text.

    Returns:
        The parsed value, such as a dictionary or a list.
    """

    def placed(text: str, start: int, strict: bool) -> tuple[PlacedString, int]:
        content, after = scanstring(text, start, strict)
        string = PlacedString(content)
        string.start, string.end = start, after - 1
        return string, after

    decoder: Any = json.JSONDecoder()
    decoder.parse_string = placed
    decoder.scan_once = py_make_scanner(decoder)  # the C scanner ignores `parse_string`
    return decoder.decode(source)


def decoded(source: str, string: PlacedString) -> Iterator[tuple[str, int, int]]:
    """Decode a JSON string piece by piece, with the position of each piece in the JSON text.

    Each escape sequence is a separate piece. Lone surrogates and unprintable characters become the
    replacement character U+FFFD.

    Args:
        source: The JSON text.
        string: The string to decode, as returned by `loads` for this text.

    Yields:
        Each decoded piece, with its start and end in the JSON text.
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
