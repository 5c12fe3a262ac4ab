"""Texts that are changed in their own format."""

import re
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

EDITABLE = frozenset({"text", "markdown", "restructuredtext", "latex", "html"})
"""Formats in which a text may be changed without harm."""

_OWN_ARGUMENT = {
    "latex": re.compile(
        r"\\(?:ac|gls|newac|newgloss|declareac)[a-z]*\*?(?:\s*\[[^\[\]]*\]|\s*\{[^{}]*\})*\s*\{[^{}]*$",
        re.IGNORECASE,
    ),
    "html": re.compile(r"<(?:abbr|acronym|dfn)\b[^<>]*>[^<]*$", re.IGNORECASE),
    "markdown": re.compile(
        r"<(?:abbr|acronym|dfn)\b[^<>]*>[^<]*$|\{[\w:+-]+\}`[^`]*$|^\*\[[^\]\n]*$",
        re.IGNORECASE | re.MULTILINE,
    ),
    "restructuredtext": re.compile(
        r"(?<![\w:+-]):[\w:+-]+:`[^`]*$|\|[^|\s]*$|^\.\. _[^:\n]*$", re.MULTILINE
    ),
}
"""What stands before a text that markup takes as an argument: a glossary's key, an abbreviation."""

_LOOK_BACK = 200
_LATEX_SIGNS = re.compile(r"([&%$#_{}])")
_MARKUP_SIGNS = re.compile(r"([\\`*_<>\[\]|])")


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


def is_own_argument(source: str, start: int, end: int, format: str) -> bool:
    """Whether `source[start:end]` is what markup looks up or explains itself: `\\ac{NN}`,
    `<abbr>NN</abbr>`, a role's text, a link's label. What stands there cannot be replaced."""
    before = source[max(0, start - _LOOK_BACK) : start]
    if format == "markdown" and before.endswith("[") and source[end : end + 1] == "]":
        return source[end + 1 : end + 2] not in ("(", "[")
    pattern = _OWN_ARGUMENT.get(format)
    return pattern is not None and pattern.search(before) is not None


def as_markup(text: str, format: str) -> str:
    """A text as it is written in a format, where it shall mean itself."""
    if format == "html":
        return escape(text, quote=False)
    if format == "latex":
        return _LATEX_SIGNS.sub(r"\\\1", text)
    if format in ("markdown", "restructuredtext"):
        return _MARKUP_SIGNS.sub(r"\\\1", text)
    return text
