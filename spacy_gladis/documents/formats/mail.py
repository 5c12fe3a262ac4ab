"""Reader of mail files, which uses the standard library.

The text of a document is the subject of the mail, followed by its body.
"""

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from itertools import groupby

from ...errors import FormatError, wrap_parser_errors
from ..builder import TextBuilder
from ..encodings import decode
from ..source import Source
from .html import HTMLText
from .paragraphs import Line, lines_of
from .plain import copy_lines

_UNREADABLE = "not a readable mail"
_UNSPECIFIED = (None, "us-ascii")  # used by programs for any encoding
_QUOTED = re.compile(
    r"(?:[ \t]{0,4}(?:[A-Z][A-Za-z]{0,9})?>)*(?:(?<=>)[ \t])?(?:\|[ \t]+(?=[^|]*\Z))?"
)
"""Signs at the beginning of quoted lines: ">", optionally after a name, or a bar outside of
tables."""
_MOST_HEADERS = 100_000
"""Maximum number of bytes in the headers. The time of the parser grows faster than their size."""


def read_mail(content: bytes, encoding: str | None = None) -> Source:
    """Read the subject and the body of a mail.

    If the mail has a plain-text body, it is read, otherwise the HTML body. Attachments are skipped.
    Positions are paragraphs: the subject is the first, and each line of the body is another.

    Args:
        content: The content of the file.
        encoding: Encoding of a body that doesn't name one. None means UTF-8.

    Returns:
        The document as plain text. The line of a position is the number of the paragraph.

    Raises:
        FormatError: If the file isn't a mail.
        UnicodeDecodeError: If the body has another encoding.
    """
    with wrap_parser_errors(_UNREADABLE):
        subject, payload, charset, kind = _parts(content)
    body = decode(payload, encoding if charset in _UNSPECIFIED else charset)
    first = f"{subject}\n" if subject else ""
    builder = TextBuilder(first + body)
    if subject:
        builder.copy(0, len(subject))
        builder.title(0, 1)
        builder.glue("\n\n")
    start, end = len(first), len(builder.original)
    if kind == "html":
        page = HTMLText(builder)
        page.read(start, end)
        page.end()
    else:
        _read_quoted(builder, start)
    return builder.source("mail").at(unit="paragraph")


def _read_quoted(builder: TextBuilder, start: int) -> None:
    """Add the plain-text body of a mail without the quotation marks at the beginning of lines.

    A new paragraph begins where the depth of the quotation changes.
    """
    lines = lines_of(builder.original[start:])
    for _, group in groupby(lines, key=lambda line: _signs(line).count(">")):
        block = list(group)
        begin, end = start + block[0].start, start + block[-1].end + 1
        hidden = ((start + line.start, start + line.start + len(_signs(line))) for line in block)
        builder.glue("\n")
        copy_lines(builder, begin, min(end, len(builder.original)), hidden)


def _signs(line: Line) -> str:
    return _QUOTED.match(line.text)[0]  # type: ignore[index]  # it always matches


def _parts(data: bytes) -> tuple[str, bytes, str | None, str]:
    """Return the subject, the body, the encoding of the body, and its subtype (plain or html)."""
    head = data.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    if len(head) > _MOST_HEADERS:
        raise FormatError(
            f"{_UNREADABLE}: its headers have {len(head):,} bytes, but the maximum is "
            f"{_MOST_HEADERS:,}"
        )
    message = message_from_bytes(data, policy=default)
    if not isinstance(message, EmailMessage) or not message.keys():
        raise FormatError(f"{_UNREADABLE}: it has no headers")
    subject = " ".join(str(message["subject"] or "").split())
    body = message.get_body(preferencelist=("plain", "html"))
    # A body without headers is false, so it is compared with None.
    payload = None if body is None else body.get_payload(decode=True)
    if body is None or not isinstance(payload, bytes):
        return subject, b"", None, "plain"
    return subject, payload, body.get_content_charset(), body.get_content_subtype()
