"""Conversion of bytes to text and back.

A byte-order mark determines the encoding. Without a mark, the given encoding is used, or UTF-8 by
default.
"""

import codecs

from ..errors import InputError

_MARKS = (  # longer marks first, since the UTF-32 mark begins with the UTF-16 mark
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_MAGIC = {b"%PDF-": "a PDF file", b"PK\3\4": "a ZIP archive", b"\x1f\x8b": "a gzip file"}


def mark_of(data: bytes) -> tuple[bytes, str] | None:
    """Return the byte-order mark at the beginning of a file, if there is one.

    Args:
        data: The first bytes of the file, or all of them.

    Returns:
        The mark and the name of its encoding, or None if there is no mark.
    """
    return next((entry for entry in _MARKS if data.startswith(entry[0])), None)


def refuse_binary(data: bytes, encoding: str | None = None) -> None:
    """Raise an error if the content of a file is binary instead of text.

    Args:
        data: The first bytes of the file, or all of them.
        encoding: Encoding that the user specified. If there is one, or a byte-order mark, zero
            bytes are accepted.

    Raises:
        InputError: If the content has a zero byte.
    """
    if encoding is None and not mark_of(data) and b"\0" in data:
        raise InputError("The file is binary, not text.")


def refuse_packed(start: bytes) -> None:
    """Raise an error if a file that should be text is really a PDF, ZIP or gzip file.

    Args:
        start: The first bytes of the file.

    Raises:
        InputError: If the first bytes are the signature of a PDF, ZIP or gzip file.
    """
    for magic, kind in _MAGIC.items():
        if start.startswith(magic):
            raise InputError(f"This is {kind}, although its name suggests a text file.")


def decode(data: bytes, encoding: str | None = None) -> str:
    """Decode the content of a text file, without its byte-order mark.

    Args:
        data: The content of the file.
        encoding: Encoding of a file without a byte-order mark, which takes precedence. None means
            UTF-8.

    Returns:
        The decoded text.

    Raises:
        UnicodeDecodeError: If the bytes are not valid in the encoding.
        InputError: If the content is not text, or the encoding is unknown.
    """
    refuse_binary(data, encoding)
    mark, name = mark_of(data) or (b"", encoding or "utf-8")
    try:
        text = data[len(mark) :].decode(name)
    except UnicodeDecodeError:
        raise
    except (LookupError, ValueError):  # an unknown name, or a codec that is not for text
        raise InputError(
            f"Unknown encoding '{name}'. Use a name such as utf-8, utf-16, latin-1 or cp1252."
        ) from None
    if "\0" in text:
        raise InputError("The file is binary, not text.")
    return text


def encode(text: str, like: bytes, encoding: str | None = None) -> bytes:
    """Encode a text with the byte-order mark and encoding of an existing file.

    Args:
        text: The text.
        like: The content of the existing file.
        encoding: The encoding that was passed to `decode` for the existing file.

    Returns:
        The encoded text.

    Raises:
        InputError: If the encoding can't represent a character of the text.
    """
    mark, name = mark_of(like) or (b"", encoding or "utf-8")
    try:
        return mark + text.encode(name)
    except UnicodeEncodeError as error:
        raise InputError(f"The text cannot be written as {name}: {error}") from None


def undecodable(error: UnicodeDecodeError) -> str:
    """Return a message that explains a decoding error and suggests `--encoding`.

    Args:
        error: The error that `decode` raised.
    """
    where = f"{error.reason} at byte {error.start}"
    return f"not {error.encoding}: {where}; give --encoding, such as latin-1"


def without_lone_surrogates(text: str) -> str:
    """Replace lone surrogates, which UTF-8 can't represent, by U+FFFD.

    A text can contain lone surrogates if it was decoded from JSON escapes.

    Args:
        text: The text.
    """
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
