"""Places that are read by themselves: tables of contents, descriptions of options, quotations."""

import re

from ..documents.source import Source

_CONTENTS = re.compile(
    r"<(?:div|dl|nav|ol|ul)\b[^<>]*\b(?:class|id)=[\"'](?:[^\"'<>]* )?(?:table-of-)?"
    r"(?:toc|contents)\b"
)
_CONTENTS_END = re.compile(r"</(?:div|nav)>")
_OPTION = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+|#{1,6}[ \t]+)?(?:\.\. (?:cmd)?option::|\\?[*_`]{0,2}--?[A-Za-z])",
    re.MULTILINE,
)
_LABELLED = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+\W*[\w(][^:.\n]{0,40}:|(?:[-*+][ \t]+)?([*_`]{2})\w[^*_`:.\n]{0,40}"
    r"(?:\1:|:\1|\1[ \t]+[-\u2013\u2014]))[ \t\n]",
    re.MULTILINE,
)
_MEMBER = re.compile(
    r"<dt\b[^<>]*\b(?:class=[\"']sig\b|id=[\"']index-)|<h[2-5]\b[^<>]*>[\w.:]+\s?\(\)\s*</h"
)
_MEMBER_END = re.compile(r"</dl>|<h[1-6]\b")
_TERM = re.compile(r"<dt\b(?:(?!</dt>).)*?>\s*--?[A-Za-z]", re.DOTALL)
_ENTRY_END = re.compile(r"</dd>")
_FAR = 40_000  # characters of a table of contents
_NEAR = 8  # lines of an option's description
_ENTRY = 1_000  # characters of one
_MARKS = {"\u201c": "\u201d", "\u00ab": "\u00bb"}


def in_contents(source: Source, at: int) -> bool:
    """Whether an offset of the original lies in a page's table of contents."""
    if source.format != "html":
        return False
    before = source.source[max(0, at - _FAR) : at]
    openings = list(_CONTENTS.finditer(before))
    return bool(openings) and not _CONTENTS_END.search(before, openings[-1].end())


def in_option(source: Source, at: int) -> bool:
    """Whether an offset of the original lies in the description of a program's option, which is
    looked up by itself."""
    text = source.source
    if source.format == "html":
        before = text[max(0, at - _ENTRY) : at]
        term = before.rfind("<dt")
        ended = _ENTRY_END.search(before, max(0, term))
        return term >= 0 and not ended and bool(_TERM.match(before, term))
    return bool(_OPTION.search(text, _lines_before(text, at), at))


def in_member(source: Source, at: int) -> bool:
    """Whether an offset of the original lies in a page's description of a function or a class."""
    if source.format != "html":
        return False
    before = source.source[max(0, at - _FAR) : at]
    members = list(_MEMBER.finditer(before))
    return bool(members) and not _MEMBER_END.search(before, members[-1].end())


def in_description(source: Source, at: int) -> bool:
    """Whether an offset of the original lies in an option's description, be it further from the
    option than `in_option` looks: the nearest line that is indented less names it."""
    lines = source.source[max(0, at - _FAR) : at].split("\n")
    margin = len(lines[-1]) - len(lines[-1].lstrip())
    for line in reversed(lines[:-1]):
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent < margin:
            return bool(_OPTION.match(line))
        if not margin:
            break
    return in_option(source, at)


def in_entry(source: Source, at: int) -> bool:
    """Whether an offset of the original lies in the description of an option, or of a term that
    begins an item or a paragraph: "- Solver: ...", "**Solver**: ..."."""
    text = source.source
    return in_option(source, at) or bool(_LABELLED.search(text, _lines_before(text, at), at))


def _lines_before(text: str, at: int) -> int:
    """Where the lines begin in which the term of a description may stand."""
    start = at
    for _ in range(_NEAR):
        start = max(0, text.rfind("\n", 0, start))
    return start


def is_quotation(text: str, at: int) -> bool:
    """Whether an offset of a text lies between quotation marks of its paragraph."""
    before = text[text.rfind("\n\n", 0, at) + 1 : at]
    end = text.find("\n\n", at)
    after = text[at : end if end >= 0 else len(text)]
    if before.count('"') % 2 and '"' in after:
        return True
    return any(
        before.rfind(opening) > before.rfind(closing) and closing in after
        for opening, closing in _MARKS.items()
    )
