"""LaTeX by pylatexenc, whose nodes know where they stand."""

import re
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from typing import Any

from ...errors import FormatError, require
from ..builder import TextBuilder
from ..lists import names
from ..source import RegionKind
from .latex_acronyms import (
    DEFINES,
    LINKS,
    USES,
    Entry,
    content_of,
    entry_of_macro,
    specs,
    written_by,
)

_LEFT_OUT_ENVIRONMENTS = names(
    "verbatim verbatim* lstlisting minted equation equation* align align* gather gather* multline "
    "multline* eqnarray eqnarray* displaymath math tikzpicture thebibliography algorithm "
    "algorithmic alltt comment filecontents filecontents*"
)
_SHOWN = names(
    "textbf textit emph textsc textrm textsf textup textmd textnormal underline uppercase "
    "MakeUppercase section section* subsection subsection* subsubsection subsubsection* chapter "
    "chapter* part paragraph paragraph* subparagraph title author caption caption* mbox text "
    "abstract item enquote textquote"
)
"""Macros whose arguments are text; of others, such as labels and citations, nothing is."""

_BOXES = {
    **dict.fromkeys(("makebox", "framebox"), "[[{"),
    **dict.fromkeys(("colorbox", "rotatebox"), "[{{"),
    **dict.fromkeys(("fcolorbox", "resizebox", "discretionary"), "{{{"),
    "foreignlanguage": "[{{",
    **dict.fromkeys(("hyperlink", "hypertarget"), "{{"),
    "parbox": "[[[{{",
    "raisebox": "{[[{",
    "scalebox": "{[{",
}
_LAST_SHOWN = names("href textcolor hyperref multicolumn") | LINKS | _BOXES.keys()
_NOTES = names(
    "endnote footnote footnotetext marginnote marginpar sidenote tablefootnote thanks todo"
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_APART = re.compile(r"[\s.,;:!?)~-]|\\[ \\]|\Z")  # no blank is wanted before it
_SUPERSCRIPT = re.compile(r"[\d*\u2020\u2021,]{1,5}|[a-z]")

_BLOCKS = names("section subsection subsubsection chapter part paragraph caption item par")
_WRITTEN = {
    **dict.fromkeys(("\\", "newline"), "\n"),
    **dict.fromkeys((" ", ",", "quad", "qquad"), " "),
    **{sign: sign for sign in (*"&%$#_{}", "LaTeX", "TeX")},
    "par": "\n\n",
    "ldots": "…",
}
_SPECIALS = {"~": " ", "--": "–", "---": "—", "``": "“", "''": "”"}
_DEFINITION = re.compile(rf"\\[^a-zA-Z]|%[^\n]*|(?P<definition>\\(?:{'|'.join(DEFINES)})\b)")
_PREAMBLE = re.compile(rf"{_DEFINITION.pattern}|(?P<document>\\begin\{{document\}})")
_USE = re.compile(r"\\(?:[cdmpr]?gls|i?ac)[a-z]*\*?(?:\[[^\[\]]*\])?\{", re.IGNORECASE)
_LABEL = re.compile(r"\{\s*([^{}\s](?:[^{}]{0,300}[^{}\s])?)\s*\}")
_VERBATIM = re.compile(  # or what may hide its beginning
    r"\\begin\{(?P<name>verbatim\*?|Verbatim|lstlisting|minted|alltt|comment)\}|\\[^a-zA-Z]|%[^\n]*"
)
_OWN = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|def)\*?[\s{]*\\(\w+)"
)
_TITLES = "title part chapter section subsection subsubsection paragraph subparagraph"
_LEVELS = {name: level for level, name in enumerate(_TITLES.split())}
_REGIONS: dict[str, RegionKind] = {
    **dict.fromkeys(("tabular", "tabular*", "tabularx", "tabulary", "longtable"), "table"),
    "theindex": "index",
}
_ARGUMENTS = {
    **dict.fromkeys(("url", "path", "nolinkurl", "index", "cline"), "{"),
    **_BOXES,
    "multicolumn": "{{{",
    **dict.fromkeys(("href", "textcolor", "hyperref"), "{{"),
    **dict.fromkeys(("enquote", "textquote", "title", "author", "caption", "thanks"), "[{"),
    **dict.fromkeys(("uppercase", "MakeUppercase", "mbox", "text", "textsuperscript"), "{"),
    **dict.fromkeys(("endnote", "footnotetext", "sidenote", "tablefootnote", "todo"), "[{"),
    "footnotemark": "[",
    **dict.fromkeys(("tnote", "acroextra"), "{"),
    **dict.fromkeys(("marginnote", "marginpar"), "[{"),
    **dict.fromkeys(("input", "include", "subfile", "includeonly", "usepackage"), "[{"),
    **dict.fromkeys(("chapter", "part", "paragraph", "subparagraph"), "*[{"),
    **dict.fromkeys(("Cref", "cref", "autoref", "eqref", "vref", "nameref", "bibliography"), "{"),
    **dict.fromkeys(("citep", "citet", "parencite", "textcite", "autocite", "nocite"), "[[{"),
}

_ENVIRONMENT_ARGUMENTS = {
    "longtable": "[{",
    **dict.fromkeys(("acronym", "columns", "frame", "tcolorbox", "threeparttable"), "["),
    **dict.fromkeys(("adjustbox", "otherlanguage", "otherlanguage*", "spacing"), "{"),
    "tabulary": "{{",
    "multicols": "{[",
    **dict.fromkeys(("column", "minipage", "subfigure", "subtable", "tblr"), "[{"),
    **dict.fromkeys(("wrapfigure", "wraptable"), "[{[{"),
}
"""What no reader sees of environments that pylatexenc does not know or knows otherwise."""


def read_latex(builder: TextBuilder) -> None:
    """The text of a LaTeX file, from `\\begin{document}` on where there is one.

    `\\newacronym`, `\\newglossaryentry`, `\\DeclareAcronym` and `\\acro` are definitions; `\\gls`
    and `\\ac` are uses. Raises FormatError where braces or environments do not close.
    """
    latexwalker = require("pylatexenc.latexwalker", "documents")
    parsed = _without_code(builder.original)
    own = set(_OWN.findall(parsed))
    walker = latexwalker.LatexWalker(parsed, latex_context=_context(own), tolerant_parsing=False)
    head, body = _preamble(parsed)
    try:
        defining = [walker.get_latex_nodes(pos=at, read_max_nodes=1)[0][0] for at in head]
        nodes = walker.get_latex_nodes(pos=body)[0]
    except latexwalker.LatexWalkerParseError as error:
        raise FormatError(f"line {error.lineno}: {error.msg}") from error
    walk = _Walk(builder, own)
    walk.define([*defining, *nodes])
    walk.read(_body(nodes))
    walk.end_paragraph()


def read_definitions(builder: TextBuilder) -> None:
    """What a LaTeX file defines, of which the rest need not be whole."""
    latexwalker = require("pylatexenc.latexwalker", "documents")
    source = _without_code(builder.original)
    own = set(_OWN.findall(source))
    walker = latexwalker.LatexWalker(source, latex_context=_context(own), tolerant_parsing=False)
    nodes = []
    for found in _DEFINITION.finditer(source):
        if found["definition"]:
            with suppress(latexwalker.LatexWalkerParseError):
                nodes += walker.get_latex_nodes(pos=found.start(), read_max_nodes=1)[0]
    _Walk(builder, own).define(nodes)


def labels_of(source: str) -> set[str]:
    """The labels that macros may look up."""
    return set(_LABEL.findall(source)) if _USE.search(source) else set()


def _preamble(source: str) -> tuple[list[int], int]:
    """Where acronyms are defined before the document begins, and where it begins: macros between
    them may open what others close."""
    definitions: list[int] = []
    for found in _PREAMBLE.finditer(source):
        if found["definition"]:
            definitions.append(found.start())
        elif found["document"]:
            return definitions, found.start()
    return [], 0


def _without_code(source: str) -> str:
    """The source with blanks for code that TeX does not read either: its braces need not match."""
    parts, at, searched = [], 0, 0
    unclosed = set()
    for found in _VERBATIM.finditer(source):
        name = found["name"]
        if not name or name in unclosed or found.start() < searched:
            continue
        end = source.find(f"\\end{{{name}}}", found.end())
        if end < 0:
            unclosed.add(name)
            continue
        parts += [source[at : found.end()], re.sub(r"[^\n]", " ", source[found.end() : end])]
        at = searched = end
    return "".join([*parts, source[at:]])


def _context(own: Set[str]) -> Any:
    """What macros take; `own` are those that the file itself defines, of which nobody knows."""
    from pylatexenc.latexwalker import get_default_latex_context_db
    from pylatexenc.macrospec import EnvironmentSpec, MacroSpec

    taking = {**_ARGUMENTS, **specs()}
    context = get_default_latex_context_db()
    context.add_context_category(
        "acronyms",
        macros=[MacroSpec(name, "" if name in own else spec) for name, spec in taking.items()],
        environments=[EnvironmentSpec(*one) for one in _ENVIRONMENT_ARGUMENTS.items()],
        prepend=True,
    )
    return context


def _body(nodes: Sequence[Any]) -> Sequence[Any]:
    for node in nodes:
        if getattr(node, "environmentname", None) == "document":
            return list(node.nodelist)
    return nodes


class _Walk:
    """Puts the text of nodes into a builder, in order."""

    def __init__(self, builder: TextBuilder, own: Set[str]) -> None:
        self.builder = builder
        self.own = own
        self.within = ""  # a table or a list of descriptions
        self.plurals: dict[str, str] = {}  # by label
        self.notes: list[Any] = []  # of the open paragraph

    def define(self, nodes: Sequence[Any]) -> None:
        """Take the definitions of all nodes, wherever they stand; a plural's where it is alone."""
        entries = list(self._entries(nodes))
        for entry in sorted(entries, key=lambda entry: entry.is_plural):
            known = self.plurals if entry.is_plural else self.builder.names
            known[entry.label] = entry.short
            if not entry.is_plural or entry.label not in self.builder.names:
                self.builder.define(entry.short, entry.long_form, entry.offset, glossary=True)

    def _entries(self, nodes: Sequence[Any]) -> Iterator[Entry]:
        for node in nodes:
            name = getattr(node, "macroname", None)
            defines = name in DEFINES and name not in self.own and node.nodeargd
            if defines and (entry := entry_of_macro(node)):
                yield entry
            for part in _inside(node):
                yield from self._entries(part)

    def read(self, nodes: Sequence[Any]) -> None:
        """Take the text of these nodes."""
        for node in nodes:
            kind = type(node).__name__
            if kind == "LatexCharsNode":
                self._characters(node.pos, node.pos + node.len)
            elif kind == "LatexGroupNode":
                self.read(node.nodelist)
            elif kind == "LatexMacroNode":
                self._macro(node)
            elif kind == "LatexEnvironmentNode":
                self._environment(node)
            elif kind == "LatexSpecialsNode" and node.specials_chars == "&":
                self.builder.glue("\n")
                self.builder.cell()
            elif kind == "LatexSpecialsNode":
                written = node.specials_chars
                text = "\n\n" if written.isspace() else _SPECIALS.get(written, written)
                self.builder.replace(text, node.pos, node.pos + node.len)
            elif kind == "LatexCommentNode":
                self.builder.glue("\n" if "\n\n" in node.comment_post_space else " ")

    def _characters(self, start: int, end: int) -> None:
        blank = _BLANK_LINE.search(self.builder.original, start, end) if self.notes else None
        if blank:
            self.builder.copy(start, blank.start())
            self.end_paragraph()
            start = blank.start()
        self.builder.copy(start, end)

    def end_paragraph(self) -> None:
        """Take the notes of a paragraph behind it, each as one of its own."""
        self.builder.glue("\n\n")
        notes, self.notes = self.notes, []
        for node in notes:
            start = self.builder.end
            self._arguments(node)
            self.builder.note(str(node.pos), start)
            self.end_paragraph()

    def _environment(self, node: Any) -> None:
        name = node.environmentname
        if name in _LEFT_OUT_ENVIRONMENTS:
            self.builder.glue(" ")
            return
        self.end_paragraph()
        start, region = self.builder.end, _REGIONS.get(name)
        outer, self.within = self.within, name if region or name == "description" else self.within
        if region == "table":
            self.builder.cell(first=True)
        self.read(node.nodelist)
        self.within = outer
        if region == "table" or name == "description":
            self.builder.end_rows(start, region)
        elif region:
            self.builder.region(region, start)
        self.end_paragraph()

    def _macro(self, node: Any) -> None:
        name = node.macroname
        start = self.builder.end
        end = node.pos + 1 + len(name)
        if name.rstrip("*") in _BLOCKS:
            self.end_paragraph()
        if name in _WRITTEN:
            self.builder.replace(_WRITTEN[name], node.pos, end)
            if name == "\\" and self.within in _REGIONS:
                self.end_paragraph()
                self.builder.cell(first=True)
            if node.macro_post_space:
                self.builder.glue(" ")
        elif name in USES and name not in self.own:
            self._use(node)
        elif name in _LAST_SHOWN:
            self._arguments(node, -1)
        elif name == "item":
            described = self.within == "description"
            if described:
                self.builder.cell(first=True)
            self._arguments(node)
            if described:
                self.builder.glue("\n")
                self.builder.cell()
        elif name in _NOTES:
            self.builder.mark(str(node.pos))
            self.notes.append(node)
            apart = _APART.match(self.builder.original, node.pos + node.len)
            self.builder.glue("" if apart else " ")
        elif name == "textsuperscript":
            shown = content_of(node.nodeargd.argnlist[0])
            if not (shown and _SUPERSCRIPT.fullmatch(shown[0].strip()) and self._behind_word()):
                self._arguments(node)
        elif name in _SHOWN:
            self._arguments(node)
        elif name not in self.own and (written := written_by(node)):
            self.builder.replace(written, node.pos, node.pos + node.len)
        if name.rstrip("*") in _LEVELS:
            self.builder.title(start, _LEVELS[name.rstrip("*")])
        if name.rstrip("*") in _BLOCKS - {"item", "par"}:
            self.end_paragraph()

    def _behind_word(self) -> bool:
        return self.builder.tail[-3:].isalpha() and len(self.builder.tail) > 2

    def _use(self, node: Any) -> None:
        arguments = node.nodeargd.argnlist
        found = content_of(arguments[2])
        if found:
            label, at = found
            name = label.strip()
            short = self.builder.names.get(name, label)
            if USES[node.macroname]:
                short = self.plurals.get(name, f"{short}s")
            self.builder.replace(short, at, at + len(label))
            self.read([one for one in arguments[3:] if one is not None])

    def _arguments(self, node: Any, last: int | None = None) -> None:
        arguments = node.nodeargd.argnlist if node.nodeargd else ()
        groups = [one for one in arguments if type(one).__name__ == "LatexGroupNode"]
        # What brackets hold stands for the title in a list of titles, or is a number.
        shown = [one for one in groups if one.delimiters[0] == "{"] or groups
        for one in shown[last:] if last else shown:
            self.read(one.nodelist)


def _inside(node: Any) -> list[Sequence[Any]]:
    """The lists of nodes within a node."""
    parts = [node.nodelist] if getattr(node, "nodelist", None) else []
    arguments = getattr(node, "nodeargd", None)
    if arguments is not None and arguments.argnlist:
        parts.append([one for one in arguments.argnlist if one is not None])
    return parts
