r"""LaTeX macros that define acronyms, such as ``\newacronym``, or use them, such as ``\gls``."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from ..lists import long_form_of, names

_CASES = (
    *map("".join, product(("", *"cdmpr"), ("gls", "Gls", "GLS"))),
    *("Pgls", "PGLS", "Rgls"),
)
_FORMS = ("", "short", "long", "full", "text", "name", "first")
_GLS = {
    *map("".join, product(_CASES, ("", "entry", "xtr", "fmt"), _FORMS, ("", "pl"))),
    *map("".join, product(_CASES, ("", "entry"), ("plural", "firstplural"))),
    *("glsps", "glspt", "Glsps", "Glspt"),
}
_AC = {
    *map("".join, product(("ac", "Ac"), ("", "s", "l", "f", "fi", "a", "su", "lu"), ("", "p"))),
    *map("".join, product(("acr", "Acr", "ACR"), ("short", "long", "full"), ("", "pl"))),
    *("iac", "Iac", "iacs", "iacl", "iacf", "acap"),
}
_PLURAL = re.compile(r"plural|pl\Z|\A[Aa]c[a-z]*p\Z")
USES = {name: _PLURAL.search(name) is not None for name in _GLS | _AC}
"""LaTeX macros that display an acronym, such as ``gls``. The value tells whether the macro displays
the plural."""

LINKS = names("glsdisp glslink Glsdisp Glslink acslink")
"""LaTeX macros that display their last argument as a link to an acronym."""
SILENT = names(
    "glsadd glsreset glsunset glslocalreset glslocalunset acused acuse acreset glsdesc Glsdesc "
    "glsentrydesc glssymbol glsentrysymbol glsuseri glssee"
)
"""LaTeX macros for acronyms that display nothing or no acronym, such as ``glsreset``."""
DEFINES = {
    **dict.fromkeys(("newacronym", "newabbreviation"), "[{{{"),
    **dict.fromkeys(("acro", "acrodef", "newacro"), "{[{"),
    **dict.fromkeys(("acroplural", "acrodefplural", "newacroplural"), "{[{"),
    **dict.fromkeys(("DeclareAcronym", "newglossaryentry", "provideglossaryentry"), "{{"),
    "longnewglossaryentry": "*{{{",
    "nomenclature": "[{{",
}
"""LaTeX macros that define an acronym, with their arguments in the notation of pylatexenc."""
_BY_KEYS = names("DeclareAcronym newglossaryentry provideglossaryentry longnewglossaryentry")
_NO_WORDS = names("footnote thanks cite ref label index nomunit nomeqref acroextra")
_STYLES = {
    **dict.fromkeys(
        names("textup textsf texttt textmd mbox fbox uline ul hl textls allcaps ensuremath"), "{"
    ),
    **dict.fromkeys(names("href colorbox"), "{{"),
    **dict.fromkeys(names("textcolor foreignlanguage"), "[{{"),
    "makebox": "[[{",
}
"""LaTeX macros that display their last argument, with their arguments in the notation of
pylatexenc."""
_ESCAPE = re.compile(r"\\.|(?<!\\)%[^\n]*|[{},]", re.DOTALL)


class Entry(NamedTuple):
    r"""An acronym that a LaTeX macro such as ``\newacronym`` defines.

    Attributes:
        label: The label with which other macros refer to the acronym.
        short: The acronym as plain text.
        long_form: Its long form as plain text.
        offset: Character offset of the acronym in the LaTeX source.
        is_plural: Whether `short` and `long_form` are the plurals of the acronym with this label.
    """

    label: str
    short: str
    long_form: str
    offset: int
    is_plural: bool = False


def specs() -> dict[str, Any]:
    """Return the arguments of all LaTeX macros for acronyms.

    Returns:
        A dictionary from the names of the macros to their arguments in the notation of pylatexenc.
    """
    from pylatexenc.macrospec import MacroStandardArgsParser

    close = {"optional_arg_no_space": True}  # an argument after a space is text
    return {
        **DEFINES,
        **dict.fromkeys(_GLS, MacroStandardArgsParser("*[{[", **close)),
        **dict.fromkeys(_AC, MacroStandardArgsParser("*[{", **close)),
        **dict.fromkeys(LINKS, "*[{{"),
        **dict.fromkeys(SILENT, "*[{"),
    }


def entry_of_macro(node: Any) -> Entry | None:
    r"""Return the acronym and the long form that a LaTeX macro such as ``\newacronym`` defines.

    Args:
        node: The macro with its arguments, as parsed by pylatexenc. Its name is a key of `DEFINES`.

    Returns:
        The entry, or None if the acronym or its long form is missing.
    """
    name = node.macroname
    parts = [content_of(argument) for argument in node.nodeargd.argnlist]
    arguments = [part for part in parts if part is not None]
    if name in _BY_KEYS:
        entry = _entry_by_keys(arguments)
    elif name in ("newacronym", "newabbreviation") and len(arguments) >= 3:
        entry = _entry(arguments[-3][0], *arguments[-2], arguments[-1][0])
    elif name == "nomenclature" and len(arguments) >= 2:
        (short, at), (words, _) = arguments[-2:]
        entry = _entry(short, short, at, long_form_of(plain(short), plain(words)))
    elif name not in ("newacronym", "newabbreviation") and len(arguments) >= 2:
        label = arguments[0][0]
        entry = _entry(
            label, *(arguments[1] if len(arguments) > 2 else arguments[0]), arguments[-1][0]
        )
        if entry and name.endswith("plural"):
            plural = entry.short if len(arguments) > 2 else f"{entry.short}s"
            entry = entry._replace(short=plural, is_plural=True)
    else:
        entry = None
    return entry if entry and entry.short and entry.long_form else None


def _entry_by_keys(arguments: Sequence[tuple[str, int]]) -> Entry | None:
    if len(arguments) < 2:
        return None
    (label, _), (text, start) = arguments[:2]
    keys = dict(_keys(text))
    short, at = keys.get("short") or keys.get("name") or ("", 0)
    described = arguments[2][0] if len(arguments) > 2 else ""
    long_form = next((keys[key][0] for key in ("long", "description") if key in keys), described)
    return _entry(label, short, start + at, long_form)


def _entry(label: str, short: str, at: int, long_form: str) -> Entry:
    name = plain(short)
    within = short.find(name)
    return Entry(label.strip(), name, plain(long_form), at + max(0, within))


def _keys(text: str) -> Iterator[tuple[str, tuple[str, int]]]:
    """Yield the keys of an argument such as ``short=QSB, long={Quarry Safety Board}``.

    Each key is yielded with its value and the value's offset.
    """
    start, depth = 0, 0
    for sign in [*_ESCAPE.finditer(text), None]:
        if sign and sign[0] in "{}":
            depth += 1 if sign[0] == "{" else -1
        if sign is None or (sign[0] == "," and depth == 0):
            part = text[start : sign.start() if sign else len(text)]
            key, _, value = part.partition("=")
            lead = len(part) - len(value.lstrip())
            yield plain(key), (value.strip(), start + lead)
            start = sign.end() if sign else len(text)


def content_of(node: Any) -> tuple[str, int] | None:
    """Return the LaTeX source inside the braces or brackets of a group, and its offset.

    Args:
        node: A node that pylatexenc parsed.

    Returns:
        The source and its offset in the file, or None if the node is not a group.
    """
    if type(node).__name__ != "LatexGroupNode":
        return None
    text = node.latex_verbatim()[1:-1]
    return text, node.pos + 1


def plain(latex: str) -> str:
    r"""Convert LaTeX source to plain text, such as ``Universit\"at`` to ``Universität``.

    Formulas are converted to characters as far as possible, and white space is joined.

    Args:
        latex: The LaTeX source.
    """
    if re.search(r"[\\{}$~%]", latex):
        latex = _to_text().latex_to_text(latex, latex_context=_parser_context())
    return " ".join(latex.split())


@lru_cache(1)
def _to_text() -> Any:
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    context = get_default_latex_context_db()
    notes = [MacroTextSpec(name, "") for name in _NO_WORDS]
    styles = [MacroTextSpec(name, f"%({len(taken)})s") for name, taken in _STYLES.items()]
    context.add_context_category("notes", macros=[*notes, *styles], prepend=True)
    return LatexNodes2Text(latex_context=context)


@lru_cache(1)
def _parser_context() -> Any:
    from pylatexenc.latexwalker import get_default_latex_context_db
    from pylatexenc.macrospec import MacroSpec

    context = get_default_latex_context_db()
    taken = ("nomunit", "nomeqref", "nomrefpage", "thanks", "acroextra")
    taking = [*(MacroSpec(name, "{") for name in taken), *map(MacroSpec, _STYLES, _STYLES.values())]
    context.add_context_category("notes", macros=taking, prepend=True)
    return context


def written_by(node: Any) -> str:
    r"""Return the characters that a LaTeX macro displays, such as ``ß`` for ``\ss``.

    Args:
        node: The macro with its arguments, as parsed by pylatexenc.

    Returns:
        The characters. The string is empty if the macro isn't an accent or a single character.
    """
    name = node.macroname
    if len(name) == 1 and (not name.isalpha() or name in "bcdHkrtuv"):
        return str(_to_text().nodelist_to_text([node]))
    spec = _to_text().latex_context.get_macro_spec(name)
    written = getattr(spec, "simplify_repl", None)
    return written if isinstance(written, str) and len(written) == 1 else ""
