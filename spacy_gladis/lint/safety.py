"""Where an edit would break more than words: names that links go by, titles, tables, labels."""

import re

from ..documents.source import Source
from ..output.markup import Edit
from .headings import is_heading

_LOOK = 400  # characters around an edit in which markup begins and ends
_TABLE = 4_000  # characters in which a table's rules are looked for
_BLANK = re.compile(r"\n[ \t\r]*\n")
_LATEX_LABEL = re.compile(r"\\(?:[gG]ls|GLS|[aA]c)[a-z]*\*?(?:\[[^\]\n]*\])*\{[^{}\n]*$")
_RULE = re.compile(r"^[ \t]*(?:=+(?: +=+)+|\+[-=+]+\+)[ \t]*\r?$", re.MULTILINE)
_LINK_NAME = {
    "markdown": re.compile(r"\[[^\[\]]*\](?!\()"),
    "restructuredtext": re.compile(r"`[^`]+`_|\|[^|\n]+\|"),
}


def is_safe(source: Source, edit: Edit) -> bool:
    """Whether an edit of a file changes words alone.

    In Markdown and reStructuredText the names of references and the titles, which links go by and
    underlines are as long as, stay as they are, and so do tables drawn with signs; in LaTeX the
    labels of glossary entries.
    """
    text = source.source
    begin = max(0, edit.start - _LOOK)
    if source.format == "latex":
        return not _LATEX_LABEL.search(text[begin : edit.start])
    names = _LINK_NAME.get(source.format)
    if names is None:
        return True
    around = text[begin : edit.end + _LOOK]
    start, end = edit.start - begin, edit.end - begin
    if any(name.start() < end and start < name.end() for name in names.finditer(around)):
        return False
    if is_heading(source, edit.start):
        return False
    if source.format == "markdown":
        return True
    before = _BLANK.split(text[max(0, edit.start - _TABLE) : edit.start])[-1]
    after = _BLANK.split(text[edit.start : edit.start + _TABLE], maxsplit=1)[0]
    return not _RULE.search(before + after)
