"""Mail by the standard library: the subject, then the body, whose lines are those people read."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from ...errors import FormatError, damage_is_told
from ..builder import TextBuilder
from ..encodings import decode
from ..source import Source
from .html import HTMLText

_NONE = "no mail that can be read"
_UNTOLD = (None, "us-ascii")  # what programs say of a mail in any encoding
_MOST_HEADERS = 100_000
"""Bytes: the parser's time grows faster than they do."""


def read_mail(content: bytes, encoding: str | None = None) -> Source:
    """The subject and the plain body, else the HTML body, without attachments.

    A place is a paragraph, the subject the first one and each line of the body another.
    content: the file's bytes. encoding: of a body that names none; None: UTF-8. Raises
    FormatError where it is no mail, UnicodeDecodeError.
    """
    with damage_is_told(_NONE):
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
        builder.copy(start, end)
    return builder.source("mail").at(unit="paragraph")


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
