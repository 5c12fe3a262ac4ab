"""LaTeX by pylatexenc, whose nodes know where they stand."""

import re
from collections.abc import Sequence, Set
from typing import Any

from ...errors import FormatError, require
from ..builder import TextBuilder
from ..lists import names
from ..source import RegionKind

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

_NOTES = names("footnote thanks")
_APART = re.compile(r"[\s.,;:!?)~-]|\\[ \\]|\Z")  # no blank is wanted before it

_BLOCKS = names("section subsection subsubsection chapter part paragraph caption item par")
_ACRONYMS = names("gls Gls GLS ac Ac acrshort acs acf acl glsentryshort")
_USES = {name + end: end != "" for name in _ACRONYMS for end in ("", "pl", "p")}
"""Macros that stand for an acronym, and whether for its plural."""
_WRITTEN = {
    **dict.fromkeys(("\\", "newline"), "\n"),
    **dict.fromkeys((" ", ",", "quad", "qquad"), " "),
    **{sign: sign for sign in (*"&%$#_{}", "LaTeX", "TeX")},
    "par": "\n\n",
    "ldots": "…",
}
_SPECIALS = {"~": " ", "--": "–", "---": "—", "``": "“", "''": "”"}
_SHORT = re.compile(r"(?:^|[,{])\s*short\s*=\s*\{?([^,{}]+)", re.DOTALL)
_NAME = re.compile(r"(?:^|[,{])\s*name\s*=\s*\{?([^,{}]+)", re.DOTALL)
_LONG = re.compile(r"(?:^|[,{])\s*(?:long|description)\s*=\s*(?:\{([^{}]*)|([^,{}]+))", re.DOTALL)
_DEFINES = {
    "newacronym": "[{{{",
    "newabbreviation": "[{{{",
    "acro": "{[{",
    "acrodef": "{[{",
    "newacro": "{[{",
    "DeclareAcronym": "{{",
    "newglossaryentry": "{{",
}
_PREAMBLE = re.compile(
    r"\\[^a-zA-Z]|%[^\n]*"
    rf"|(?P<definition>\\(?:{'|'.join(_DEFINES)})\b)|(?P<document>\\begin\{{document\}})"
)
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
    "multicolumn": "{{{",
    **dict.fromkeys(("href", "textcolor", "hyperref"), "{{"),
    **dict.fromkeys(("enquote", "textquote", "title", "author", "caption", "thanks"), "[{"),
    **dict.fromkeys(("uppercase", "MakeUppercase", "mbox", "text"), "{"),
    **dict.fromkeys(("chapter", "part", "paragraph", "subparagraph"), "*[{"),
    **dict.fromkeys(("Cref", "cref", "autoref", "eqref", "vref", "nameref", "bibliography"), "{"),
    **dict.fromkeys(("citep", "citet", "parencite", "textcite", "autocite", "nocite"), "[[{"),
}


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

    taking = {**_ARGUMENTS, **_DEFINES, **dict.fromkeys(_USES, "*[{")}
    context = get_default_latex_context_db()
    context.add_context_category(
        "acronyms",
        macros=[MacroSpec(name, "" if name in own else spec) for name, spec in taking.items()],
        environments=[EnvironmentSpec("longtable", "[{"), EnvironmentSpec("tabulary", "{{")],
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
        self.short: dict[str, str] = {}  # by label

    def define(self, nodes: Sequence[Any]) -> None:
        """Take the definitions of all nodes, wherever they stand."""
        for node in nodes:
            name = getattr(node, "macroname", None)
            if name in _DEFINES and name not in self.own and node.nodeargd:
                self._define(node)
            for part in _inside(node):
                self.define(part)

    def _define(self, node: Any) -> None:
        parts = [_content(one) for one in node.nodeargd.argnlist]
        given = [one for one in parts if one is not None]
        if not given:
            return
        label, at = given[0]
        if node.macroname in ("DeclareAcronym", "newglossaryentry"):
            text, start = given[-1]
            short, long = _SHORT.search(text) or _NAME.search(text), _LONG.search(text)
            if short and long:
                self._entry(label, short[1].strip(), long[1] or long[2], start + short.start(1))
        elif node.macroname in ("newacronym", "newabbreviation") and len(given) >= 3:
            self._entry(given[-3][0], given[-2][0], given[-1][0], given[-2][1])
        elif len(given) >= 2 and node.macroname in ("acro", "acrodef", "newacro"):
            short_name, at = given[1] if len(given) > 2 else (label, at)
            self._entry(label, short_name, given[-1][0], at)

    def _entry(self, label: str, short: str, long_form: str, at: int) -> None:
        plain = re.sub(r"\\[a-zA-Z]+\*?|[{}]", "", long_form).replace("~", " ")
        self.builder.define(short, plain, at, glossary=True)
        self.short[label.strip()] = short.strip()

    def read(self, nodes: Sequence[Any]) -> None:
        """Take the text of these nodes."""
        for node in nodes:
            kind = type(node).__name__
            if kind == "LatexCharsNode":
                self.builder.copy(node.pos, node.pos + node.len)
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

    def _environment(self, node: Any) -> None:
        name = node.environmentname
        if name in _LEFT_OUT_ENVIRONMENTS:
            self.builder.glue(" ")
            return
        self.builder.glue("\n\n")
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
        self.builder.glue("\n\n")

    def _macro(self, node: Any) -> None:
        name = node.macroname
        start = self.builder.end
        end = node.pos + 1 + len(name)
        if name.rstrip("*") in _BLOCKS:
            self.builder.glue("\n\n")
        if name in _WRITTEN:
            self.builder.replace(_WRITTEN[name], node.pos, end)
            if name == "\\" and self.within in _REGIONS:
                self.builder.glue("\n\n")
                self.builder.cell(first=True)
            if node.macro_post_space:
                self.builder.glue(" ")
        elif name in _USES and name not in self.own:
            self._use(node)
        elif name in ("href", "textcolor", "hyperref", "multicolumn"):
            self._arguments(node, -1)
        elif name == "item":
            described = self.within == "description"
            if described:
                self.builder.cell(first=True)
            self._arguments(node)
            if described:
                self.builder.cell()
        elif name in _NOTES:
            self.builder.glue("" if self.builder.original[node.pos - 1] in " \t\n~" else " ")
            self._arguments(node)
            apart = _APART.match(self.builder.original, node.pos + node.len)
            self.builder.glue("" if apart else " ")
        elif name in _SHOWN:
            self._arguments(node)
        if name.rstrip("*") in _LEVELS:
            self.builder.title(start, _LEVELS[name.rstrip("*")])
        if name.rstrip("*") in _BLOCKS - {"item", "par"}:
            self.builder.glue("\n\n")

    def _use(self, node: Any) -> None:
        found = _content(node.nodeargd.argnlist[-1])
        if found:
            label, at = found
            short = self.short.get(label.strip(), label)
            short += "s" * _USES[node.macroname]
            self.builder.replace(short, at, at + len(label))

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


def _content(node: Any) -> tuple[str, int] | None:
    """The source within a group's braces or brackets and where it begins; None without a group."""
    if type(node).__name__ != "LatexGroupNode":
        return None
    text = node.latex_verbatim()[1:-1]
    return text, node.pos + 1
