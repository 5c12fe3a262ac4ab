"""Where an edit would break more than words: names that links go by, titles, tables, labels."""

import re

from ..documents.source import Source
from ..output.markup import Edit
from .closed import closed_spans, within
from .headings import is_heading
from .plain import is_company, is_laid_out
from .tables import table_spans

_LOOK = 400  # characters around an edit in which markup begins and ends
_TABLE = 4_000  # characters in which a table's rules are looked for
_BLANK = re.compile(r"\n[ \t\r]*\n")
_RULE = re.compile(
    r"^(?:[ \t]*(?:=+(?: +=+)+|\+[-=+]+\+)[ \t]*|(?=[^\n]*\|)(?=[^\n]*-)[ \t>:|-]+)\r?$",
    re.MULTILINE,
)
_ROW = re.compile(r"^[ \t>]*\|[^\n]*$")
_ROLE = r":[\w:+.-]+:"
_LINK_NAME = {
    "markdown": re.compile(
        r"\[[^\[\]]*\]|<(a|abbr|button|label|option)\b[^<>]*>(?:[^<]|<(?!/\1\b))*", re.IGNORECASE
    ),
    "restructuredtext": re.compile(
        rf"{_ROLE}`[^`]*`|`[^`]*`{_ROLE}|`[^`]+`_|\|[^|\n]+\||"
        r"(?<![\w`])(?:[^\W_]+[-_.+:])*[^\W_]+__?(?![\w`])"
    ),
}
_UNDERLINED = frozenset({"text", "markdown", "restructuredtext"})


def is_safe(source: Source, edit: Edit) -> bool:
    """Whether an edit of a file changes words alone.

    Titles, the text of links, tables and names of companies stay as they are; in Markdown and
    reStructuredText also the names of references, in LaTeX the labels of glossary entries, in plain
    text what is no prose.
    """
    text, start, end = source.source, edit.start, edit.end
    spans = (closed_spans(text, source.format), table_spans(text, source.format))
    if any(within(one, start, end) for one in spans) or is_company(text, start, end):
        return False
    if source.format not in _UNDERLINED:
        return True
    if any(is_heading(source, at) or _in_table(text, at) for at in {start, end}):
        return False
    if source.format == "text":
        return not is_laid_out(text, start, end)
    return not _in_name(_LINK_NAME[source.format], text, start, end)


def _in_name(names: re.Pattern[str], text: str, start: int, end: int) -> bool:
    begin = max(0, start - _LOOK)
    found = names.finditer(text[begin : end + _LOOK])
    return any(one.start() < end - begin and start - begin < one.end() for one in found)


def _in_table(text: str, at: int) -> bool:
    if _ROW.match(text[text.rfind("\n", 0, at) + 1 : at]):
        return True
    before = _BLANK.split(text[max(0, at - _TABLE) : at])[-1]
    after = _BLANK.split(text[at : at + _TABLE], maxsplit=1)[0]
    return bool(_RULE.search(before + after))
