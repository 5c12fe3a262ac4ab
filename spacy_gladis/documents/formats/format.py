"""Types that describe a file format: name, endings and reader."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ...problem import Report
from ..builder import TextBuilder
from ..source import Source


@dataclass(frozen=True)
class Format:
    """A format of files.

    Attributes:
        name: The format's name, such as ``markdown``.
        endings: The endings of its files, in lower case, such as ``(".md", ".markdown")``.
    """

    name: str
    endings: tuple[str, ...]


@dataclass(frozen=True)
class TextFormat(Format):
    """A text format with one document per file.

    Attributes:
        fill: Adds the visible text to a builder, whose original is the file.
    """

    fill: Callable[[TextBuilder], None]


@dataclass(frozen=True)
class EncodedFormat(Format):
    """A format that may name its encoding, with one document per file.

    Attributes:
        read: Reads the bytes of a file. The second argument is the encoding if the file names none;
            None means UTF-8.
    """

    read: Callable[[bytes, str | None], Source]


@dataclass(frozen=True)
class BinaryFormat(Format):
    """A binary format with one document per file.

    Attributes:
        read: Reads a path or an open file.
    """

    read: Callable[[Path | BinaryIO], Source]


@dataclass(frozen=True)
class RecordsFormat(Format):
    """A format with many documents per file.

    Attributes:
        read: Yields the documents of a file. The arguments are its path, the receiver of problems,
            the encoding of text without a byte-order mark (None means UTF-8), and the key or column
            of the texts (None means the default).
        is_by_line: Whether each line is a document. Such files may be compressed.
    """

    read: Callable[[Path, Report, str | None, str | None], Iterator[Source]]
    is_by_line: bool = False
