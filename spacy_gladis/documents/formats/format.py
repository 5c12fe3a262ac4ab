"""Types that describe a file format by its name, the endings of its files and its reader."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ...problem import Report
from ..builder import TextBuilder
from ..source import Source


@dataclass(frozen=True)
class Format:
    """Base class of the descriptions of file formats.

    Attributes:
        name: Name of the format, such as ``markdown``.
        endings: Endings of the files in lower case, such as ``(".md", ".markdown")``.
    """

    name: str
    endings: tuple[str, ...]


@dataclass(frozen=True)
class TextFormat(Format):
    """A text format, such as Markdown or HTML, in which each file contains one document.

    Attributes:
        fill: Function that adds the visible text of a file to a builder. The builder was created
            with the content of the file.
    """

    fill: Callable[[TextBuilder], None]


@dataclass(frozen=True)
class EncodedFormat(Format):
    """A format, such as mail, in which a file contains one document and may name its encoding.

    Attributes:
        read: Function that takes the content of a file, and the encoding to use if the file doesn't
            name one, and returns the document. The encoding None means UTF-8.
    """

    read: Callable[[bytes, str | None], Source]


@dataclass(frozen=True)
class BinaryFormat(Format):
    """A binary format, such as PDF, in which each file contains one document.

    Attributes:
        read: Function that takes the path of a file, or an open file, and returns the document.
    """

    read: Callable[[Path | BinaryIO], Source]


@dataclass(frozen=True)
class RecordsFormat(Format):
    """A format, such as JSON lines, in which each file contains many documents.

    Attributes:
        read: Function that yields the documents of a file. Its parameters are the path, the
            function that is called with problems, the encoding of text without a byte-order mark
            (None means UTF-8), and the key or column with the texts (None means the default).
        is_by_line: Whether each line is a document. Such files may be compressed.
    """

    read: Callable[[Path, Report, str | None, str | None], Iterator[Source]]
    is_by_line: bool = False
