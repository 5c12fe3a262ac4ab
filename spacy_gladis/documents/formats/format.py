"""What a format of files is: its name, the endings of its files, and its reader."""

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
        endings: The endings of its files, in small letters, such as ``(".md", ".markdown")``.
    """

    name: str
    endings: tuple[str, ...]


@dataclass(frozen=True)
class TextFormat(Format):
    """A format that is text itself, one document a file.

    Attributes:
        fill: Puts what readers see into a builder, which holds the file's text.
    """

    fill: Callable[[TextBuilder], None]


@dataclass(frozen=True)
class EncodedFormat(Format):
    """A format whose text may name its own encoding, one document a file.

    Attributes:
        read: Reads a file's bytes; the second argument is the encoding if none is named, None for
            UTF-8.
    """

    read: Callable[[bytes, str | None], Source]


@dataclass(frozen=True)
class BinaryFormat(Format):
    """A format that is no text, one document a file.

    Attributes:
        read: Reads a file, by its path or opened.
    """

    read: Callable[[Path | BinaryIO], Source]


@dataclass(frozen=True)
class RecordsFormat(Format):
    """A format of many documents a file.

    Attributes:
        read: Yields the documents of a file. The arguments are its path, where bad records go, the
            encoding of text without a byte-order mark (None for UTF-8), and the key or column of
            the texts (None for the usual one).
        is_by_line: Whether each line is a document. Such files may be compressed.
    """

    read: Callable[[Path, Report, str | None, str | None], Iterator[Source]]
    is_by_line: bool = False
