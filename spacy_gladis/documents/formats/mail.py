"""Mail by the standard library: the subject, then the body, whose lines are those people read."""

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

_NONE = "no mail that can be read"
_UNTOLD = (None, "us-ascii")  # what programs say of a mail in any encoding
_QUOTED = re.compile(
    r"(?:[ \t]{0,4}(?:[A-Z][A-Za-z]{0,9})?>)*(?:(?<=>)[ \t])?(?:\|[ \t]+(?=[^|]*\Z))?"
)
"""What stands before quoted lines: ">", perhaps with a name, or a bar that is none of a table."""
_MOST_HEADERS = 100_000
"""Bytes: the parser's time grows faster than they do."""


def read_mail(content: bytes, encoding: str | None = None) -> Source:
    """The subject and the plain body, else the HTML body, without attachments.

    A place is a paragraph, the subject the first one and each line of the body another.
    content: the file's bytes. encoding: of a body that names none; None: UTF-8. Raises
    FormatError where it is no mail, UnicodeDecodeError.
    """
    with wrap_parser_errors(_NONE):
        subject, payload, said, kind = _parts(content)
    body = decode(payload, encoding if said in _UNTOLD else said)
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
    """Take a plain body without the signs before quoted lines; where other signs begin, another
    paragraph does."""
    lines = lines_of(builder.original[start:])
    for _, group in groupby(lines, key=lambda line: _signs(line).count(">")):
        block = list(group)
        begin, end = start + block[0].start, start + block[-1].end + 1
        hidden = ((start + one.start, start + one.start + len(_signs(one))) for one in block)
        builder.glue("\n")
        copy_lines(builder, begin, min(end, len(builder.original)), hidden)


def _signs(line: Line) -> str:
    return _QUOTED.match(line.text)[0]  # type: ignore[index]  # it matches anything


def _parts(data: bytes) -> tuple[str, bytes, str | None, str]:
    """The subject, the body, its encoding, and whether it is plain or HTML."""
    head = data.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    if len(head) > _MOST_HEADERS:
        raise FormatError(f"{_NONE}: {len(head):,} bytes of headers")
    message = message_from_bytes(data, policy=default)
    if not isinstance(message, EmailMessage) or not message.keys():
        raise FormatError(f"{_NONE}: it has no headers")
    subject = " ".join(str(message["subject"] or "").split())
    body = message.get_body(preferencelist=("plain", "html"))
    payload = None if body is None else body.get_payload(decode=True)  # without headers it is false
    if body is None or not isinstance(payload, bytes):
        return subject, b"", None, "plain"
    return subject, payload, body.get_content_charset(), body.get_content_subtype()
