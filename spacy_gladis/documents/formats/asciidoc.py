"""Reader of AsciiDoc files, line by line, because no maintained Python library exists."""

import re
from functools import partial
from html import unescape

from ..builder import TextBuilder
from ..lists import long_form_of
from ..source import RegionKind
from .paragraphs import LONGEST_NAMED, Act, Line, Paragraphs, lines_of

_CLOSED = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|```+)\w*\s*$")
"""Delimiters of blocks that contain code, literals, raw text or comments."""

_ATTRIBUTE = re.compile(r":(?P<off>!?)(?P<name>[\w-]+)!?:(?:\s+(?P<value>.*))?$")
_PASSED = re.compile(r"\Apass:[\w,]*\[(.*)\]\Z")
_LEFT_OUT = re.compile(
    r":!?[\w-]+!?:(?:\s|$)|//|\[.*\]\s*$|(?:image|include|ifdef|ifndef|endif|toc|video|audio)::"
    r"|\|===|={4,}\s*$|\*{4,}\s*$|_{4,}\s*$|--\s*$|'''\s*$|<<<\s*$"
)
_SOURCE = re.compile(r"\[(?:source|listing|stem|latexmath|asciimath|mermaid|plantuml)\b")
_MARKER = re.compile(
    r"\s*(?:=+\s+|[*.-]{1,5}\s+|\d+\.\s+|<\d+>\s+|(?:NOTE|TIP|WARNING|IMPORTANT|CAUTION):\s+|\.(?=\w))"
)
_ENTRY = re.compile(r"\s*(?P<term>\S[^:\n]*?):{2,4}(?:\s+(?P<words>\S.*))?$")
_CELL = re.compile(r"[^|\s](?:[^|\n]*[^|\s])?")
_MARKS = re.compile(  # only links in notes are nested, so no text is matched twice
    r"`[^`\n]+`|(?<!\w)\+[^+\n]+\+(?!\w)"
    r"|(?:stem|latexmath|asciimath|pass|kbd|icon):\w*\[[^\[\]]*\]"
    r"|image:[^\s\[\]:][^\s\[\]]{0,300}\[[^\[\]]*\]"
    r"|(?:link:|mailto:|xref:|https?://|ftp://)[^\s\[]*\[(?P<t_link>[^\[\]]*)\]"
    r"|(?P<t_none>(?:link:|mailto:|xref:)[^\s\[]*)"
    r"|(?:(?:https?|ftp)://|\bwww\.)\S*[\w/]"
    r"|<<[^<,>\n]*(?:,(?P<t_ref>[^<>\n]*))?>>"
    r"|footnote:(?P<label>[\w-]*)\[(?P<note>(?:[^\[\]]|\[[^\[\]]*\])*)\]"
    r"|(?<=[^\W\d_]{3})\^\[?[\d*]{1,3}\]?\^|&(?:\w{2,31}|#x?[\da-fA-F]{1,7});|\((?:C|R|TM)\)"
    r"|\[(?:\[[^\[\]]*\]\]|[.#][^\[\]]*\](?=[#*_]))"
    r"|\{(?:(?P<attribute>[\w-]+)|set:(?P<set>[\w-]+)(?::(?P<value>[^{}\n\\]*))?)\}|##(?P<t_ss>[^#\n]+)##"
    r"|(?<![\w#&])#(?=\S)(?P<t_s>[^#\n]+?)#(?!\w)|\*\*(?P<t_bb>[^*\n]+)\*\*|__(?P<t_ii>[^_\n]+)__"
    r"|(?<![\w*])\*(?=\S)(?P<t_b>[^*\n]+?)\*(?!\w)|(?<![\w_])_(?=\S)(?P<t_i>[^_\n]+?)_(?!\w)"
)
_CHARACTERS = {
    **dict.fromkeys(("empty", "blank", "sp"), " "),
    **{
        "nbsp": "\xa0",
        "zwsp": "\u200b",
        "wj": "\u2060",
        "amp": "&",
        "lt": "<",
        "gt": ">",
        "plus": "+",
    },
    **{"apos": "'", "quot": '"', "deg": "\u00b0", "vbar": "|", "startsb": "[", "endsb": "]"},
}
"""Built-in attributes of AsciiDoc that stand for a character, such as ``{plus}``."""
_SIGNS = {"(C)": "\u00a9", "(R)": "\u00ae", "(TM)": "\u2122"}
"""Letters in brackets that AsciiDoc displays as a single sign, such as ``(C)``."""
_REGIONS: dict[str, RegionKind] = {
    "[bibliography": "bibliography",
    "[glossary": "glossary",
    "[index": "index",
}


def read_asciidoc(builder: TextBuilder) -> None:
    """Read the visible text of an AsciiDoc file, without code, formulas and comments.

    Attributes are replaced by their values. The entries of a `[glossary]` are added as definitions.

    Args:
        builder: Builder that receives the text. It was created with the content of the file.
    """
    _Reader(builder).read()


class _Reader:
    def __init__(self, builder: TextBuilder) -> None:
        self.builder = builder
        self.paragraphs = Paragraphs(builder, _MARKS, self._seen, nested=True)
        self.names = builder.names  # of attributes
        self.open_name = ""  # of an attribute that continues on the next line
        self.table: int | None = None  # start of the open table in the text
        self.list: int | None = None  # start of the open list in the text
        self.waiting = False  # whether a term waits for its description
        self.attribute: RegionKind | None = None
        self.attribute_start = 0

    def read(self) -> None:
        closing = ""
        code = False
        for line in lines_of(self.builder.original):
            fence = _CLOSED.match(line.text)
            if closing:
                if fence and fence[1] == closing:
                    closing = ""
            elif fence:
                self.paragraphs.end()
                closing, code = fence[1], False
            elif self.open_name:
                self._value(self.open_name, line.text)
            elif line.blank:
                self.paragraphs.end()
                code = False
            elif _LEFT_OUT.match(line.text):
                self.paragraphs.end()
                code = bool(_SOURCE.match(line.text))
                self._left_out(line)
            elif not code:
                code = self._begins_literal(line)
                if not code:
                    self._text(line)
        self.paragraphs.end()
        self._end_list()
        self._end_attribute()

    def _seen(self, mark: re.Match[str]) -> Act | None:
        name, written = mark["attribute"], mark[0]
        if mark["set"]:
            self._value(mark["set"].lower(), mark["value"] or "")
            return None
        if name:
            replacement = self.names.get(name.lower(), _CHARACTERS.get(name, ""))
        elif written.startswith("&"):
            replacement = unescape(written)
        elif written in _SIGNS:
            replacement = _SIGNS[written]
        elif mark["note"] is not None:
            label = mark["label"] or str(mark.start())
            return partial(self.paragraphs.note, label, *mark.span("note"))
        else:
            return None
        return partial(self.builder.replace, replacement, *mark.span())

    def _value(self, name: str, written: str) -> None:
        """Set the value of an attribute, or extend it by a continuation line."""
        goes_on = written.rstrip().endswith(" \\")
        value = written.rstrip().removesuffix(" \\").strip()
        passthrough = _PASSED.fullmatch(value)
        value = _MARKS.sub(self._displayed, passthrough[1] if passthrough else value)
        before = self.names[name] + " " if self.open_name else ""
        self.names[name] = (before + value)[:LONGEST_NAMED]
        self.open_name = name if goes_on else ""

    def _displayed(self, mark: re.Match[str]) -> str:
        """Return the displayed text of a piece of markup in an attribute's value."""
        if name := mark["attribute"]:
            return self.names.get(name.lower(), _CHARACTERS.get(name, ""))
        shown = (text for name, text in mark.groupdict().items() if name.startswith("t") and text)
        return unescape(mark[0]) if mark[0].startswith("&") else next(shown, "")

    def _begins_literal(self, line: Line) -> bool:
        """Return whether an indented line begins a literal paragraph.

        In tables, and after a term without a description, an indented line is ordinary text.
        """
        return (
            line.indent > 0
            and not (self.paragraphs.slices or self.table is not None or self.waiting)
            and not (_MARKER.match(line.text) or _ENTRY.match(line.text))
        )

    def _left_out(self, line: Line) -> None:
        """Handle a line that is not text, but may set an attribute or the kind of a block."""
        if attribute := _ATTRIBUTE.match(line.text):
            self.names.pop(attribute["name"].lower(), None)
            if not attribute["off"] and attribute["value"]:
                self._value(attribute["name"].lower(), attribute["value"])
        elif line.text.startswith("["):
            self._end_list()
            self._end_attribute()
            name = re.split(r"[\],%#.]", line.text, maxsplit=1)[0]
            self.attribute, self.attribute_start = _REGIONS.get(name), self.builder.end
        elif line.text.startswith("|==="):
            if self.table is None:
                self._end_list()
                self.table = self.builder.end
            else:
                self.builder.end_rows(self.table, "table")
                self.table = None

    def _end_list(self) -> None:
        if self.list is not None:
            self.builder.end_rows(self.list)
            self.list = None

    def _end_attribute(self) -> None:
        if self.attribute:
            self.builder.region(self.attribute, self.attribute_start)
            self.attribute = None

    def _text(self, line: Line) -> None:
        text, paragraphs = line.text, self.paragraphs
        self.waiting = False
        if text.lstrip().startswith("|"):
            for number, cell in enumerate(_CELL.finditer(text)):
                self.builder.cell(first=not number)
                paragraphs.add(line.start + cell.start(), line.start + cell.end())
                paragraphs.end()
            return
        if entry := _ENTRY.match(text):
            self._entry(line, entry)
            return
        marker = _MARKER.match(text)
        if marker or not paragraphs.slices:
            paragraphs.end()
            self._end_list()
        begin = marker.end() if marker else line.indent
        paragraphs.add(line.start + begin, line.start + len(text.rstrip()))
        sign = marker[0].strip() if marker else ""
        if sign.startswith("="):
            if self.builder.end > self.attribute_start:  # else it belongs to the section
                self._end_attribute()
            self.builder.title(paragraphs.end(), len(sign))
        elif sign == "." and marker and not marker[0].endswith(" "):
            self.builder.region("title", paragraphs.end())

    def _entry(self, line: Line, entry: re.Match[str]) -> None:
        """Add a term of a description list, and its description if it is on the same line."""
        self.paragraphs.end()
        if self.list is None:
            self.list = self.builder.end
        self.builder.cell(first=True)
        at, words = line.start + entry.start("term"), entry["words"] or ""
        self.waiting = not words
        if self.attribute == "glossary" and words:
            long_form = long_form_of(entry["term"], words)
            self.builder.define(entry["term"], long_form, at, glossary=True)
        else:
            self.paragraphs.add(at, line.start + entry.end("term"))
            self.paragraphs.end()
            self.builder.cell()
        if words:
            self.paragraphs.add(line.start + entry.start("words"), line.start + entry.end("words"))
