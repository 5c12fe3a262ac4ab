"""Convert the bytes of text files to strings and back.

A byte-order mark at the beginning of a file determines the encoding. Without a mark, the encoding
that the user gives is used, or UTF-8 by default.
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
        data: The first bytes of the file, or its whole content.

    Returns:
        The bytes of the mark and the name of its encoding, such as ``"utf-8"``. None if the file
        has no mark.
    """
    return next((entry for entry in _MARKS if data.startswith(entry[0])), None)


def refuse_binary(data: bytes, encoding: str | None = None) -> None:
    """Raise an error if the content of a file is binary instead of text.

    A zero byte shows that a file is binary. Encodings such as UTF-16 also use zero bytes, so a file
    is always accepted if it has a byte-order mark or the user gives an encoding.

    Args:
        data: The first bytes of the file, or its whole content.
        encoding: Encoding that the user gives for files without a byte-order mark, or None.

    Raises:
        InputError: If the content has a zero byte, no byte-order mark, and no given encoding.
    """
    if encoding is None and not mark_of(data) and b"\0" in data:
        raise InputError(
            "The file is binary, not text. If it is UTF-16 without a byte-order mark, give its "
            "encoding."
        )


def refuse_packed(start: bytes) -> None:
    """Raise an error if a file with the name of a text file is really a PDF, ZIP or gzip file.

    Args:
        start: The first bytes of the file.

    Raises:
        InputError: If the first bytes are the signature of a PDF, ZIP or gzip file.
    """
    for magic, kind in _MAGIC.items():
        if start.startswith(magic):
            raise InputError(
                f"This is {kind}, although its name suggests a text file. Give it the ending of "
                "its real format, or extract its text."
            )


def decode(data: bytes, encoding: str | None = None) -> str:
    """Convert the content of a text file to a string, without its byte-order mark.

    Args:
        data: The content of the file.
        encoding: Encoding to use if the file has no byte-order mark. None means UTF-8.

    Returns:
        The text of the file.

    Raises:
        UnicodeDecodeError: If the bytes are not valid in the encoding.
        InputError: If the content is binary instead of text, or the encoding is unknown.
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
        raise InputError("The file is binary, not text. Convert it to a text format first.")
    return text


def encode(text: str, like: bytes, encoding: str | None = None) -> bytes:
    """Convert a text to bytes, with the byte-order mark and encoding of an existing file.

    Use it to write a changed text back to the file from which it was read.

    Args:
        text: The new text of the file.
        like: The content of the existing file.
        encoding: The encoding that was passed to `decode` when the existing file was read.

    Returns:
        The new content of the file.

    Raises:
        InputError: If the encoding can't represent a character of the text.
    """
    mark, name = mark_of(like) or (b"", encoding or "utf-8")
    try:
        return mark + text.encode(name)
    except UnicodeEncodeError as error:
        raise InputError(
            f"The text cannot be written as {name}: {error}. Convert the file to UTF-8 first."
        ) from None


def undecodable(error: UnicodeDecodeError) -> str:
    """Return a message for users that explains a decoding error and suggests `--encoding`.

    An example is ``not utf-8: invalid start byte at byte 12. Pass --encoding, such as latin-1``.

    Args:
        error: The error that `decode` raised.
    """
    where = f"{error.reason} at byte {error.start}"
    return f"not {error.encoding}: {where}. Pass --encoding, such as latin-1"


def without_lone_surrogates(text: str) -> str:
    """Replace lone surrogates, which UTF-8 can't represent, by the replacement character U+FFFD.

    A text can contain lone surrogates if it was decoded from JSON escapes, or from invalid bytes.

    Args:
        text: The text to convert. A text without lone surrogates is returned unchanged.
    """
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
