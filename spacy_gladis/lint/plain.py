"""What plain text has besides sentences: columns, titles, mail, names of companies."""

import re

_COLUMNS = re.compile(r"(?<![.!?:\s])(?<![.!?][\"')\u201d\u2019])(?:[ ]{2,}|[ ]*\t[ \t]*)(?=\S)")
_ITEM = re.compile(r"\s*(?:[-*+\u2022]|\(?(?:\d+|[a-zA-Z])[.)])\s+")
_NUMBERED = re.compile(r"\s*\d+(?:\.\d+)*[.)]?\s+\S")
_HEADING_WORDS = 5  # at most, of a numbered heading without a sign at its end
_MAIL = re.compile(
    r"(?:bcc|cc|date|from|importance|reply-to|sender|sent|subject|to):|\s*>", re.IGNORECASE
)
_SIGNATURE = re.compile(r"^-- ?\r?$", re.MULTILINE)
_SIGNATURE_LINES = 8  # at most
_OWNER = re.compile(r"(?:\u00a9|&copy;|\\copyright|\([cC]\)|\bCopyright\b)[\s\d,{}-]*$")
_KIND = r"(?:AB|AG|BV|Corp|GmbH|Inc|KG|LLC|LLP|Ltd|Limited|Oy|PLC|plc|SE)\b"
_COMPANY = re.compile(rf"(?:\s*\([^()]{{0,40}}\))?,?(?:\s|~|&nbsp;)+{_KIND}")
_KIND_ALONE = re.compile(_KIND)
_NEAR = 40  # characters
_LINE = 500  # of a line, on either side


def is_laid_out(text: str, start: int, end: int) -> bool:
    """Whether a stretch of a plain text touches a line that is no prose: a row of columns, a
    numbered heading, capitals alone, a mail's header or signature, or a quoted line of one."""
    first = max(text.rfind("\n", 0, start) + 1, start - _LINE)
    last = text.find("\n", end, end + _LINE)
    lines = text[first : last if last >= 0 else end + _LINE].splitlines()
    return any(map(_is_no_prose, lines)) or _in_signature(text, first)


def _is_no_prose(line: str) -> bool:
    item = _ITEM.match(line)
    words = line[item.end() :] if item else line.strip()
    if _MAIL.match(line) or _COLUMNS.search(words):
        return True
    if line.isupper() and len(line.split()) > 1:
        return True
    short = len(line.split()) <= _HEADING_WORDS and line.rstrip()[-1:] not in ".:;!?,"
    return bool(short and _NUMBERED.match(line))


def _in_signature(text: str, line: int) -> bool:
    found = list(_SIGNATURE.finditer(text, max(0, line - _SIGNATURE_LINES * _NEAR), line))
    return bool(found) and text.count("\n", found[-1].end()) <= _SIGNATURE_LINES


def is_company(text: str, start: int, end: int) -> bool:
    """Whether a stretch is of the name of a company or the owner of rights: "ACME GmbH"."""
    owner = _OWNER.search(text, max(0, start - _NEAR), start)
    return bool(owner or _COMPANY.match(text, end) or _KIND_ALONE.fullmatch(text, start, end))
