"""Texts whose words can be replaced in their own format without changing anything else."""

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
"""Markup before text that is its argument, such as a glossary's key or an abbreviation."""

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
    """A text in an editable format, with words that can be replaced.

    Attributes:
        text: The argument of the same name.
        format: The argument of the same name.
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
        r"""Return whether a range of text can be replaced.

        Args:
            start: The start of the range.
            end: The end of the range.

        Returns:
            Whether the range isn't the argument of markup that looks it up or explains it, such as
            ``\ac{NN}``, ``<abbr>NN</abbr>`` or the text of a role, and nothing else depends on it.
        """
        if _overlaps(self._fixed, start, end):
            return False
        before = self.text[max(0, start - _LOOK_BACK) : start]
        return not (self._argument and self._argument.search(before))

    def replaced(self, edits: Iterable[Edit]) -> str:
        """Return the text with edits, except those that overlap an earlier one.

        Args:
            edits: The edits.

        Returns:
            The changed text.
        """
        return apply_edits(self.text, edits)


class EditableMarkdown(EditableText):
    """Markdown, in which links can depend on the text of labels and headings."""

    def __init__(self, text: str, format: str) -> None:
        """Find the links and their targets.

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
        """Return whether a range of text can be replaced.

        Args:
            start: The start of the range.
            end: The end of the range.

        Returns:
            Whether the range is text outside labels, such as ``[NN]`` and ``[an NN][]``, and
            outside headings that a link leads to.
        """
        opening = _LABEL_BEGINS.search(self.text, max(0, start - _LOOK_BACK), start)
        label = opening and _LABEL_ENDS.match(self.text, end)
        return not label and super().can_replace(start, end)


class EditableAsciidoc(EditableText):
    """AsciiDoc, in which references can depend on titles, and titles can be underlined."""

    def __init__(self, text: str, format: str) -> None:
        """Find the references, and the titles with underlines.

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
    """reStructuredText, with references that depend on texts, and drawn titles and tables."""

    def __init__(self, text: str, format: str) -> None:
        """Find the references, and the drawn titles and tables.

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
        """Return whether a range of text can be replaced.

        Args:
            start: The start of the range.
            end: The end of the range.

        Returns:
            Whether the range is text that no reference names, and what is drawn around it can grow.
        """
        return super().can_replace(start, end) and self._drawn.can_grow(start, end)

    def replaced(self, edits: Iterable[Edit]) -> str:
        """Return the text with edits, and with longer lines around titles and cells as necessary.

        Args:
            edits: The edits.

        Returns:
            The changed text.
        """
        return super().replaced(self._drawn.grow(list(edits)))


def editable(text: str, format: str) -> EditableText:
    """Create the editable text of a format.

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
    """Return the anchor of a heading as GitHub and most tools derive it."""
    return _NO_SLUG.sub("", heading.lower()).replace(" ", "-")


def _name(text: str) -> str:
    """Return the normalized name of a reference, which ignores case and white space."""
    return " ".join(text.lower().split())


def _overlaps(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Return whether a range overlaps one of some sorted spans."""
    before = bisect_left(spans, (end,))
    return before > 0 and spans[before - 1][1] > start
