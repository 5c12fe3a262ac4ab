"""AsciiDoc, read line by line: there is no library for Python that is kept."""

import re

from ..builder import TextBuilder
from ..lists import long_form_of
from .paragraphs import Line, Paragraphs, lines_of

_CLOSED = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|```+)\w*\s*$")
"""Blocks of code, literals, raw text and comments, from one such line to the next."""

_LEFT_OUT = re.compile(
    r":!?[\w-]+!?:(?:\s|$)|//|\[.*\]\s*$|(?:image|include|ifdef|ifndef|endif|toc|video|audio)::"
    r"|\|===|={4,}\s*$|\*{4,}\s*$|_{4,}\s*$|--\s*$|'''\s*$|<<<\s*$"
)
_SOURCE = re.compile(r"\[(?:source|listing|stem|latexmath|asciimath|mermaid|plantuml)\b")
_MARKER = re.compile(
    r"\s*(?:=+\s+|[*.-]{1,5}\s+|\d+\.\s+|<\d+>\s+|(?:NOTE|TIP|WARNING|IMPORTANT|CAUTION):\s+|\.(?=\w))"
)
_ENTRY = re.compile(r"\s*(?P<term>\S[^:\n]*?):{2,4}(?:\s+(?P<words>\S.*))?$")
_MARKS = re.compile(
    r"`[^`\n]+`|(?<!\w)\+[^+\n]+\+(?!\w)|(?:stem|latexmath|asciimath|pass|image|kbd|icon):\w*\[[^\]]*\]"
    r"|(?:link:|mailto:|xref:|https?://|ftp://)[^\s\[]*\[(?P<t_link>[^\]]*)\]"
    r"|(?:https?|ftp)://\S*[\w/]|\bwww\.\S*[\w/]"
    r"|<<[^,>\n]*(?:,(?P<t_ref>[^>\n]*))?>>|footnote:\w*\[(?P<t_note>[^\]]*)\]"
    r"|\[\[[^\]]*\]\]|\[[.#][^\]]*\](?=[#*_])|\{[\w-]+\}"
    r"|\*\*(?P<t_bb>[^*\n]+)\*\*|__(?P<t_ii>[^_\n]+)__"
    r"|(?<![\w*])\*(?=\S)(?P<t_b>[^*\n]+?)\*(?!\w)|(?<![\w_])_(?=\S)(?P<t_i>[^_\n]+?)_(?!\w)"
)


def read_asciidoc(builder: TextBuilder) -> None:
    """The text that the file shows; the entries of a `[glossary]` list are definitions."""
    paragraphs = Paragraphs(builder, _MARKS)
    closing = ""
    code = glossary = False
    for line in lines_of(builder.original):
        fence = _CLOSED.match(line.text)
        if closing:
            if fence and fence[1] == closing:
                closing = ""
        elif fence:
            paragraphs.end()
            closing, code = fence[1], False
        elif line.blank:
            paragraphs.end()
            code = False
        elif _LEFT_OUT.match(line.text):
            paragraphs.end()
            code = bool(_SOURCE.match(line.text))
            if line.text.startswith("["):
                glossary = line.text.startswith("[glossary")
        elif not code:
            glossary = glossary and not line.text.startswith("=")
            _text(line, builder, paragraphs, glossary)
    paragraphs.end()


def _text(line: Line, builder: TextBuilder, paragraphs: Paragraphs, glossary: bool) -> None:
    if line.text.lstrip().startswith("|"):
        for cell in re.finditer(r"[^|\s](?:[^|\n]*[^|\s])?", line.text):
            paragraphs.add(line.start + cell.start(), line.start + cell.end())
            paragraphs.end()
        return
    entry = _ENTRY.match(line.text)
    if entry:
        paragraphs.end()
        if glossary and entry["words"]:
            words = long_form_of(entry["term"], entry["words"])
            builder.define(entry["term"], words, line.start + entry.start("term"), glossary=True)
        else:
            paragraphs.add(line.start + entry.start("term"), line.start + entry.end("term"))
            paragraphs.end()
        if entry["words"]:
            paragraphs.add(line.start + entry.start("words"), line.start + entry.end("words"))
        return
    begin = line.indent
    if marker := _MARKER.match(line.text):
        paragraphs.end()
        begin = marker.end()
    paragraphs.add(line.start + begin, line.start + len(line.text.rstrip()))
