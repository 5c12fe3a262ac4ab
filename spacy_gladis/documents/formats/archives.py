"""Limits of what the archives of office programs may unpack to."""

from pathlib import Path
from typing import BinaryIO
from zipfile import ZipFile, ZipInfo

from ...errors import FormatError

_MOST_BYTES = 1 << 28
"""Of a document's parts together: pictures are read, too."""
_MOST_MARKUP = 1 << 26
_MOST_TAGS = 2_000_000
"""Each takes some hundred bytes of memory."""


_HEAD = 1 << 10
"""Bytes by which markup is told: a part may have any name."""
_BEFORE_MARKUP = b"\xef\xbb\xbf\xfe\xff\0 \t\r\n"


def check_sizes(file: Path | BinaryIO, format: str) -> None:
    """Refuse what unpacks to very much, by the sizes that the archive declares: none is larger."""
    with ZipFile(file) as archive:
        parts = archive.infolist()
        size = sum(part.file_size for part in parts)
        if size <= _MOST_BYTES:  # else nothing is unpacked
            parts = [part for part in parts if _is_markup(archive, part)]
        if size > _MOST_BYTES or sum(part.file_size for part in parts) > _MOST_MARKUP:
            detail = f"it unpacks to {size:,} bytes. Split it."
            raise FormatError(f"no {format} that opens: {detail}")
        tags = sum(archive.read(part).count(b"<") for part in parts)
        if tags > _MOST_TAGS:
            detail = f"it has {tags:,} tags, more than {_MOST_TAGS:,}. Split it."
            raise FormatError(f"no {format} that opens: {detail}")


def _is_markup(archive: ZipFile, part: ZipInfo) -> bool:
    with archive.open(part) as file:
        return file.read(_HEAD).lstrip(_BEFORE_MARKUP)[:1] in (b"", b"<")
