"""Reader of Markdown (CommonMark with tables).

It uses markdown-it, which is extended so that it reports the offsets of inline content.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..builder import TextBuilder, consecutive
from .html import LEFT_OUT, HTMLText, is_note_mark, links
from .line_ends import breaks_word

_FRONT_MATTER = re.compile(r"(?P<fence>---|\+\+\+)[ \t]*\n(?s:.*?\n)??(?P=fence)[ \t]*(?:\n|\Z)")
_ABBREVIATION = re.compile(r" {0,3}\*\[(?P<acronym>[^\]\n]+)\]:[ \t]*(?P<long_form>\S.*)")
_FORMULA = re.compile(
    r"\$`[^`\n]+`\$|\$\$[^$]+\$\$|(?<![\\\w$])\$(?=\S)[^$\n]*?(?<=[^\s\\])\$(?![\w$])"
    r"|\\(?P<round>\\?)\((?=[^\\()]*(?:\\[^()]|[\^_={}]))(?:[^\\]|\\[^()\\])+?\\(?P=round)\)"
    r"|\\(?P<square>\\?)\[(?=[^\\\[\]]*(?:\\[^\[\]]|[\^={}]))(?:[^\\]|\\[^\[\]\\])+?\\(?P=square)\]"
)
r"""Formulas of MathJax and KaTeX. ``\(a\)`` may also be escaped brackets."""
_FORMULAS = re.compile(
    r" {0,3}(?:\$\$(?:(?!\n[ \t]*\n)[^$])+\$\$"
    r"|\\begin\{(?P<name>[a-z]+\*?)\}(?:(?!\n[ \t]*\n).)+?\\end\{(?P=name)\})[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_MARK = re.compile(
    r"\[\^(?P<label>[^\[\]\s]+)\]|\^\[(?P<note>[^\[\]\n]+)\]|(?<=[^\W\d_]{3})\^[\d*]{1,3}\^"
    r"|\[(?:[^\[\]\n]*[\s;-])?@\w[^\[\]\n]*\](?![(\[])"
)
"""References to notes, inline notes, and citations in the notation of Pandoc."""
_NOTE = re.compile(r" {0,3}\[\^(?P<label>[^\[\]\s]+)\]:[ \t]*")
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-z][\w-]*)", re.IGNORECASE)
_TITLE = re.compile(r"<abbr\b[^<>]*?\btitle\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)


def read_markdown(builder: TextBuilder) -> None:
    """Read the visible text of a Markdown file.

    Code, formulas, web addresses and front matter are left out. Abbreviations such as
    `*[HTML]: Hypertext Markup Language`, and `<abbr title="...">` in HTML, are added as
    definitions.

    Args:
        builder: Builder that receives the text. It was created with the content of the file.
    """
    read_parts(builder, [builder.original])


def read_parts(builder: TextBuilder, parts: Iterable[str]) -> None:
    """Read several parts of a Markdown file, such as the cells of a notebook.

    Each part is parsed separately, so that markup that isn't closed doesn't affect other parts.

    Args:
        builder: Builder that receives the text. It was created with the parts, separated by empty
            lines.
        parts: The Markdown source of each part, in order.
    """
    walk = _Walk(builder, _parser())
    for part in parts:
        if front := _FRONT_MATTER.match(part):  # blanked out, so that lines keep their numbers
            part = re.sub(r"[^\n]", " ", front[0]) + part[front.end() :]
        walk.read(part.replace("\0", " "))
    walk.html.end()


def _parser() -> Any:
    from markdown_it import MarkdownIt
    from markdown_it.parser_inline import ParserInline
    from markdown_it.rules_inline.state_inline import StateInline

    class Placed(StateInline):
        """State of the inline parser that stores the offset of each token in its `meta`.

        Text is pending until the next token, which begins directly after the text or one bracket
        later.
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
    parser.core.ruler.disable("inline")  # parse one at a time to save memory
    # fragments_join and text_join merge tokens and lose the offset of the second
    inline.ruler2.disable("fragments_join", True)
    stops: Any = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("reference", "abbreviation", _abbreviation, stops)
    parser.block.ruler.before("table", "note", _note, stops)
    parser.block.ruler.before("table", "formulas", _formulas)
    inline.ruler.before("escape", "formula", _formula)
    inline.ruler.before("escape", "mark", _mark)
    return parser


def _formula(state: Any, silent: bool) -> bool:
    match = _FORMULA.match(state.src, state.pos)
    if match:
        if not silent:
            state.push("formula", "", 0)
        state.pos = match.end()
    return match is not None


def _mark(state: Any, silent: bool) -> bool:
    match = _MARK.match(state.src, state.pos)
    if match:
        if not silent:
            state.push("mark", "", 0).meta["match"] = match
        state.pos = match.end()
    return match is not None


def _formulas(state: Any, line: int, end: int, silent: bool) -> bool:
    match = _FORMULAS.match(state.src, state.bMarks[line] + state.tShift[line])
    last = line + match[0].count("\n") if match else end
    if last >= end or state.is_code_block(line):
        return False
    state.line = last + 1
    return True


def _note(state: Any, line: int, end: int, silent: bool) -> bool:
    """Parse a line that defines a footnote. The rest of the line is parsed like any other block."""
    match = _NOTE.match(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line])
    if not match or state.is_code_block(line):
        return False
    if not silent:
        state.push("note", "", 0).meta = {"label": match["label"]}
        state.bMarks[line] = match.end()
        state.tShift[line] = state.sCount[line] = 0
    return silent


def _abbreviation(state: Any, line: int, end: int, silent: bool) -> bool:
    start = state.bMarks[line] + state.tShift[line]
    match = _ABBREVIATION.match(state.src, start, state.eMarks[line])
    if not match or state.is_code_block(line):
        return False
    if not silent:
        token = state.push("abbreviation", "", 0)
        token.map = [line, line + 1]
        token.meta = {"match": match}
        state.line = line + 1
    return True


class _Walk:
    """Adds the text of the blocks that markdown-it parsed to a builder, in order."""

    def __init__(self, builder: TextBuilder, parser: Any) -> None:
        self.builder, self.original, self.lines = builder, builder.original, builder.lines
        self.parser = parser
        self.html = HTMLText(builder)
        self.cursor = 0
        self.first = 0  # number of the first line of the part

    def read(self, source: str) -> None:
        """Add a part of the file, which ends with an empty line or at the end of the file."""
        env: dict[str, Any] = {}
        starts: dict[str, int] = {}
        note = ""
        for token in self.parser.parse(source, env):
            kind = token.type.removesuffix("_open").removesuffix("_close")
            if token.nesting > 0:
                starts[kind] = self.builder.end
            if kind == "inline":
                start = self.builder.end
                self._inline(token, env)
                self.builder.glue("\n\n")
                if note:
                    self.builder.note(note, start)
                note = ""
            elif kind == "note":
                note = token.meta["label"]
            elif kind == "html_block":
                begin, end = self.first + token.map[0], self.first + token.map[1]
                self.html.read(self.lines[begin], self._end(end))
                self.builder.glue("\n\n")
            elif kind == "abbreviation":
                match = token.meta["match"]
                at = self.original.find(match["acronym"], self.lines[self.first + token.map[0]])
                self.builder.define(match["acronym"], match["long_form"], at, glossary=True)
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
        """Return the offset in the file of each character of an inline token, and of its end."""
        places: list[int] = []
        for number, line in enumerate(content.split("\n"), first):
            bare = line.strip()
            begin, end = max(self.cursor, self.lines[number]), self._end(number + 1)
            at = self.original.find(bare, begin, end)
            if at >= 0:
                offsets = list(range(at, at + len(bare)))
            else:  # in a table cell, | is written as \|
                cell = re.compile(r"\\?".join(map(re.escape, bare))).search(
                    self.original, begin, end
                )
                offsets = _escaped(bare, self.original, cell.start() if cell else begin)
            lead = len(line) - len(line.lstrip()) if bare else 0
            places += [offsets[0] if offsets else begin] * lead + offsets
            last = offsets[-1] + 1 if offsets else begin
            # Trailing spaces and the line end.
            places += [last] * (len(line) - lead - len(bare) + 1)
            self.cursor = last
        return places

    def _inline(self, token: Any, env: dict[str, Any]) -> None:
        places = self._places(token.content, self.first + token.map[0])
        waiting = [(token.content, 0, "")]  # the content, then its inline notes
        for content, first, note in waiting:
            start = self.builder.end
            for mark, at in self._children(content, places[first : first + len(content) + 1], env):
                self.builder.mark(mark["label"] or str(places[first + at]))
                if mark["note"]:
                    inside = first + mark.start("note")
                    waiting.append((mark["note"], inside, str(places[first + at])))
            if note:
                self.builder.note(note, start)
            self.builder.glue("\n\n")

    def _children(
        self, content: str, places: list[int], env: dict[str, Any]
    ) -> Iterator[tuple[re.Match[str], int]]:
        """Add inline content to the builder, and yield references to notes with their offsets."""
        title: tuple[str, int] | None = None
        automatic = False
        hidden: list[str] = []  # open HTML elements
        is_broken = False  # whether a word is broken at the end of a line
        for child in self.parser.inline.parse(content, self.parser, env, []):
            at = (child.meta or {}).get("at", 0)
            tag = _TAG.match(child.content) if child.type == "html_inline" else None
            name = tag["name"].lower() if tag else ""
            if hidden:
                if tag and name == hidden[-1]:
                    hidden.pop() if tag["end"] else hidden.append(name)
            elif (
                tag
                and not tag["end"]
                and (name in LEFT_OUT or is_note_mark(content, at, self.builder.tail))
            ):
                hidden.append(name)
                self.builder.glue("" if name == "sup" else " ")
            elif child.type in ("softbreak", "hardbreak"):
                self.builder.glue("" if is_broken else "\n")
                is_broken = False
            elif child.type in ("link_open", "link_close"):
                automatic = child.type == "link_open" and child.markup == "autolink"
            elif child.type == "html_inline":
                match = _TITLE.match(child.content)
                if match:
                    title = (match[1] or match[2] or "", places[at + len(child.content)])
                elif title and name == "abbr":
                    acronym = self.original[title[1] : places[at]]
                    self.builder.define(acronym, title[0], title[1])
                    title = None
            elif child.type == "text_special":
                self.builder.replace(child.content, places[at], places[at] + len(child.markup))
            elif child.type == "text" and not automatic and child.content:
                end = at + len(child.content)
                is_broken = content[end : end + 1] == "\n" and breaks_word(content, end, end + 1)
                self._text(at, end - is_broken, places)
            elif child.type in ("code_inline", "formula"):
                self.builder.glue(" ")
            elif child.type == "mark":
                yield child.meta["match"], at

    def _text(self, start: int, end: int, places: list[int]) -> None:
        """Add a range of inline content, in pieces that are contiguous in the file."""
        for begin, stop in consecutive(places, start, end):
            first, last = places[begin], places[stop - 1] + 1
            self.builder.mask(first, last, links(self.original, first, last))


def _escaped(bare: str, original: str, at: int) -> list[int]:
    offsets = []
    for letter in bare:
        at += original.startswith("\\|", at) and letter == "|"
        offsets.append(at)
        at += 1
    return offsets
