"""Reader of HTML pages, which uses the standard library's parser with the offset of each text."""

import re
from bisect import bisect_left
from collections import Counter
from html import unescape
from html.parser import HTMLParser

from ..builder import TextBuilder
from ..lists import long_form_of, names
from ..source import RegionKind
from .line_ends import breaks_word

LEFT_OUT = names("script style code pre kbd samp var math svg template head textarea nav")
"""HTML elements that contain no running text, such as code, formulas and navigation."""

_INLINE = names(
    "a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark q s small span "
    "strike strong sub sup time tt u wbr"
)
_VOID = names("area base br col embed hr img input link meta source track wbr")
_HEADINGS = {"title": 1, "h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_REGIONS: dict[str, RegionKind] = {
    **dict.fromkeys(("doc-bibliography", "references", "reflist", "bibliography"), "bibliography"),
    **dict.fromkeys(("doc-toc", "toc", "table-of-contents"), "contents"),
    **dict.fromkeys(("doc-index", "genindextable"), "index"),
    **dict.fromkeys(("doc-glossary", "glossary"), "glossary"),
}
"""Kinds of text in an HTML element, by its role or class."""

_ELEMENTS: dict[str, RegionKind] = {"table": "table", "tt": "code"}
_PERMALINK = "headerlink"
"""Class of the signs with which Sphinx and MkDocs link titles and terms to themselves."""
_LINK = re.compile(r"(?:https?|ftp)://\S*[\w/]|\bwww\.\S*[\w/]")
_LINE_END = re.compile(r"(?<=[^\W\d_])[-\u2010]\n[ \t]*")
_UNFINISHED = re.compile(r"<[a-zA-Z/!?]")
_SUPERSCRIPT = re.compile(
    r"<sup\b[^<>]*>((?:[^<>]|<(?!/?sup\b)[^<>]*>){1,300})</sup\s*>", re.IGNORECASE
)
_ANY_TAG = re.compile(r"<[^<>]*>|\]\([^()\s]*\)")
"""HTML tags, and the targets of Markdown links."""
_NOTE_MARK = re.compile(
    r"[\[(]?(?:\d{1,3}(?:\s?[,\u2013-]\s?\d{1,3})*|[a-z]|(?:[Nn]ote|nb)\s\d{1,3}"
    r"|[*\u2020\u2021\u00a7\u00b6#]{1,3})[\])]?"
)
_MARKED = re.compile(r"(?:[^\W\d_]{3}|[.,;:!?)\]\"\u201d\u2019])\Z")
_HUGE_NUMBER = re.compile(r"(?<=&#)[0-9]{8,}")


def read_html(builder: TextBuilder) -> None:
    """Read the visible text of an HTML page, without code, formulas and navigation.

    `<abbr title="...">`, and the entries of description lists (`<dl>`), are added as definitions of
    acronyms.

    Args:
        builder: Builder that receives the text. It was created with the content of the file.
    """
    page = HTMLText(builder)
    page.read(0, len(builder.original))
    page.end()


def links(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the position of each web address in a range of a text.

    Args:
        text: The text to search.
        start: Offset at which the range starts.
        end: Offset at which the range ends.

    Returns:
        ``(start, end)`` offsets of the addresses, in text order.
    """
    return [match.span() for match in _LINK.finditer(text, start, end)]


def is_note_mark(text: str, at: int, before: str) -> bool:
    """Return whether a superscript is a reference to a note, not an exponent or an ordinal.

    A reference is a number, a letter or a sign such as ``*``, directly after a word of three or
    more letters or after a punctuation mark.

    Args:
        text: HTML, or a text that contains HTML.
        at: Offset of the tag with which the superscript begins.
        before: The last characters of the text before this tag.
    """
    superscript = _SUPERSCRIPT.match(text, at)
    shown = _ANY_TAG.sub("", superscript[1]) if superscript else ""
    return bool(_NOTE_MARK.fullmatch(unescape(shown).strip()) and _MARKED.search(before))


class HTMLText(HTMLParser):
    """HTML parser that adds the visible text of a page to a builder.

    Call `read` for each range of HTML, and `end` after the last.
    """

    def __init__(self, builder: TextBuilder) -> None:
        """Create a parser that adds text to a builder.

        Args:
            builder: Builder that receives the text. It was created with the content of the file.
        """
        super().__init__(convert_charrefs=False)
        self.builder = builder
        self._open: list[tuple[str, RegionKind | None, int]] = []  # tag, kind, start in the text
        self._depths: Counter[str] = Counter()  # of open elements, by tag
        self._kinds: Counter[str] = Counter()
        self._hidden: list[str] = []
        self._title: tuple[str, list[str], int] | None = (
            None  # of an open <abbr>: title, text, offset
        )
        self._term: tuple[list[str], int] | None = None
        self._entry: list[str] | None = None
        self._begun = False  # whether a row of a table has begun

    def read(self, start: int, end: int) -> None:
        """Parse a range of the file as HTML, and add its visible text to the builder.

        Args:
            start: Offset in the file at which the range starts, which must be the beginning of a
                line.
            end: Offset in the file at which the range ends.
        """
        self._first, self._last = bisect_left(self.builder.lines, start), end
        self._hidden, self._title, self._term, self._entry = [], None, None, None
        text = self.builder.original[start:end]
        # Unclosed tags are removed because the parser needs quadratic time for them. Huge numbers
        # are replaced because it fails on them.
        comment = text.find("<!--", text.rfind("-->") + 1)
        text = text[:comment] if comment >= 0 else text
        unfinished = _UNFINISHED.search(text, text.rfind(">") + 1)
        text = text[: unfinished.start()] if unfinished else text
        self.feed(_HUGE_NUMBER.sub(lambda number: "#" * len(number[0]), text))
        self.close()
        self.reset()
        self._end_entry()

    def end(self) -> None:
        """Close all HTML elements that are still open, such as tables without an end tag."""
        while self._open:
            self._leave()

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Parse a section such as `<![CDATA[...]]>`. Treat an invalid section as a comment.

        Browsers treat sections such as `<![1` in the same way.

        Args:
            i: Offset of the section.
            report: Whether the parser reports declarations.
        """
        place = self.lineno, self.offset
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:  # how the parser rejects a section, with its place already advanced
            self.lineno, self.offset = place
            return self.parse_bogus_comment(i)

    def _offset(self) -> int:
        line, column = self.getpos()
        return self.builder.lines[self._first + line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Handle a start tag: skip code, begin paragraphs and cells, and remember titles.

        Args:
            tag: Name of the HTML element.
            attrs: Names and values of the element's attributes.
        """
        if self._hidden:
            if tag == self._hidden[-1]:
                self._hidden.append(tag)
            return
        named = dict(attrs)
        classes = (named.get("class") or "").split()
        if tag == "sup" and is_note_mark(self.builder.original, self._offset(), self.builder.tail):
            self._hidden.append(tag)
            return
        if tag in LEFT_OUT or named.get("role") == "navigation" or _PERMALINK in classes:
            self._hidden.append(tag)
            self.builder.glue("" if tag == "a" else " ")
            return
        self._enter(tag, named)
        if tag not in _INLINE:
            self.builder.glue("\n" if tag in ("br", "td", "th", "dd") else "\n\n")
        if tag in ("abbr", "acronym"):
            title = dict(attrs).get("title")
            self._title = (title, [], self._offset()) if title else None
        elif tag == "dt":
            self._end_entry()
            self._term = ([], -1)
        elif tag == "dd" and self._term:
            self._entry = []
        if tag in ("td", "th", "dd", "dt"):
            self.builder.cell(first=tag == "dt" or self._begun)
        self._begun = tag == "tr"

    def _enter(self, tag: str, attributes: dict[str, str | None]) -> None:
        """Remember an open element if it is a region, and elements of the same name inside it."""
        last = self._open[-1][0] if self._open else ""
        if (tag in _HEADINGS and last in _HEADINGS) or tag == last == "a":  # without an end tag
            self._leave()
        kind = _ELEMENTS.get(tag)
        if tag not in _INLINE:
            named = f"{attributes.get('role') or ''} {attributes.get('class') or ''}".split()
            kind = next((_REGIONS[name] for name in named if name in _REGIONS), kind)
        if tag not in _VOID and (kind or self._depths[tag] or tag in _HEADINGS or tag == "dl"):
            self._open.append((tag, kind, self.builder.end))
            self._depths[tag] += 1
            self._kinds[kind or ""] += 1

    def _leave(self) -> str:
        """Close the innermost of the remembered elements, and return its name."""
        tag, kind, start = self._open.pop()
        self._depths[tag] -= 1
        self._kinds[kind or ""] -= 1
        if tag in _HEADINGS:
            self.builder.title(start, _HEADINGS[tag])
        elif tag in ("table", "dl"):
            if not self._depths["table"] and not self._depths["dl"]:
                self.builder.end_rows(start, kind)
        elif kind and not self._kinds[kind]:
            self.builder.region(kind, start)
        return tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Handle a tag that both starts and ends an element without content, such as `<br/>`.

        Args:
            tag: Name of the HTML element.
            attrs: Names and values of the element's attributes.
        """
        if tag not in _INLINE and not self._hidden:
            self.builder.glue("\n")

    def handle_endtag(self, tag: str) -> None:
        """Handle an end tag: end the paragraph, and add the definition of an `<abbr>` or entry.

        Args:
            tag: Name of the HTML element.
        """
        if self._hidden:
            if tag == self._hidden[-1]:
                self._hidden.pop()
            return
        if tag in ("abbr", "acronym") and self._title:
            title, parts, offset = self._title
            self.builder.define("".join(parts), title, offset)
            self._title = None
        elif tag in ("dd", "dl"):
            self._end_entry()
        while self._depths[tag] and self._leave() != tag:
            pass
        if tag not in _INLINE and tag not in _VOID:
            self.builder.glue("\n\n")

    def _end_entry(self) -> None:
        if self._term and self._entry:
            term = "".join(self._term[0]).strip()
            words = long_form_of(term, "".join(self._entry).partition("\n")[0])
            self.builder.define(term, words, self._term[1], glossary=True)
        if self._entry is not None:
            self._term = self._entry = None

    def _take(self, text: str, start: int) -> None:
        """Add text to the open `<abbr>`, term or description."""
        if self._title:
            title, parts, offset = self._title
            self._title = (title, [*parts, text], offset if parts else start)
        if self._entry is not None:
            self._entry.append(text)
        elif self._term and text.strip():
            parts, offset = self._term
            lead = len(text) - len(text.lstrip())
            self._term = ([*parts, text], offset if parts else start + lead)

    def handle_data(self, data: str) -> None:
        """Add text that contains no entities, without web addresses.

        Args:
            data: The text.
        """
        if self._hidden:
            return
        start = self._offset()
        end = min(start + len(data), self._last)
        if self.builder.tail == "\n":  # white space after <br> is not displayed
            start = min(end, start + len(data) - len(data.lstrip()))
            data = data.lstrip()
        self._take(data, start)
        original = self.builder.original
        broken = [
            (line.start(), line.end())
            for line in _LINE_END.finditer(original, start, end)
            if breaks_word(original, line.start() + 1, line.end())
        ]
        hidden = links(original, start, end)
        self.builder.mask(start, end, sorted([*hidden, *broken]) if broken else hidden)

    def handle_entityref(self, name: str) -> None:
        """Add a character that is written as a named entity, such as ``&amp;``.

        Args:
            name: Name of the entity, such as ``amp``.
        """
        self._reference(f"&{name}")

    def handle_charref(self, name: str) -> None:
        """Add a character that is written as a number, such as ``&#38;``.

        Args:
            name: The number as it is written, such as ``38`` or ``x26``.
        """
        self._reference(f"&#{name}")

    def _reference(self, written: str) -> None:
        if self._hidden:
            return
        start = self._offset()
        end = start + len(written)
        end += self.builder.original.startswith(";", end)
        text = unescape(self.builder.original[start:end])
        self._take(text, start)
        self.builder.replace(text, start, end)
