"""Texts that are changed in their own format."""

import re
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

EDITABLE = frozenset({"text", "markdown", "restructuredtext", "latex", "html", "asciidoc"})
"""Formats in which a text may be changed without harm."""

_LATEX_SIGNS = re.compile(r"([&%$#_{}])|[\\^~]")
_LATEX_NAMES = {"\\": "backslash", "^": "asciicircum", "~": "asciitilde"}
_MARKUP_SIGNS = re.compile(r"([\\`*_<>\[\]|])")
_ASCIIDOC_SIGNS = re.compile(r"[\\`*_#^~{}<>\[\]|+]")


class Edit(NamedTuple):
    """A change of a file's text: the characters at these offsets become `text`."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with every edit made, but for those that overlap an earlier one."""
    parts, at = [], 0
    for edit in sorted(edits):
        if edit.start >= at:
            parts += [text[at : edit.start], edit.text]
            at = edit.end
    return "".join([*parts, text[at:]])


def as_markup(text: str, format: str) -> str:
    """A text as it is written in a format, where it shall mean itself."""
    if format == "html":
        return escape(text, quote=False)
    if format == "latex":
        return _LATEX_SIGNS.sub(
            lambda sign: f"\\{sign[1]}" if sign[1] else f"\\text{_LATEX_NAMES[sign[0]]}{{}}", text
        )
    if format in ("markdown", "restructuredtext"):
        return _MARKUP_SIGNS.sub(r"\\\1", text)
    if format == "asciidoc" and _ASCIIDOC_SIGNS.search(text):
        return f"pass:c[{text.replace(']', chr(92) + ']').replace('|', chr(92) + '|')}]"
    return text
