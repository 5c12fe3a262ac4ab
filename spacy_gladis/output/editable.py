"""Texts in which words can be replaced without changing any other part of their markup."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from ..text import Offsets
from .drawn import Drawn
from .markup import Edit, apply_edits

_LOOK_BACK = 200
_ARGUMENT = {
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
"""Markup whose argument follows, such as the key of a glossary entry or an abbreviation."""

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
    """A text in an editable format, in which ranges can be replaced.

    Attributes:
        text: The text of the file, in its own format.
        format: The format, one of `EDITABLE`.
    """

    def __init__(self, text: str, format: str) -> None:
        """Prepare a text for replacements.

        Args:
            text: A file's text in its own format.
            format: The format, one of `EDITABLE`.
        """
        self.text, self.format = text, format
        self._argument = _ARGUMENT.get(format)
        self._fixed: Sequence[Offsets] = ()  # sorted ranges that must stay, set by subclasses

    def can_replace(self, start: int, end: int) -> bool:
        r"""Return whether a range of text can be replaced without breaking the markup.

        Args:
            start: Character offset at which the range starts.
            end: Character offset at which the range ends.

        Returns:
            False if the range is an argument of markup that looks it up or explains it, such as
            ``\ac{NN}``, ``<abbr>NN</abbr>`` or the text of a role, or if other parts of the text
            depend on it.
        """
        if _overlaps(self._fixed, start, end):
            return False
        before = self.text[max(0, start - _LOOK_BACK) : start]
        return not (self._argument and self._argument.search(before))

    def replaced(self, edits: Iterable[Edit]) -> str:
        """Return the text with the edits applied, except edits that overlap an earlier one.

        Args:
            edits: The edits.

        Returns:
            The changed text.
        """
        return apply_edits(self.text, edits)


class EditableMarkdown(EditableText):
    """A Markdown text, in which links can depend on the text of labels and headings."""

    def __init__(self, text: str, format: str) -> None:
        """Find the links in the text, and the headings that they lead to.

        Args:
            text: A file's text in its own format.
            format: The format.
        """
        super().__init__(text, format)
        anchors = set(_ANCHOR.findall(text))
        headings = _HEADING.finditer(text) if anchors else ()
        self._fixed = [
            heading.span()
            for heading in headings
            if _slug((heading[1] or heading[2]).rstrip(" \t#")) in anchors
        ]

    def can_replace(self, start: int, end: int) -> bool:
        """Return whether a range of text can be replaced without breaking links.

        Args:
            start: Character offset at which the range starts.
            end: Character offset at which the range ends.

        Returns:
            True if the range isn't in a label, such as ``[NN]`` or ``[an NN][]``, nor in a heading
            that a link leads to.
        """
        opening = _LABEL_BEGINS.search(self.text, max(0, start - _LOOK_BACK), start)
        label = opening and _LABEL_ENDS.match(self.text, end)
        return not label and super().can_replace(start, end)


class EditableAsciidoc(EditableText):
    """An AsciiDoc text, in which references can depend on titles, and titles can be underlined."""

    def __init__(self, text: str, format: str) -> None:
        """Find the titles that references may use or that are underlined.

        Args:
            text: A file's text in its own format.
            format: The format.
        """
        super().__init__(text, format)
        has_references = _ASCIIDOC_REFERENCE.search(text)
        self._fixed = [
            title.span()
            for title in _ASCIIDOC_TITLE.finditer(text)
            if has_references or not title[0].startswith("=")
        ]


class EditableRestructuredText(EditableText):
    """A reStructuredText file, with references that depend on texts, and drawn tables."""

    def __init__(self, text: str, format: str) -> None:
        """Find the references, and the titles and tables that are drawn with characters.

        Args:
            text: A file's text in its own format.
            format: The format.
        """
        super().__init__(text, format)
        self._drawn = Drawn(text)
        references = [match for match in _REFERENCE.finditer(text) if match.lastgroup]
        names = {_name(match["name"] or match["word"]) for match in references}
        named = [*self._drawn.titles, *(match.span("name") for match in _TARGET.finditer(text))]
        referenced = (place for place in named if _name(text[slice(*place)]) in names)
        cells = _COMMA_SEPARATED.finditer(text)  # a long form may contain the separator
        self._fixed = sorted([*(match.span() for match in [*references, *cells]), *referenced])

    def can_replace(self, start: int, end: int) -> bool:
        """Return whether a range of text can be replaced without breaking links.

        Args:
            start: Character offset at which the range starts.
            end: Character offset at which the range ends.

        Returns:
            True if no reference names the range, and the title line or table around it can be
            widened.
        """
        return super().can_replace(start, end) and self._drawn.can_grow(start, end)

    def replaced(self, edits: Iterable[Edit]) -> str:
        """Return the text with the edits applied.

        Lines around titles, and the cells of tables, are widened where necessary.

        Args:
            edits: The edits.

        Returns:
            The changed text.
        """
        return super().replaced(self._drawn.grow(list(edits)))


def editable(text: str, format: str) -> EditableText:
    """Create an editable text of the class for its format.

    Args:
        text: A file's text in its own format.
        format: The format, one of `EDITABLE`.

    Returns:
        The editable text.
    """
    kinds = {
        "markdown": EditableMarkdown,
        "restructuredtext": EditableRestructuredText,
        "asciidoc": EditableAsciidoc,
    }
    return kinds.get(format, EditableText)(text, format)


def _slug(heading: str) -> str:
    """Return the anchor of a heading, derived as GitHub and most tools do."""
    return _NO_SLUG.sub("", heading.lower()).replace(" ", "-")


def _name(text: str) -> str:
    """Return the name of a reference, normalized to ignore case and white space."""
    return " ".join(text.lower().split())


def _overlaps(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Return whether a range overlaps any of the given sorted spans."""
    before = bisect_left(spans, (end,))
    return before > 0 and spans[before - 1][1] > start
