"""Markdown (CommonMark with tables) by markdown-it, taught to tell where inline text stands."""

import re
from collections import deque
from collections.abc import Iterable
from typing import Any

from ..builder import TextBuilder, consecutive
from .html import HTMLText, links

_FRONT_MATTER = re.compile(r"(?P<fence>---|\+\+\+)[ \t]*\n(?s:.*?\n)??(?P=fence)[ \t]*(?:\n|\Z)")
_ABBREVIATION = re.compile(r" {0,3}\*\[(?P<acronym>[^\]\n]+)\]:[ \t]*(?P<long_form>\S.*)")
_FORMULA = re.compile(r"\$\$[^$]+\$\$|(?<![\\\w$])\$(?=\S)[^$\n]*?(?<=[^\s\\])\$(?![\w$])")
_TITLE = re.compile(r"<abbr\b[^<>]*?\btitle\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)


def read_markdown(builder: TextBuilder) -> None:
    """The text that a Markdown file shows.

    MkDocs' lists of `*[HTML]: Hypertext Markup Language` and `<abbr title>` are definitions.
    """
    read_parts(builder, [builder.original])


def read_parts(builder: TextBuilder, parts: Iterable[str]) -> None:
    """The text of parts that are parsed one by one; together, an empty line between them, they are
    the original."""
    walk = _Walk(builder, _parser())
    for part in parts:
        if front := _FRONT_MATTER.match(part):  # blank, so that lines keep their numbers
            part = re.sub(r"[^\n]", " ", front[0]) + part[front.end() :]
        walk.read(part.replace("\0", " "))
    walk.html.end()


def _parser() -> Any:
    from markdown_it import MarkdownIt
    from markdown_it.parser_inline import ParserInline
    from markdown_it.rules_inline.state_inline import StateInline

    class Placed(StateInline):
        """Notes in each token's `meta` where in the inline content it begins.

        Text is pending until the next token, which begins right after it or a bracket later.
        """

        def pushPending(self) -> Any:  # noqa: N802  # markdown-it's name
            token = super().pushPending()
            token.meta = {"at": self.src.rfind(token.content, 0, self.pos)}
            return token

        def push(self, *args: Any) -> Any:
            token = super().push(*args)
            token.meta = {"at": self.pos}
            return token

    class Inline(ParserInline):
        def parse(self, src: str, md: Any, env: Any, tokens: list[Any]) -> list[Any]:
            state = Placed(src, md, env, tokens)
            self.tokenize(state)
            for rule in self.ruler2.getRules(""):
                rule(state)
            return state.tokens

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("text_join")
    inline = Inline()
    inline.ruler, inline.ruler2 = parser.inline.ruler, parser.inline.ruler2
    parser.inline = inline
    parser.core.ruler.disable("inline")  # one at a time: a large file's tokens fill the memory
    # fragments_join and text_join merge tokens, and lose where the second began
    inline.ruler2.disable("fragments_join", True)
    stops: Any = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("reference", "abbreviation", _abbreviation, stops)
    return parser


def _abbreviation(state: Any, line: int, end: int, silent: bool) -> bool:
    start = state.bMarks[line] + state.tShift[line]
    found = _ABBREVIATION.match(state.src, start, state.eMarks[line])
    if not found or state.is_code_block(line):
        return False
    if not silent:
        token = state.push("abbreviation", "", 0)
        token.map = [line, line + 1]
        token.meta = {"found": found}
        state.line = line + 1
    return True


class _Walk:
    """Puts the text of block tokens into a builder, in order."""

    def __init__(self, builder: TextBuilder, parser: Any) -> None:
        self.builder, self.original, self.lines = builder, builder.original, builder.lines
        self.parser = parser
        self.html = HTMLText(builder)
        self.cursor = 0
        self.first = 0  # line of the part

    def read(self, source: str) -> None:
        """Take a part of the original, which ends with an empty line or with the file."""
        env: dict[str, Any] = {}
        starts: dict[str, int] = {}
        for token in self.parser.parse(source, env):
            kind = token.type.removesuffix("_open").removesuffix("_close")
            if token.nesting > 0:
                starts[kind] = self.builder.end
            if kind == "inline":
                self._inline(token, self.parser.inline.parse(token.content, self.parser, env, []))
                self.builder.glue("\n\n")
            elif kind == "html_block":
                begin, end = self.first + token.map[0], self.first + token.map[1]
                self.html.read(self.lines[begin], self._end(end))
                self.builder.glue("\n\n")
            elif kind == "abbreviation":
                found = token.meta["found"]
                at = self.original.find(found["acronym"], self.lines[self.first + token.map[0]])
                self.builder.define(found["acronym"], found["long_form"], at, glossary=True)
            elif token.type in ("td_open", "th_open"):
                self.builder.cell(first=starts["tr"] == self.builder.end)
            elif token.type == "table_close":
                self.builder.end_rows(starts["table"], "table")
            elif token.type == "heading_close":
                self.builder.title(starts["heading"], int(token.tag[1:]))
        self.first += source.count("\n") + 2

    def _end(self, line: int) -> int:
        return min(self.lines[line], len(self.original))

    def _places(self, content: str, first: int) -> list[int]:
        """The offset in the original of each character of an inline token, and of its end."""
        places: list[int] = []
        for number, line in enumerate(content.split("\n"), first):
            bare = line.strip()
            begin, end = max(self.cursor, self.lines[number]), self._end(number + 1)
            at = self.original.find(bare, begin, end)
            if at >= 0:
                offsets = list(range(at, at + len(bare)))
            else:  # a table's cell, in which | is written \|
                cell = re.compile(r"\\?".join(map(re.escape, bare))).search(
                    self.original, begin, end
                )
                offsets = _escaped(bare, self.original, cell.start() if cell else begin)
            lead = len(line) - len(line.lstrip()) if bare else 0
            places += [offsets[0] if offsets else begin] * lead + offsets
            last = offsets[-1] + 1 if offsets else begin
            places += [last] * (len(line) - lead - len(bare) + 1)  # trailing space, line end
            self.cursor = last
        return places

    def _inline(self, token: Any, children: list[Any]) -> None:
        places = self._places(token.content, self.first + token.map[0])
        hidden = deque(match.span() for match in _FORMULA.finditer(token.content))
        title: tuple[str, int] | None = None
        automatic = False
        for child in children:
            at = (child.meta or {}).get("at", 0)
            if child.type in ("softbreak", "hardbreak"):
                self.builder.glue("\n")
            elif child.type == "link_open":
                automatic = child.markup == "autolink"
            elif child.type == "link_close":
                automatic = False
            elif child.type == "html_inline":
                found = _TITLE.match(child.content)
                if found:
                    title = (found[1] or found[2] or "", places[at + len(child.content)])
                elif title and child.content.lower().startswith("</abbr"):
                    acronym = self.original[title[1] : places[at]]
                    self.builder.define(acronym, title[0], title[1])
                    title = None
            elif child.type == "text_special":
                self.builder.replace(child.content, places[at], places[at] + len(child.markup))
            elif child.type == "text" and not automatic and child.content:
                self._text(at, at + len(child.content), places, hidden)
            elif child.type == "code_inline":
                self.builder.glue(" ")

    def _text(
        self, start: int, end: int, places: list[int], hidden: deque[tuple[int, int]]
    ) -> None:
        """Take a run of inline content without what is hidden, in pieces that are runs of the
        original."""
        at = start
        while at < end:
            while hidden and hidden[0][1] <= at:
                hidden.popleft()
            left, right = hidden[0] if hidden else (end, end)
            for begin, stop in consecutive(places, at, min(left, end)):
                first, last = places[begin], places[stop - 1] + 1
                self.builder.mask(first, last, links(self.original, first, last))
            at = right


def _escaped(bare: str, original: str, at: int) -> list[int]:
    offsets = []
    for letter in bare:
        at += original.startswith("\\|", at) and letter == "|"
        offsets.append(at)
        at += 1
    return offsets
