"""Mail by the standard library: the subject, then the body, whose lines are those people read."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from ...errors import FormatError, GladisError
from ..builder import TextBuilder
from ..encodings import decode
from ..source import Source
from .html import HTMLText

_UNTOLD = (None, "us-ascii")  # what programs say of a mail in any encoding
_MOST_HEADERS = 100_000
"""Bytes: the parser's time grows faster than they do."""


def read_mail(content: bytes, encoding: str | None = None) -> Source:
    """The subject and the plain body, else the HTML body, without attachments.

    A place is a paragraph, the subject the first one and each line of the body another.
    content: the file's bytes. encoding: of a body that names none; None: UTF-8. Raises
    FormatError where it is no mail, UnicodeDecodeError.
    """
    try:
        subject, body, kind = _parts(content, encoding)
    except (GladisError, UnicodeDecodeError):
        raise
    except Exception as error:  # the parser meets what no standard has foreseen
        raise FormatError(f"no mail that can be read: {type(error).__name__}: {error}") from error
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


def _parts(data: bytes, encoding: str | None) -> tuple[str, str, str]:
    """The subject, the body, and whether it is plain or HTML."""
    head = data.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    if len(head) > _MOST_HEADERS:
        raise FormatError(f"no mail that can be read: {len(head):,} bytes of headers")
    message = message_from_bytes(data, policy=default)
    if not isinstance(message, EmailMessage) or not message.keys():
        raise FormatError("no mail that can be read: it has no headers")
    subject = " ".join(str(message["subject"] or "").split())
    body = message.get_body(preferencelist=("plain", "html"))
    if body is None:
        return subject, "", "plain"
    said = body.get_content_charset()
    payload = body.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return subject, "", "plain"
    text = decode(payload, encoding if said in _UNTOLD else said)
    return subject, text, body.get_content_subtype()
