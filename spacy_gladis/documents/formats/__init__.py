"""Files as plain text, with the way back to the file: one reader a format."""

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

_HEAD = 1 << 13  # bytes
_MOST_BYTES = 1 << 28


def format_of_file(path: Path) -> str | None:
    """Return the name of a file's format, by its ending; None if no format has it."""
    endings = formats_by_ending()
    ending = path.suffix.lower()
    if ending in COMPRESSIONS:
        inner = endings.get(Path(path.stem).suffix.lower())
        return inner.name if isinstance(inner, RecordsFormat) and inner.is_by_line else None
    format = endings.get(ending) if ending else PLAIN
    return format.name if format else None


def read_text(source: str, format: str, path: str = "", encoding: str | None = None) -> Source:
    """Read a text of one of the formats that are text.

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
    check_names("text format", [format], text_formats())
    builder = TextBuilder(source)
    parts = _parts(source, format, Path(path), encoding) if path else []
    for part in parts:
        builder.names.update(part.names)
    with wrap_parser_errors(f"no {format} that can be read"):
        text_formats()[format].fill(builder)
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
            text_formats()[format].fill(builder)
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
    name = format_of_file(path)
    if name is None:
        known = ", ".join(formats_by_ending())
        raise InputError(f"a file '{path.suffix}' is of no known format. Known are {known}.")
    format = load_formats()[name]
    is_text = isinstance(format, TextFormat | EncodedFormat)
    if not is_text and path.exists() and not path.is_file():
        raise InputError(f"{name} cannot be read from a pipe; put it into a file.")
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
    """Read the bytes of a file of one document; its name's ending tells the format.

    Raises InputError where that is none or one of many documents, and as `read_file`.
    """
    format = load_formats().get(format_of_file(Path(name)) or "")
    if isinstance(format, BinaryFormat):
        return format.read(BytesIO(content))
    if not isinstance(format, TextFormat | EncodedFormat):
        endings = formats_by_ending().items()
        known = (ending for ending, one in endings if not isinstance(one, RecordsFormat))
        raise InputError(f"'{Path(name).suffix}' is not read; {', '.join(known)} are.")
    refuse_packed(content)
    return _read_content(content, format.name, None)


def read_whole(file: IO[bytes], encoding: str | None = None, may_be_binary: bool = False) -> bytes:
    """What a file of one document holds, read once, as a pipe is.

    Raises InputError where it is no text, or does not end: a device may have no end.
    """
    content = file.read(_HEAD)
    refuse_packed(content)
    if not may_be_binary:
        refuse_binary(content, encoding)
    content += file.read(_MOST_BYTES)
    if len(content) > _MOST_BYTES:
        raise InputError(f"it has more than {_MOST_BYTES:,} bytes. Split it.")
    return content


def _read_content(content: bytes, format: str, encoding: str | None, path: str = "") -> Source:
    reader = load_formats()[format]
    if isinstance(reader, EncodedFormat):
        return reader.read(content, encoding)
    return read_text(decode(content, encoding), format, path, encoding)
