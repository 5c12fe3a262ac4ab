"""Edits of texts with markup, and the escaping of plain text for a format."""

import re
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

EDITABLE = frozenset({"text", "markdown", "restructuredtext", "latex", "html", "asciidoc"})
"""Formats in which texts can be edited safely."""

_LATEX_SIGNS = re.compile(r"([&%$#_{}])|[\\^~]")
_LATEX_NAMES = {"\\": "backslash", "^": "asciicircum", "~": "asciitilde"}
_MARKUP_SIGNS = re.compile(r"([\\`*_<>\[\]|])")
_ASCIIDOC_SIGNS = re.compile(r"[\\`*_#^~{}<>\[\]|+]")
_ASCIIDOC_ENDS = re.compile(r"[\]|]")  # of a pass macro and of a table's cell


class Edit(NamedTuple):
    """A replacement of a range in the text of a file.

    Attributes:
        start: Character offset at which the range starts.
        end: Character offset at which the range ends.
        text: The new text.
    """

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with edits applied, except edits that overlap an earlier one.

    Args:
        text: The text.
        edits: The edits, in any order.

    Returns:
        The changed text.
    """
    parts, at = [], 0
    for edit in sorted(edits):
        if edit.start >= at:
            parts += [text[at : edit.start], edit.text]
            at = edit.end
    return "".join([*parts, text[at:]])


def as_markup(text: str, format: str) -> str:
    """Escape a plain text so that it can be inserted into a file of a format.

    Args:
        text: The plain text.
        format: Name of the file's format, such as `markdown`.

    Returns:
        The escaped text.
    """
    if format == "html":
        return escape(text, quote=False)
    if format == "latex":
        return _LATEX_SIGNS.sub(
            lambda sign: f"\\{sign[1]}" if sign[1] else f"\\text{_LATEX_NAMES[sign[0]]}{{}}", text
        )
    if format in ("markdown", "restructuredtext"):
        return _MARKUP_SIGNS.sub(r"\\\1", text)
    if format == "asciidoc" and _ASCIIDOC_SIGNS.search(text):
        protected = _ASCIIDOC_ENDS.sub(r"\\\g<0>", text)
        return f"pass:c[{protected}]"
    return text
