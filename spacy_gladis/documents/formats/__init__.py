"""The formats of files, one reader each: plain text out, with the way back to the file."""

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, BinaryIO

from ...errors import FormatError, InputError, check_names, wrap_parser_errors
from ...problem import Report
from ..builder import TextBuilder
from ..encodings import decode, refuse_binary
from ..lines import COMPRESSIONS
from ..source import Source
from .asciidoc import read_asciidoc
from .docx import read_docx
from .html import read_html
from .included import Part, labels_beside, parts_of
from .latex import labels_of, read_definitions, read_latex
from .mail import read_mail
from .markdown import read_markdown
from .notebook import read_notebook
from .pdf import read_pdf
from .plain import read_plain
from .pptx import read_pptx
from .records import read_docbins, read_json_lines
from .restructuredtext import read_restructuredtext
from .table import read_spreadsheet, read_table

TEXT_FORMATS: dict[str, Callable[[TextBuilder], None]] = {
    "text": read_plain,
    "markdown": read_markdown,
    "restructuredtext": read_restructuredtext,
    "html": read_html,
    "latex": read_latex,
    "asciidoc": read_asciidoc,
    "notebook": read_notebook,
}
"""Formats that are text themselves, one document a file."""

_PACKED: dict[str, Callable[[Path | BinaryIO], Source]] = {
    "docx": read_docx,
    "pptx": read_pptx,
    "pdf": read_pdf,
}
BY_ENDING = {
    ending: format
    for format, endings in {
        "text": ".txt .text",
        "markdown": ".md .markdown .mdown .mkd .mdx .qmd .rmd",
        "restructuredtext": ".rst .rest",
        "html": ".html .htm .xhtml",
        "latex": ".tex .latex .ltx",
        "asciidoc": ".adoc .asciidoc .asc",
        "notebook": ".ipynb",
        "docx": ".docx",
        "pptx": ".pptx",
        "pdf": ".pdf",
        "json lines": ".jsonl .ndjson",
        "docbin": ".spacy",
        "table": ".csv .tsv",
        "spreadsheet": ".xlsx",
        "mail": ".eml",
    }.items()
    for ending in endings.split()
}
"""The format of a file by its name's ending; a file without an ending is plain text."""

_OF_ONE_DOCUMENT = (*TEXT_FORMATS, "mail", *_PACKED)
_MAGIC = {b"%PDF-": "a PDF file", b"PK\3\4": "a ZIP archive", b"\x1f\x8b": "a gzip file"}
_HEAD = 1 << 13  # bytes
_MOST_BYTES = 1 << 28


def format_of_file(path: Path) -> str | None:
    """The format by the file's ending; None where it is not known."""
    ending = path.suffix.lower()
    if ending in COMPRESSIONS:
        inner = BY_ENDING.get(Path(path.stem).suffix.lower())
        return inner if inner == "json lines" else None
    return BY_ENDING.get(ending) if ending else "text"


def read_text(source: str, format: str, path: str = "", encoding: str | None = None) -> Source:
    """Read a text of one of `TEXT_FORMATS`.

    Args:
        source: The text in its own format.
        format: The name of the format.
        path: The file that it is of; files that it takes in are looked for from there on. Empty:
            there is none, and nothing else is read.
        encoding: Of those files, if they have no byte-order mark; None is UTF-8.

    Raises:
        InputError: If there is no such format.
        FormatError: If the text is none of the format.
    """
    check_names("text format", [format], TEXT_FORMATS)
    builder = TextBuilder(source)
    parts = _parts(source, format, Path(path), encoding) if path else []
    for part in parts:
        builder.names.update(part.names)
    with wrap_parser_errors(f"no {format} that can be read"):
        TEXT_FORMATS[format](builder)
    return builder.source(format).at(included=tuple(part.source for part in parts))


def _parts(source: str, format: str, path: Path, encoding: str | None) -> list[Part]:
    """What the files define that a text takes in or, in LaTeX, looks up."""
    parts = parts_of(path, source, format, _read_part, encoding)
    if format == "latex" and (labels := labels_of(source)):
        own = _read_definitions(source, format)[1]
        labels.difference_update(own, *(part.names for part in parts))
        parts += labels_beside(path, labels, _read_definitions, encoding)
    return parts


def _read_part(source: str, format: str) -> tuple[Source, dict[str, str]]:
    builder = TextBuilder(source)
    try:
        with wrap_parser_errors(f"no {format} that can be read"):
            TEXT_FORMATS[format](builder)
    except FormatError:
        if format == "latex":  # a preamble, which need not close what it opens
            return _read_definitions(source, format)
        raise
    return builder.source(format), builder.names


def _read_definitions(source: str, format: str) -> tuple[Source, dict[str, str]]:
    builder = TextBuilder(source)
    read_definitions(builder)
    return builder.source(format), builder.names


def read_file(
    path: Path, report: Report, encoding: str | None = None, text_field: str | None = None
) -> Iterator[Source]:
    """Yield the documents of a file, which its ending names the format of.

    encoding: of text without a byte-order mark; None: UTF-8. JSON lines are UTF-8 in any case.
    text_field: the key or column of the texts of JSON lines and tables; None: `text`, and the
        column with the longest ones.
    Bad records go to `report`. Raises InputError for an unknown or binary format, FormatError for
    a damaged file, UnicodeDecodeError for text of another encoding, OSError.
    """
    format = format_of_file(path)
    if format is None:
        known = ", ".join(BY_ENDING)
        raise InputError(f"a file '{path.suffix}' is of no known format. Known are {known}.")
    if format not in (*TEXT_FORMATS, "mail") and path.exists() and not path.is_file():
        raise InputError(f"{format} cannot be read from a pipe; put it into a file.")
    if format == "json lines":
        yield from read_json_lines(path, report, text_field or "text")
        return
    if format == "docbin":
        yield from read_docbins(path, report)
        return
    if format == "spreadsheet":
        yield from read_spreadsheet(path, text_field)
        return
    if format == "table":
        with path.open("rb") as file:
            _refuse_packed(file.read(_HEAD))
        yield from read_table(path, report, encoding, text_field)
        return
    if format in _PACKED:
        source = _PACKED[format](path)
    else:
        with path.open("rb") as file:
            content = read_whole(file, encoding, may_be_binary=format == "mail")
        source = _read_content(content, format, encoding, str(path))
    yield source.at(name=str(path), path=str(path))


def read_content(content: bytes, name: str) -> Source:
    """Read the bytes of a file of one document; its name's ending tells the format.

    Raises InputError where that is none or one of many documents, and as `read_file`.
    """
    format = format_of_file(Path(name))
    if format in _PACKED:
        return _PACKED[format](BytesIO(content))
    if format not in _OF_ONE_DOCUMENT:
        known = (ending for ending, one in BY_ENDING.items() if one in _OF_ONE_DOCUMENT)
        raise InputError(f"'{Path(name).suffix}' is not read; {', '.join(known)} are.")
    _refuse_packed(content)
    return _read_content(content, format, None)


def read_whole(file: IO[bytes], encoding: str | None = None, may_be_binary: bool = False) -> bytes:
    """What a file of one document holds, read once, as a pipe is.

    Raises InputError where it is no text, or does not end: a device may have no end.
    """
    content = file.read(_HEAD)
    _refuse_packed(content)
    if not may_be_binary:
        refuse_binary(content, encoding)
    content += file.read(_MOST_BYTES)
    if len(content) > _MOST_BYTES:
        raise InputError(f"it has more than {_MOST_BYTES:,} bytes. Split it.")
    return content


def _read_content(content: bytes, format: str, encoding: str | None, path: str = "") -> Source:
    if format == "mail":
        return read_mail(content, encoding)
    return read_text(decode(content, encoding), format, path, encoding)


def _refuse_packed(start: bytes) -> None:
    for magic, what in _MAGIC.items():
        if start.startswith(magic):
            raise InputError(f"this is {what}, whatever its name says.")
