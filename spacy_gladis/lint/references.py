"""References to literature, and lists of changes, whose words are not the writer's own."""

import re

from ..documents.source import Source

_REFERENCE = re.compile(
    r"\bdoi\b|\b\d+\s?\(\d+\)|\((?:19|20)\d\d[a-z]?\)\.|\bet al\.|\barXiv:|\bpp\. ?\d|"
    r"\b[A-Z]\., (?:19|20)\d\d\. [A-Z]|"
    r"\b(?:19|20)\d\d [A-Z][^.]{0,200}\bConference\b|"
    r"\bConference,? .{0,200}\b(?:19|20)\d\d|\bIn (?:Advances in|Proceedings of)\b|"
    r"\bTransactions on\b|\b(?:W3C|ITU-T) Recommendation\b|\b(?:volume|vol\.|number|pages) \d+|"
    r"#\d{3,}: |^\W*Bug \d{4,}\b|"
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" (?:19|20)\d\d\W*\Z|"
    r"\b(?:19|20)\d\d[,;:] ?\d+(?: ?\(\d+\))?[,:] ?\d+\s?[-\u2013]",
    re.IGNORECASE,
)
"""What a paragraph that names a publication has, or a change."""
_STANDARD = re.compile(r"[\W_]*(?:RFC[ -]?\d{3,}|draft-[\w-]+)\W+[A-Z]")
_LINKED = re.compile(
    r"([^\n]{0,200}?)(?:\n[ \t]*<?)?https?://\S+[ \t]*(?:\n\s*(?:\n|[-*+.\[]|\d+[.)])|\s*\Z)"
)
_SENTENCE = re.compile(r"\b(?!and\b|for\b|in\b|of\b|on\b|the\b|to\b)[a-z]{2,}\b|[.!?] ")
_LINK_END = re.compile(
    r"[)\]](?P<more>[^\[\]`<>]{0,80}?)(?:\]\((?P<near>#)?|\s*<(?:https?:|\S+>`)|`_)"
)
_ASCIIDOC_LINK = re.compile(r"(?:\blink:[^\s\[\]]+|https?://[^\s\[\]]+)\[[^\[\]]*$")
_FOOTNOTE = re.compile(r"\s*\.\. \[(?:\d+|#\w*|\*)\][ \t]")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|https?://")
_CITATION = re.compile(r"^([ \t]*)(?:\.\. \[[^\]\n]+\]|(?:[-*] )?\[\d+\])[ \t]", re.MULTILINE)
_LONGEST = 2_000  # characters of a citation
_LONGEST_LINK = 500  # characters of a link before its text's end


def names_reference(paragraph: str) -> bool:
    """Whether a paragraph names a publication or a change."""
    return bool(_REFERENCE.search(paragraph) or _STANDARD.match(paragraph))


def leads_away(source: Source, at: int) -> bool:
    """Whether no more than an address ends the paragraph or item of an offset of the original, as
    after a work's title."""
    found = _LINKED.match(source.source, at)
    return bool(found and not _SENTENCE.search(found[1]))


def in_link(source: Source, end: int) -> bool:
    """Whether a bracket's acronym ends there in a link's text."""
    line = source.source.rfind("\n", 0, end) + 1
    opened = _ASCIIDOC_LINK.search(source.source, max(line, end - _LONGEST_LINK), end)
    return bool(opened or _LINK_END.match(source.source, end))


def in_link_text(source: Source, end: int) -> bool:
    """Whether a bracket's acronym ends there in a link's text that has words after it, as titles
    of works have, or that leads to a place of the same page, as in a table of contents."""
    found = _LINK_END.match(source.source, end)
    return bool(found and (found["near"] or any(map(str.isalnum, found["more"]))))


def in_citation(source: Source, at: int) -> bool:
    """Whether an offset of the original lies in a citation, `.. [Lee2020] ...`, `[2] ...`: no line
    after its first is indented as little. A footnote, `.. [2] ...`, is one where it has a year or
    an address."""
    if source.format not in ("restructuredtext", "text"):
        return False
    found = list(_CITATION.finditer(source.source, max(0, at - _LONGEST), at + 1))
    if not found:
        return False
    words = source.source[found[-1].start() : found[-1].start() + _LONGEST].partition("\n\n")[0]
    if _FOOTNOTE.match(words) and not _YEAR.search(words):
        return False
    between = source.source[found[-1].end() : at].split("\n")[1:]
    margin = len(found[-1][1])
    return all(len(line) - len(line.lstrip()) > margin for line in between if line.strip())
