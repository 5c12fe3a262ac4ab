"""Texts whose words may be replaced in their own format, so far as nothing else changes."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from .drawn import Drawn
from .markup import Edit, apply_edits

_LOOK_BACK = 200
_OWN_ARGUMENT = {
    "latex": re.compile(
        r"\\(?:i?ac|[cdmpr]?gls|newac|newgloss|declareac)[a-z]*\*?(?:\s*\[[^\[\]]*\]|\s*\{[^{}]*\})*\s*\{[^{}]*$",
        re.IGNORECASE,
    ),
    "html": re.compile(r"<(?:abbr|acronym|dfn)\b[^<>]*>[^<]*$", re.IGNORECASE),
    "markdown": re.compile(
        r"<(?:abbr|acronym|dfn)\b[^<>]*>[^<]*$|\{[\w:+-]+\}`[^`]*$|^\*\[[^\]\n]*$",
        re.IGNORECASE | re.MULTILINE,
    ),
    "restructuredtext": re.compile(r"(?<![\w:+-]):[\w:+-]+:`[^`]*$|^\.\. _[^:\n]*$", re.MULTILINE),
}
"""What stands before a text that markup takes as an argument: a glossary's key, an abbreviation."""

_LABEL_BEGINS = re.compile(r"\[[^\[\]]*\Z")
_LABEL_ENDS = re.compile(r"[^\[\]]*\](?!\(|\[[^\]])")
_ANCHOR = re.compile(r"(?:\]\(|href=[\"'])#([^)\"'\s]+)")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(\S.*)$|^(\S.*)\n {0,3}(?:=+|-+)[ \t]*$", re.MULTILINE)
_NO_SLUG = re.compile(r"[^\w\- ]")
_REFERENCE = re.compile(
    r"``.+?``|(?<![\w:])`(?P<name>[^`<]+)`__?(?!\w)"
    r"|(?<![\w`:.+-])(?P<word>[^\W_](?:[\w.+-]*[^\W_])?)__?(?!\w)",
    re.DOTALL,
)
_COMMA_SEPARATED = re.compile(
    r"^([ \t]*)\.\.[ \t]+csv-table::.*(?:\n(?:\1[ \t]+.*|[ \t\r]*$))*", re.MULTILINE
)
_ASCIIDOC_TITLE = re.compile(
    r"^={1,6}[ \t]+\S.*$|^\S.*\n(?:={2,}|-{2,}|~{2,}|\^{2,})[ \t]*$", re.MULTILINE
)
_ASCIIDOC_REFERENCE = re.compile(r"<<|xref:")
_TARGET = re.compile(r"`(?P<name>[^`<\s](?:[^`<]{0,300}[^`<\s])?)\s*<[^`<>]*>`_(?!_)")


class EditableText:
    """A text in one of the editable formats, with words that may be replaced.

    Args:
        text: A file's text in its own format.
        format: Its format.
    """

    def __init__(self, text: str, format: str) -> None:
        self.text, self.format = text, format
        self._own_argument = _OWN_ARGUMENT.get(format)

    def can_replace(self, start: int, end: int) -> bool:
        r"""Whether these words are text: not what markup looks up or explains itself, such as
        ``\ac{NN}``, ``<abbr>NN</abbr>``, a role's text or a link's label."""
        before = self.text[max(0, start - _LOOK_BACK) : start]
        return not (self._own_argument and self._own_argument.search(before))

    def replaced(self, edits: Iterable[Edit]) -> str:
        """The text with every edit made, but for those that overlap an earlier one."""
        return apply_edits(self.text, edits)


class EditableMarkdown(EditableText):
    """Markdown, in which links and headings may be found by their text."""

    def __init__(self, text: str, format: str) -> None:
        super().__init__(text, format)
        anchors = set(_ANCHOR.findall(text))
        headings = _HEADING.finditer(text) if anchors else ()
        self._named = [
            one.span() for one in headings if _slug((one[1] or one[2]).rstrip(" \t#")) in anchors
        ]

    def can_replace(self, start: int, end: int) -> bool:
        """Whether these words are text, in no label such as ``[NN]`` or ``[an NN][]``, and in no
        heading that a link leads to."""
        opening = _LABEL_BEGINS.search(self.text, max(0, start - _LOOK_BACK), start)
        label = opening and _LABEL_ENDS.match(self.text, end)
        return not (
            label or _overlaps(self._named, start, end) or not super().can_replace(start, end)
        )


class EditableAsciidoc(EditableText):
    """AsciiDoc, in which references find a section by its title, and a title may be underlined."""

    def __init__(self, text: str, format: str) -> None:
        super().__init__(text, format)
        has_references = _ASCIIDOC_REFERENCE.search(text)
        self._fixed = [
            title.span()
            for title in _ASCIIDOC_TITLE.finditer(text)
            if has_references or not title[0].startswith("=")
        ]

    def can_replace(self, start: int, end: int) -> bool:
        """Whether these words are outside underlined titles and titles that a reference finds."""
        return not _overlaps(self._fixed, start, end) and super().can_replace(start, end)


class EditableRestructuredText(EditableText):
    """reStructuredText, whose titles and tables are drawn around their text, and whose references
    are found by their text."""

    def __init__(self, text: str, format: str) -> None:
        super().__init__(text, format)
        self._drawn = Drawn(text)
        references = [one for one in _REFERENCE.finditer(text) if one.lastgroup]
        names = {_name(one["name"] or one["word"]) for one in references}
        titled = [*self._drawn.titles, *(one.span("name") for one in _TARGET.finditer(text))]
        found = (place for place in titled if _name(text[slice(*place)]) in names)
        cells = _COMMA_SEPARATED.finditer(text)  # where words may hold what parts them
        self._named = sorted([*(one.span() for one in [*references, *cells]), *found])

    def can_replace(self, start: int, end: int) -> bool:
        """Whether these words are text that nothing is found by, and what is drawn can grow."""
        return (
            super().can_replace(start, end)
            and not _overlaps(self._named, start, end)
            and self._drawn.can_grow(start, end)
        )

    def replaced(self, edits: Iterable[Edit]) -> str:
        """The text with every edit made, and the lines around titles and cells as long again."""
        return super().replaced(self._drawn.grown(list(edits)))


def editable(text: str, format: str) -> EditableText:
    """A text whose words may be replaced.

    Args:
        text: A file's text in its own format.
        format: One of `EDITABLE`.
    """
    kinds = {
        "markdown": EditableMarkdown,
        "restructuredtext": EditableRestructuredText,
        "asciidoc": EditableAsciidoc,
    }
    return kinds.get(format, EditableText)(text, format)


def _slug(heading: str) -> str:
    """What a heading is linked by, as GitHub and most tools make it."""
    return _NO_SLUG.sub("", heading.lower()).replace(" ", "-")


def _name(text: str) -> str:
    """A reference's name, which is equal in any case and with any white space."""
    return " ".join(text.lower().split())


def _overlaps(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a run touches one of others that are sorted by their starts."""
    before = bisect_left(spans, (end,))
    return before > 0 and spans[before - 1][1] > start
