"""Edits of texts with markup, and escaping of plain text for the format of a file."""

import re
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

EDITABLE = frozenset({"text", "markdown", "restructuredtext", "latex", "html", "asciidoc"})
"""Names of the formats in which words can be replaced without breaking the markup."""

_LATEX_SIGNS = re.compile(r"([&%$#_{}])|[\\^~]")
_LATEX_NAMES = {"\\": "backslash", "^": "asciicircum", "~": "asciitilde"}
_MARKUP_SIGNS = re.compile(r"([\\`*_<>\[\]|])")
_ASCIIDOC_SIGNS = re.compile(r"[\\`*_#^~{}<>\[\]|+]")
_ASCIIDOC_ENDS = re.compile(r"[\]|]")  # end of a pass macro or of a table cell


class Edit(NamedTuple):
    """A replacement of a range in the text of a file.

    Attributes:
        start: Character offset at which the range starts.
        end: Character offset at which the range ends (exclusive).
        text: New text, which replaces the range.
    """

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return a text in which several ranges are replaced.

    Args:
        text: Text to change.
        edits: Replacements, in any order. One that overlaps an earlier range is skipped.

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
    r"""Escape the special characters in a plain text, to insert it into a file with markup.

    For example, "R&D" becomes `R\&D` in LaTeX and `R&amp;D` in HTML.

    Args:
        text: Plain text, such as the long form of an acronym.
        format: Name of the file's format, such as `markdown`. In unknown formats, nothing is
            escaped.

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
