"""HTML by the standard library's parser, which alone tells where each piece of text stands."""

import re
from bisect import bisect_left
from html import unescape
from html.parser import HTMLParser

from ..source import TextBuilder
from .entries import long_form_of
from .names import names

LEFT_OUT = names("script style code pre kbd samp var math svg template head textarea nav")
"""Elements whose text is code, formulas, links to other pages or nothing that people read."""

_INLINE = names(
    "a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark q s small span "
    "strike strong sub sup time tt u wbr"
)
_VOID = names("area base br col embed hr img input link meta source track wbr")
_PERMALINK = "headerlink"
"""Sphinx' and MkDocs' class of the signs that link titles and terms to themselves."""
_LINK = re.compile(r"(?:https?|ftp)://\S*[\w/]|\bwww\.\S*[\w/]")


def read_html(builder: TextBuilder) -> None:
    """The text that a page shows; `<abbr title>` and entries of `<dl>` are definitions."""
    HTMLText(builder).read(0, len(builder.original))


def links(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where addresses stand in a run of text."""
    return [match.span() for match in _LINK.finditer(text, start, end)]


class HTMLText(HTMLParser):
    """Puts the text of a run of HTML into a builder."""

    def __init__(self, builder: TextBuilder) -> None:
        super().__init__(convert_charrefs=False)
        self.builder = builder
        self._hidden: list[str] = []
        self._title: tuple[str, list[str], int] | None = None  # of an open <abbr>
        self._term: tuple[list[str], int] | None = None
        self._entry: list[str] | None = None

    def read(self, start: int, end: int) -> None:
        """Parse the original between these offsets, of which the first begins a line."""
        self._first, self._last = bisect_left(self.builder.lines, start), end
        self.feed(self.builder.original[start:end])
        self.close()
        self._end_entry()

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """A section that is none, such as `<![1`, is a comment, as browsers have it."""
        place = self.lineno, self.offset
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:  # the standard library's word for it, its place already moved on
            self.lineno, self.offset = place
            return self.parse_bogus_comment(i)

    def _offset(self) -> int:
        line, column = self.getpos()
        return self.builder.lines[self._first + line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Hide code, end blocks, remember titles."""
        if self._hidden:
            if tag == self._hidden[-1]:
                self._hidden.append(tag)
            return
        if tag in LEFT_OUT or _PERMALINK in (dict(attrs).get("class") or "").split():
            self._hidden.append(tag)
            return
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

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content."""
        if tag not in _INLINE and not self._hidden:
            self.builder.glue("\n")

    def handle_endtag(self, tag: str) -> None:
        """Undo what the start did."""
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
        """Text for those who wait for it."""
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
        """Text as it stands."""
        if self._hidden:
            return
        start = self._offset()
        end = min(start + len(data), self._last)
        self._take(data, start)
        self.builder.mask(start, end, links(self.builder.original, start, end))

    def handle_entityref(self, name: str) -> None:
        """A character by its name."""
        self._reference(f"&{name}")

    def handle_charref(self, name: str) -> None:
        """A character by its number."""
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
