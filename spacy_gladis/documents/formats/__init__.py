"""Readers of many file formats, which return plain text with a map back to the file."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import IO

from ...errors import FormatError, InputError, check_names, wrap_parser_errors
from ...problem import Report
from ..builder import TextBuilder
from ..encodings import decode, refuse_binary, refuse_packed
from ..lines import COMPRESSIONS
from ..source import Source
from .format import BinaryFormat, EncodedFormat, RecordsFormat, TextFormat
from .included import Part, labels_beside, parts_of
from .latex import labels_of, read_definitions
from .registry import PLAIN, formats_by_ending, load_formats, text_formats

_HEAD = 1 << 13  # bytes that are checked first
_MOST_BYTES = 1 << 28  # of a file with one document


def format_of_file(path: Path) -> str | None:
    """Return the name of a file's format, which the ending of the file name determines.

    For example, the format of ``a.md`` is ``markdown``, and that of ``b.jsonl.gz`` is
    ``json lines``. A file without an ending is plain text.

    Args:
        path: Path of the file, which need not exist.

    Returns:
        The name of the format, or None if the ending is unknown.
    """
    endings = formats_by_ending()
    ending = path.suffix.lower()
    if ending in COMPRESSIONS:
        inner = endings.get(Path(path.stem).suffix.lower())
        return inner.name if isinstance(inner, RecordsFormat) and inner.is_by_line else None
    format = endings.get(ending) if ending else PLAIN
    return format.name if format else None


def read_text(source: str, format: str, path: str = "", encoding: str | None = None) -> Source:
    """Convert a text with markup, such as Markdown or HTML, to plain text.

    Args:
        source: The text with its markup.
        format: Name of a text format, such as ``markdown``.
        path: Path of the file from which the text comes. Files that it includes are searched from
            there. If it is empty, no other file is read.
        encoding: Encoding of included files without a byte-order mark. None means UTF-8.

    Returns:
        The plain text, with a map to the positions in `source`.

    Raises:
        InputError: If the name of the format is unknown.
        FormatError: If the text is not valid in the format.
    """
    check_names("text format", [format], text_formats())
    builder = TextBuilder(source)
    parts = _parts(source, format, Path(path), encoding) if path else []
    for part in parts:
        builder.names.update(part.names)
    with wrap_parser_errors(f"not readable as {format}"):
        text_formats()[format].fill(builder)
    return builder.source(format).at(included=tuple(part.source for part in parts))


def _parts(source: str, format: str, path: Path, encoding: str | None) -> list[Part]:
    """Return the files that a text includes, or in which a LaTeX text's labels are defined."""
    parts = parts_of(path, source, format, _read_part, encoding)
    if format == "latex" and (labels := labels_of(source)):
        defined = _read_definitions(source, format)[1]
        labels.difference_update(defined, *(part.names for part in parts))
        parts += labels_beside(path, labels, _read_definitions, encoding)
    return parts


def _read_part(source: str, format: str) -> tuple[Source, dict[str, str]]:
    builder = TextBuilder(source)
    try:
        with wrap_parser_errors(f"not readable as {format}"):
            text_formats()[format].fill(builder)
    except FormatError:
        if format == "latex":  # a preamble may leave groups open
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
    """Read the documents in a file, in the format that the ending of its name determines.

    Most files contain one document. Tables, DocBin files and files of JSON lines contain several.

    Args:
        path: Path of the file.
        report: Function that is called with a `Problem` for each invalid record, which is skipped.
        encoding: Encoding of text without a byte-order mark. None means UTF-8. JSON lines are
            always UTF-8.
        text_field: Key or column that contains the texts of JSON lines and tables. None means the
            key `text` in JSON lines, and the column with the longest texts in tables.

    Yields:
        The documents in the order of the file. Each is a plain text with a map to the positions in
        the file.

    Raises:
        InputError: If the format is unknown, or a text file is really binary or compressed.
        FormatError: If the file is damaged.
        UnicodeDecodeError: If the text has another encoding.
        OSError: If the file can't be read.
    """
    name = format_of_file(path)
    if name is None:
        endings = ", ".join(formats_by_ending())
        raise InputError(f"Unknown file format '{path.suffix}'. Supported endings: {endings}.")
    format = load_formats()[name]
    is_text = isinstance(format, TextFormat | EncodedFormat)
    if not is_text and path.exists() and not path.is_file():
        raise InputError(f"The format {name} cannot be read from a pipe. Save it to a file first.")
    if isinstance(format, RecordsFormat):
        yield from format.read(path, report, encoding, text_field)
        return
    if isinstance(format, BinaryFormat):
        source = format.read(path)
    else:
        with path.open("rb") as file:
            content = read_whole(file, encoding, may_be_binary=isinstance(format, EncodedFormat))
        source = _read_content(content, name, encoding, str(path))
    yield source.at(name=str(path), path=str(path))


def read_content(content: bytes, name: str) -> Source:
    """Read a document from the content of a file, such as a file that was uploaded.

    Args:
        content: The content of the file.
        name: Name of the file. Its ending determines the format.

    Returns:
        The document as a plain text, with a map to the positions in the file.

    Raises:
        InputError: If the format is unknown or stores several documents in a file, or if the
            content is in another format.
        FormatError: If the file is damaged.
        UnicodeDecodeError: If the text has another encoding.
    """
    format = load_formats().get(format_of_file(Path(name)) or "")
    if isinstance(format, BinaryFormat):
        return format.read(BytesIO(content))
    if not isinstance(format, TextFormat | EncodedFormat):
        endings = formats_by_ending().items()
        supported = (ending for ending, reader in endings if not isinstance(reader, RecordsFormat))
        raise InputError(
            f"The ending '{Path(name).suffix}' is not supported. Supported endings: "
            f"{', '.join(supported)}."
        )
    refuse_packed(content)
    return _read_content(content, format.name, None)


def read_whole(file: IO[bytes], encoding: str | None = None, may_be_binary: bool = False) -> bytes:
    """Read the whole content of an open file or pipe, and check that it is text.

    Args:
        file: The file, opened for reading bytes.
        encoding: Encoding that the user gives. If there is one, zero bytes are accepted, as UTF-16
            contains them.
        may_be_binary: Whether to accept zero bytes in any case.

    Returns:
        The content of the file.

    Raises:
        InputError: If the file isn't text, or has more than 256 MiB. Some devices never end.
    """
    content = file.read(_HEAD)
    refuse_packed(content)
    if not may_be_binary:
        refuse_binary(content, encoding)
    content += file.read(_MOST_BYTES)
    if len(content) > _MOST_BYTES:
        raise InputError(f"The file has more than {_MOST_BYTES:,} bytes. Split it.")
    return content


def _read_content(content: bytes, format: str, encoding: str | None, path: str = "") -> Source:
    reader = load_formats()[format]
    if isinstance(reader, EncodedFormat):
        return reader.read(content, encoding)
    return read_text(decode(content, encoding), format, path, encoding)
