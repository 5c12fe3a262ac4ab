"""LaTeX by pylatexenc, whose nodes know where they stand."""

import re
from collections.abc import Sequence
from typing import Any

from ...errors import FormatError, require
from ..source import TextBuilder
from .names import names

_LEFT_OUT_ENVIRONMENTS = names(
    "verbatim verbatim* lstlisting minted equation equation* align align* gather gather* "
    "multline multline* eqnarray eqnarray* displaymath math tikzpicture thebibliography "
    "algorithm algorithmic alltt comment filecontents filecontents*"
)
_SHOWN = names(
    "textbf textit emph textsc textrm textsf textup textmd textnormal underline uppercase "
    "MakeUppercase section section* subsection subsection* subsubsection subsubsection* chapter "
    "chapter* part paragraph paragraph* subparagraph title author caption caption* "
    "mbox text abstract item enquote textquote"
)
"""Macros whose arguments are text; of others, such as labels and citations, nothing is."""

_NOTES = names("footnote thanks")
_APART = re.compile(r"[\s.,;:!?)~-]|\\[ \\]|\Z")  # no blank is wanted before it

_BLOCKS = names("section subsection subsubsection chapter part paragraph caption item par")
_USES = re.compile(r"(?:gls|Gls|GLS|ac|Ac|acrshort|acs|acf|acl|glsentryshort)(?:pl|p)?\*?")
_PLURAL = re.compile(r"(?:pl|p)\*?$")
_SPACES = {
    "\\": "\n",
    " ": " ",
    ",": " ",
    "quad": " ",
    "qquad": " ",
    "newline": "\n",
    "par": "\n\n",
}
_SIGNS = {**{sign: sign for sign in "&%$#_{}"}, "LaTeX": "LaTeX", "TeX": "TeX", "ldots": "…"}
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
    r"\\begin\{(?P<name>verbatim\*?|Verbatim|lstlisting|minted|alltt|comment)\}"
    r"(?P<code>(?s:.*?))\\end\{(?P=name)\}|\\[^a-zA-Z]|%[^\n]*"
)
_ARGUMENTS = {
    **dict.fromkeys(("url", "path", "nolinkurl", "index"), "{"),
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
    parsed = _VERBATIM.sub(_blank, builder.original)
    walker = latexwalker.LatexWalker(parsed, latex_context=_context(), tolerant_parsing=False)
    head, body = _preamble(parsed)
    try:
        defining = [walker.get_latex_nodes(pos=at, read_max_nodes=1)[0][0] for at in head]
        nodes = walker.get_latex_nodes(pos=body)[0]
    except latexwalker.LatexWalkerParseError as error:
        raise FormatError(f"line {error.lineno}: {error.msg}") from error
    except RecursionError:
        raise FormatError("braces nested too deeply") from None
    walk = _Walk(builder)
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


def _blank(found: re.Match[str]) -> str:
    """Code that TeX does not read either, as long as it was: its braces need not match."""
    if not found["code"]:
        return found[0]
    return found[0].replace(found["code"], re.sub(r"[^\n]", " ", found["code"]))


def _context() -> Any:
    from pylatexenc.latexwalker import get_default_latex_context_db
    from pylatexenc.macrospec import MacroSpec

    macros = [MacroSpec(name, spec) for name, spec in {**_ARGUMENTS, **_DEFINES}.items()]
    for name in ("gls", "ac", "acrshort", "acs", "acf", "acl", "Gls", "Ac", "GLS", "glsentryshort"):
        macros += [MacroSpec(name + end, "*[{") for end in ("", "pl", "p")]
    context = get_default_latex_context_db()
    context.add_context_category("acronyms", macros=macros, prepend=True)
    return context


def _body(nodes: Sequence[Any]) -> Sequence[Any]:
    for node in nodes:
        if getattr(node, "environmentname", None) == "document":
            return list(node.nodelist)
    return nodes


class _Walk:
    """Puts the text of nodes into a builder, in order."""

    def __init__(self, builder: TextBuilder) -> None:
        self.builder = builder
        self.short: dict[str, str] = {}  # by label

    def define(self, nodes: Sequence[Any]) -> None:
        """Take the definitions of all nodes, wherever they stand."""
        for node in nodes:
            name = getattr(node, "macroname", None)
            if name in _DEFINES:
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
                if node.environmentname in _LEFT_OUT_ENVIRONMENTS:
                    self.builder.glue(" ")
                else:
                    self.builder.glue("\n\n")
                    self.read(node.nodelist)
                    self.builder.glue("\n\n")
            elif kind == "LatexSpecialsNode":
                written = node.specials_chars
                text = "\n\n" if written.isspace() else _SPECIALS.get(written, written)
                self.builder.replace(text, node.pos, node.pos + node.len)
            elif kind == "LatexCommentNode":
                self.builder.glue("\n" if "\n\n" in node.comment_post_space else " ")

    def _macro(self, node: Any) -> None:
        name = node.macroname
        end = node.pos + 1 + len(name)
        if name.rstrip("*") in _BLOCKS:
            self.builder.glue("\n\n")
        if name in _SPACES or name in _SIGNS:
            self.builder.replace({**_SPACES, **_SIGNS}[name], node.pos, end)
            if node.macro_post_space:
                self.builder.glue(" ")
        elif _USES.fullmatch(name):
            self._use(node)
        elif name in ("href", "textcolor", "hyperref"):
            self._arguments(node, -1)
        elif name in _NOTES:
            self.builder.glue("" if self.builder.original[node.pos - 1] in " \t\n~" else " ")
            self._arguments(node)
            apart = _APART.match(self.builder.original, node.pos + node.len)
            self.builder.glue("" if apart else " ")
        elif name in _SHOWN:
            self._arguments(node)
        if name.rstrip("*") in _BLOCKS - {"item", "par"}:
            self.builder.glue("\n\n")

    def _use(self, node: Any) -> None:
        found = _content(node.nodeargd.argnlist[-1])
        if found:
            label, at = found
            short = self.short.get(label.strip(), label)
            if _PLURAL.search(node.macroname):
                short += "s"
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
