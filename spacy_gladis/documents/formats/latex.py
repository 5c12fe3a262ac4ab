"""Reader of LaTeX, which uses pylatexenc because its parsed nodes have offsets."""

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
"""Macros whose arguments are text. The arguments of other macros, such as labels, are skipped."""

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
_APART = re.compile(r"[\s.,;:!?)~-]|\\[ \\]|\Z")  # needs no space before it
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
_VERBATIM = re.compile(  # or a comment that hides its beginning
    r"\\begin\{(?P<name>verbatim\*?|Verbatim|lstlisting|minted|alltt|comment)\}|\\[^a-zA-Z]|%[^\n]*"
)
_NEW_MACRO = re.compile(
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
"""Arguments of environments that pylatexenc doesn't know or parses in another way."""


def read_latex(builder: TextBuilder) -> None:
    r"""Read the visible text of a LaTeX file, and the definitions of acronyms in it.

    If the file contains `\begin{document}`, its text begins there. Macros such as `\newacronym`,
    `\newglossaryentry`, `\DeclareAcronym` and `\acro` define acronyms. Macros such as `\gls` and
    `\ac` are replaced by the acronyms for which they stand.

    Args:
        builder: Builder that receives the text. It was created with the content of the file.

    Raises:
        FormatError: If a group in braces or an environment isn't closed.
    """
    latexwalker = require("pylatexenc.latexwalker", "documents")
    parsed = _without_code(builder.original)
    custom = set(_NEW_MACRO.findall(parsed))
    walker = latexwalker.LatexWalker(parsed, latex_context=_context(custom), tolerant_parsing=False)
    head, body = _preamble(parsed)
    try:
        defining = [walker.get_latex_nodes(pos=at, read_max_nodes=1)[0][0] for at in head]
        nodes = walker.get_latex_nodes(pos=body)[0]
    except latexwalker.LatexWalkerParseError as error:
        raise FormatError(f"line {error.lineno}: {error.msg}") from error
    walk = _Walk(builder, custom)
    walk.define([*defining, *nodes])
    walk.read(_body(nodes))
    walk.end_paragraph()


def read_definitions(builder: TextBuilder) -> None:
    """Read only the definitions of acronyms in a LaTeX file, not its text.

    Use it for files that can't be parsed as a whole, such as a preamble with open groups.

    Args:
        builder: Builder that receives the definitions. It was created with the content of the file.
    """
    latexwalker = require("pylatexenc.latexwalker", "documents")
    source = _without_code(builder.original)
    custom = set(_NEW_MACRO.findall(source))
    walker = latexwalker.LatexWalker(source, latex_context=_context(custom), tolerant_parsing=False)
    nodes = []
    for match in _DEFINITION.finditer(source):
        if match["definition"]:
            with suppress(latexwalker.LatexWalkerParseError):
                nodes += walker.get_latex_nodes(pos=match.start(), read_max_nodes=1)[0]
    _Walk(builder, custom).define(nodes)


def labels_of(source: str) -> set[str]:
    """Return the words in a LaTeX file that may be labels of acronyms.

    These are all words in braces, because another file may define the acronyms.

    Args:
        source: The LaTeX source of the file.

    Returns:
        The words as a set. It is empty if no macro in the file uses an acronym.
    """
    return set(_LABEL.findall(source)) if _USE.search(source) else set()


def _preamble(source: str) -> tuple[list[int], int]:
    """Return the offsets of the definitions before the document, and the offset of the document.

    Only these parts of a file are parsed, because other macros before the document may leave groups
    open.
    """
    definitions: list[int] = []
    for match in _PREAMBLE.finditer(source):
        if match["definition"]:
            definitions.append(match.start())
        elif match["document"]:
            return definitions, match.start()
    return [], 0


def _without_code(source: str) -> str:
    """Return LaTeX source in which spaces replace code, because braces in code need not match."""
    parts, at, searched = [], 0, 0
    unclosed = set()
    for match in _VERBATIM.finditer(source):
        name = match["name"]
        if not name or name in unclosed or match.start() < searched:
            continue
        end = source.find(f"\\end{{{name}}}", match.end())
        if end < 0:
            unclosed.add(name)
            continue
        parts += [source[at : match.end()], re.sub(r"[^\n]", " ", source[match.end() : end])]
        at = searched = end
    return "".join([*parts, source[at:]])


def _context(custom: Set[str]) -> Any:
    """Return the arguments of macros for pylatexenc, except macros that the file defines."""
    from pylatexenc.latexwalker import get_default_latex_context_db
    from pylatexenc.macrospec import EnvironmentSpec, MacroSpec

    taking = {**_ARGUMENTS, **specs()}
    context = get_default_latex_context_db()
    context.add_context_category(
        "acronyms",
        macros=[MacroSpec(name, "" if name in custom else spec) for name, spec in taking.items()],
        environments=[EnvironmentSpec(*item) for item in _ENVIRONMENT_ARGUMENTS.items()],
        prepend=True,
    )
    return context


def _body(nodes: Sequence[Any]) -> Sequence[Any]:
    for node in nodes:
        if getattr(node, "environmentname", None) == "document":
            return list(node.nodelist)
    return nodes


class _Walk:
    """Adds the text of the nodes that pylatexenc parsed to a builder, in order."""

    def __init__(self, builder: TextBuilder, custom: Set[str]) -> None:
        self.builder = builder
        self.custom = custom
        self.within = ""  # the open table or description list
        self.plurals: dict[str, str] = {}  # by label
        self.notes: list[Any] = []  # of the open paragraph

    def define(self, nodes: Sequence[Any]) -> None:
        """Add the definitions in all nodes. A plural only counts if the singular isn't defined."""
        entries = list(self._entries(nodes))
        for entry in sorted(entries, key=lambda entry: entry.is_plural):
            shorts = self.plurals if entry.is_plural else self.builder.names
            shorts[entry.label] = entry.short
            if not entry.is_plural or entry.label not in self.builder.names:
                self.builder.define(entry.short, entry.long_form, entry.offset, glossary=True)

    def _entries(self, nodes: Sequence[Any]) -> Iterator[Entry]:
        for node in nodes:
            name = getattr(node, "macroname", None)
            defines = name in DEFINES and name not in self.custom and node.nodeargd
            if defines and (entry := entry_of_macro(node)):
                yield entry
            for part in _inside(node):
                yield from self._entries(part)

    def read(self, nodes: Sequence[Any]) -> None:
        """Add the visible text of nodes that pylatexenc parsed."""
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
        """End the open paragraph, and add each note in it as a separate paragraph."""
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
        elif name in USES and name not in self.custom:
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
        elif name not in self.custom and (written := written_by(node)):
            self.builder.replace(written, node.pos, node.pos + node.len)
        if name.rstrip("*") in _LEVELS:
            self.builder.title(start, _LEVELS[name.rstrip("*")])
        if name.rstrip("*") in _BLOCKS - {"item", "par"}:
            self.end_paragraph()

    def _behind_word(self) -> bool:
        return self.builder.tail[-3:].isalpha() and len(self.builder.tail) > 2

    def _use(self, node: Any) -> None:
        arguments = node.nodeargd.argnlist
        content = content_of(arguments[2])
        if content:
            label, at = content
            name = label.strip()
            short = self.builder.names.get(name, label)
            if USES[node.macroname]:
                short = self.plurals.get(name, f"{short}s")
            self.builder.replace(short, at, at + len(label))
            self.read([argument for argument in arguments[3:] if argument is not None])

    def _arguments(self, node: Any, last: int | None = None) -> None:
        arguments = node.nodeargd.argnlist if node.nodeargd else ()
        groups = [argument for argument in arguments if type(argument).__name__ == "LatexGroupNode"]
        # Text in brackets replaces the title in a list of titles, or is a number.
        shown = [group for group in groups if group.delimiters[0] == "{"] or groups
        for group in shown[last:] if last else shown:
            self.read(group.nodelist)


def _inside(node: Any) -> list[Sequence[Any]]:
    """Return the lists of nodes inside a node: its content and its arguments."""
    parts = [node.nodelist] if getattr(node, "nodelist", None) else []
    arguments = getattr(node, "nodeargd", None)
    if arguments is not None and arguments.argnlist:
        parts.append([argument for argument in arguments.argnlist if argument is not None])
    return parts
