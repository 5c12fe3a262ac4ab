"""Texts with markup in which words can be replaced without breaking the rest of the markup."""

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
"""Markup that is followed by an argument that must stay, such as the key of a glossary entry."""

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
    """The content of a file in which words can be replaced, such as acronyms by their long forms.

    Attributes:
        text: Content of the file, with its markup.
        format: Name of the file's format, which is one of `EDITABLE`.
    """

    def __init__(self, text: str, format: str) -> None:
        """Prepare the content of a file for replacements.

        Args:
            text: Content of the file, with its markup.
            format: Name of the file's format, which is one of `EDITABLE`.
        """
        self.text, self.format = text, format
        self._argument = _ARGUMENT.get(format)
        self._fixed: Sequence[Offsets] = ()  # sorted ranges that must stay, set by subclasses

    def can_replace(self, start: int, end: int) -> bool:
        r"""Return whether a range of text can be replaced without breaking the markup.

        Args:
            start: Character offset at which the range starts.
            end: Character offset at which the range ends (exclusive).

        Returns:
            False if the range is the argument of markup that looks it up or explains it, such as
            ``\ac{NN}``, ``<abbr>NN</abbr>`` or the text of a role. Also False if other parts of the
            file refer to the range.
        """
        if _overlaps(self._fixed, start, end):
            return False
        before = self.text[max(0, start - _LOOK_BACK) : start]
        return not (self._argument and self._argument.search(before))

    def replaced(self, edits: Iterable[Edit]) -> str:
        """Return the content of the file with words replaced.

        Args:
            edits: Replacements, in any order. One that overlaps an earlier range is skipped.

        Returns:
            The changed content, with its markup.
        """
        return apply_edits(self.text, edits)


class EditableMarkdown(EditableText):
    """The content of a Markdown file in which words can be replaced.

    The labels of links, and headings that links lead to, are not replaced, because the links would
    break.
    """

    def __init__(self, text: str, format: str) -> None:
        """Find the links in a Markdown file, and the headings that they lead to.

        Args:
            text: Content of the file, with its markup.
            format: Name of the format, which is ``markdown``.
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
        """Return whether a range of a Markdown file can be replaced without breaking links.

        Args:
            start: Character offset at which the range starts.
            end: Character offset at which the range ends (exclusive).

        Returns:
            False if the range is in a label such as ``[NN]`` or ``[an NN][]``, in a heading that a
            link leads to, or in an argument of markup.
        """
        opening = _LABEL_BEGINS.search(self.text, max(0, start - _LOOK_BACK), start)
        label = opening and _LABEL_ENDS.match(self.text, end)
        return not label and super().can_replace(start, end)


class EditableAsciidoc(EditableText):
    """The content of an AsciiDoc file in which words can be replaced.

    Titles with a line below them are not replaced. If the file has cross-references, no title is
    replaced, because a reference can consist of the text of a title.
    """

    def __init__(self, text: str, format: str) -> None:
        """Find the titles in an AsciiDoc file that must not be changed.

        Args:
            text: Content of the file, with its markup.
            format: Name of the format, which is ``asciidoc``.
        """
        super().__init__(text, format)
        has_references = _ASCIIDOC_REFERENCE.search(text)
        self._fixed = [
            title.span()
            for title in _ASCIIDOC_TITLE.finditer(text)
            if has_references or not title[0].startswith("=")
        ]


class EditableRestructuredText(EditableText):
    """The content of a reStructuredText file in which words can be replaced.

    Texts that a reference names are not replaced. The lines at titles and the columns of tables are
    widened to fit the new texts.
    """

    def __init__(self, text: str, format: str) -> None:
        """Find the references, titles and tables in a reStructuredText file.

        Args:
            text: Content of the file, with its markup.
            format: Name of the format, which is ``restructuredtext``.
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
        """Return whether a range of a reStructuredText file can be replaced safely.

        Args:
            start: Character offset at which the range starts.
            end: Character offset at which the range ends (exclusive).

        Returns:
            True if no reference depends on the range, and the title or table around it can be
            widened.
        """
        return super().can_replace(start, end) and self._drawn.can_grow(start, end)

    def replaced(self, edits: Iterable[Edit]) -> str:
        """Return the content of the reStructuredText file with words replaced.

        The lines at titles and the columns of tables are widened where the new texts need it.

        Args:
            edits: Replacements, in any order. One that overlaps an earlier range is skipped.

        Returns:
            The changed content, with its markup.
        """
        return super().replaced(self._drawn.grow(list(edits)))


def editable(text: str, format: str) -> EditableText:
    """Prepare the content of a file for replacements, with the class for the file's format.

    Args:
        text: Content of the file, with its markup.
        format: Name of the file's format, which is one of `EDITABLE`.

    Returns:
        An object with the methods `can_replace` and `replaced`.
    """
    kinds = {
        "markdown": EditableMarkdown,
        "restructuredtext": EditableRestructuredText,
        "asciidoc": EditableAsciidoc,
    }
    return kinds.get(format, EditableText)(text, format)


def _slug(heading: str) -> str:
    """Return the anchor of a Markdown heading, derived as GitHub and most other tools do.

    The heading "Neural nets" has the anchor "neural-nets".
    """
    return _NO_SLUG.sub("", heading.lower()).replace(" ", "-")


def _name(text: str) -> str:
    """Return the name of a reference in lower case and with single spaces, to compare names."""
    return " ".join(text.lower().split())


def _overlaps(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Return whether a range overlaps any of the given spans. The spans must be sorted."""
    before = bisect_left(spans, (end,))
    return before > 0 and spans[before - 1][1] > start
