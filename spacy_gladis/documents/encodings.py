"""Bytes as text: by the byte-order mark, else in the encoding that is given, else UTF-8."""

import codecs

from ..errors import InputError

_MARKS = (  # the longer mark first: that of UTF-16 begins that of UTF-32
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_MAGIC = {b"%PDF-": "a PDF file", b"PK\3\4": "a ZIP archive", b"\x1f\x8b": "a gzip file"}


def mark_of(data: bytes) -> tuple[bytes, str] | None:
    """The byte-order mark at the beginning, and the encoding that it stands for."""
    return next((one for one in _MARKS if data.startswith(one[0])), None)


def refuse_binary(data: bytes, encoding: str | None = None) -> None:
    """Raise InputError for bytes with a zero that neither a mark nor somebody calls text."""
    if encoding is None and not mark_of(data) and b"\0" in data:
        raise InputError("a binary file is not text.")


def refuse_packed(start: bytes) -> None:
    """Raise InputError for a file that begins as a packed one does, where text is expected."""
    for magic, what in _MAGIC.items():
        if start.startswith(magic):
            raise InputError(f"this is {what}, whatever its name says.")


def decode(data: bytes, encoding: str | None = None) -> str:
    """The text without its byte-order mark, which counts more than the encoding that is given.

    Raises UnicodeDecodeError where the bytes are none of that encoding, InputError where they are
    no text or the encoding is not known.
    """
    refuse_binary(data, encoding)
    mark, name = mark_of(data) or (b"", encoding or "utf-8")
    try:
        text = data[len(mark) :].decode(name)
    except UnicodeDecodeError:
        raise
    except (LookupError, ValueError):  # a name that is none, or that of no text's encoding
        raise InputError(
            f"There is no encoding '{name}'. Give a name such as utf-8, utf-16, latin-1 or cp1252."
        ) from None
    if "\0" in text:
        raise InputError("a binary file is not text.")
    return text


def encode(text: str, like: bytes, encoding: str | None = None) -> bytes:
    """The text with the mark and in the encoding that `decode` reads bytes like these with.

    Raises InputError where the encoding lacks a character.
    """
    mark, name = mark_of(like) or (b"", encoding or "utf-8")
    try:
        return mark + text.encode(name)
    except UnicodeEncodeError as error:
        raise InputError(f"The text cannot be written as {name}: {error}") from None


def undecodable(error: UnicodeDecodeError) -> str:
    """What is wrong with such bytes, and what may help."""
    where = f"{error.reason} at byte {error.start}"
    return f"not {error.encoding}: {where}; give --encoding, such as latin-1"


def without_lone_surrogates(text: str) -> str:
    """JSON escapes can hold half a character, which no UTF-8 file can."""
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
