"""Where an edit would break more than words: names that links go by, titles, tables, labels."""

import re

from ..documents.source import Source
from ..output.markup import Edit
from .closed import closed_spans, within
from .headings import is_heading
from .tables import table_spans

_LOOK = 400  # characters around an edit in which markup begins and ends
_TABLE = 4_000  # characters in which a table's rules are looked for
_BLANK = re.compile(r"\n[ \t\r]*\n")
_RULE = re.compile(
    r"^(?:[ \t]*(?:=+(?: +=+)+|\+[-=+]+\+)[ \t]*|(?=[^\n]*\|)(?=[^\n]*-)[ \t>:|-]+)\r?$",
    re.MULTILINE,
)
_ROW = re.compile(r"^[ \t>]*\|[^\n]*$")
_LINK_NAME = {
    "markdown": re.compile(r"\[[^\[\]]*\]"),
    "restructuredtext": re.compile(r"`[^`]+`_|\|[^|\n]+\|"),
}


def is_safe(source: Source, edit: Edit) -> bool:
    """Whether an edit of a file changes words alone.

    Titles, the text of links and tables stay as they are; in Markdown and reStructuredText also
    the names of references, in LaTeX the labels of glossary entries.
    """
    text = source.source
    spans = (closed_spans(text, source.format), table_spans(text, source.format))
    if any(within(one, edit.start, edit.end) for one in spans):
        return False
    names = _LINK_NAME.get(source.format)
    if names is None:
        return True
    begin = max(0, edit.start - _LOOK)
    around = text[begin : edit.end + _LOOK]
    start, end = edit.start - begin, edit.end - begin
    if any(name.start() < end and start < name.end() for name in names.finditer(around)):
        return False
    return not is_heading(source, edit.start) and not _in_table(text, edit.start)


def _in_table(text: str, at: int) -> bool:
    if _ROW.match(text[text.rfind("\n", 0, at) + 1 : at]):
        return True
    before = _BLANK.split(text[max(0, at - _TABLE) : at])[-1]
    after = _BLANK.split(text[at : at + _TABLE], maxsplit=1)[0]
    return bool(_RULE.search(before + after))
