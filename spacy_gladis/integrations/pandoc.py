"""A filter for Pandoc, Quarto and R Markdown that expands, marks up and lists acronyms."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from html import escape, unescape
from typing import Any

import panflute as pf
from spacy.tokens import Doc

from ..documents.builder import TextBuilder
from ..errors import InputError, check_names
from ..output.expansion import Expand, expanded, expansions
from ..output.glossary import Glossary
from ..output.glossary_formats import to_newacronym, with_labels
from ..output.shorthand import is_shorthand
from ..pipeline.annotate import with_marked
from ..pipeline.annotations import mentions_of
from ..pipeline.load import load_pipeline
from ..text import base_form

KEY = "spacy-gladis"
Entries = Mapping[str, tuple[str, str, str]]  # label, acronym and long form in LaTeX, by base form
_CHOICES = {"expand": "first none", "markup": "abbr gls none", "list": "true false"}
_FORMATS = {"abbr": "html|epub|mark|gfm|json|native|slid|s5|reveal", "gls": "latex|beamer"}
_SKIPPED = (pf.Cite, pf.Code, pf.CodeBlock, pf.Math, pf.RawBlock)
_PARTS = ("caption", "term", "head", "content", "definitions", "foot")
_QUOTES = {"DoubleQuote": "\u201c\u201d", "SingleQuote": "\u2018\u2019"}
_ABBR = re.compile(r"<abbr\b[^<>]*\btitle=([\"'])(.+?)\1")
_PACKAGE = "\\usepackage[acronym]{glossaries}\n\\makenoidxglossaries\n"
_PRINTED = r"{\renewcommand*{\glossarysection}[2][]{}%s\printnoidxglossary[type=\acronymtype]}"


def _read_settings(document: pf.Doc) -> dict[str, Any]:
    """Return the settings in the metadata of a document.

    `linking` has the arguments of `load_pipeline`.
    """
    keys = [key for key in document.metadata.content if key.replace("_", "-").startswith(KEY)]
    check_names("metadata key", keys, [KEY])
    given = document.get_metadata(KEY, {})
    if not isinstance(given, dict):
        raise InputError(f"{KEY} must have settings, such as 'expand: first', got {given!r}.")
    check_names(f"setting of {KEY}", given, [*_CHOICES, "min-probability", "field", "user-list"])
    values = {
        name: " ".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in given.items()
    }
    settings = {name: values.get(name, "").lower().split() for name in _CHOICES}
    for name, choices in _CHOICES.items():
        check_names(f"value of {KEY}: {name}", settings[name], choices.split())
    probability = values.get("min-probability", "0.9")
    if not re.fullmatch(r"0?\.\d+|0|1(\.0+)?", probability):
        raise InputError(f"{KEY}: min-probability must be from 0 to 1, got {probability!r}.")
    is_english = str(document.get_metadata("lang", "en")).lower().startswith("en")
    linking = {"language": "en" if is_english else "xx", "field": values.get("field")}
    overlay = [values["user-list"]] if "user-list" in values else None
    return {**settings, "linking": {**linking, "overlay": overlay, "threshold": float(probability)}}


class _Prose:
    """The text of a Pandoc document without code, with the elements that the text comes from."""

    def __init__(self, document: pf.Doc, frozen: tuple[type[pf.Element], ...]) -> None:
        self.div: pf.Div | None = None  # receives the list of acronyms
        self._frozen = frozen
        self._leaves: list[tuple[pf.Element, bool]] = []  # element, and whether it can be changed
        self._notes: list[tuple[str, pf.Note]] = []
        self._abbr = ""  # title of the open `<abbr>`
        self._builder = TextBuilder("")
        self._read(document, True)
        self.source = self._builder.source("pandoc")
        self._starts = [segment.start for segment in self.source.segments]

    def _read(self, element: pf.Element, is_editable: bool) -> None:
        """Add the text of an element.

        The text of a footnote follows the block that refers to it.
        """
        is_editable = is_editable and not isinstance(element, self._frozen)
        name = getattr(element, "identifier", "")
        is_address = isinstance(element, pf.Link) and pf.stringify(element) == element.url
        if not isinstance(element, pf.Inline) or isinstance(element, pf.LineBreak):
            self._builder.glue("\n")
        if isinstance(element, pf.Str | pf.Space | pf.SoftBreak):
            text, number = getattr(element, "text", " "), len(self._leaves)
            self._builder.replace(text, number, number)
            self._builder.define(text, self._abbr, number)
            self._leaves.append((element, is_editable and not self._abbr))
        elif isinstance(element, pf.RawInline):
            if (title := _ABBR.match(element.text)) or element.text == "</abbr>":
                self._abbr = unescape(title[2]) if title else ""
        elif isinstance(element, pf.Note):
            self._notes.append((str(len(self._leaves)), element))
            self._builder.mark(self._notes[-1][0])
        elif isinstance(element, _SKIPPED) or name == "refs" or is_address:
            self._builder.glue("" if self._builder.tail.endswith(" ") else " ")
        else:
            if name == "acronyms" and isinstance(element, pf.Div):
                self.div, is_editable = element, False
            quotes = _QUOTES[element.quote_type] if isinstance(element, pf.Quoted) else ""
            self._builder.glue(quotes[:1])
            for key in _PARTS:
                part = getattr(element, key, None) or ()
                for child in [part] if isinstance(part, pf.Element) else part:
                    self._read(child, is_editable)
            self._builder.glue(quotes[1:])
        if isinstance(element, pf.Block):
            self._builder.glue("\n\n")
            notes, self._notes = self._notes, []
            for label, note in notes:
                start = self._builder.end
                for block in note.content:
                    self._read(block, is_editable)
                self._builder.note(label, start)

    def _leaves_at(self, start: int, end: int) -> list[tuple[int, pf.Element, bool]]:
        """Return the elements of a range of the text, with the offsets at which they start."""
        first, last = (bisect_right(self._starts, offset) for offset in (start, end - 1))
        segments = self.source.segments[first - 1 : last]
        return [(segment.start, *self._leaves[segment.original]) for segment in segments]

    def is_kept(self, start: int, end: int) -> bool:
        """Return whether a range of the text can't be replaced, and therefore has to stay."""
        leaves = self._leaves_at(start, end)
        begin, first, last = leaves[0][0], leaves[0][1], leaves[-1][1]
        text = "".join(getattr(leaf, "text", " ") for _, leaf, _ in leaves)
        is_run = first.container is last.container and last.index - first.index == len(leaves) - 1
        is_whole = text.startswith(self.source.text[begin:end])
        return not (is_run and is_whole and all(is_editable for *_, is_editable in leaves))

    def replace(self, start: int, end: int, inlines: list[pf.Inline]) -> None:
        """Replace a range of the text in the document.

        Ranges must be replaced from last to first.
        """
        leaves = self._leaves_at(start, end)
        (begin, first, _), (last_begin, last, _) = leaves[0], leaves[-1]
        rest = _inlines(getattr(last, "text", " ")[end - last_begin :])
        first.text = first.text[: start - begin]
        first.container[first.index + bool(first.text) : first.index + len(leaves)] = inlines + rest


def apply_filter(document: pf.Doc, format: str) -> None:
    """Expand, mark up and list the acronyms of a Pandoc document.

    The metadata of the document selects what is done. Its key is ``spacy-gladis``.

    Args:
        document: Document that Pandoc has parsed. It is changed in place.
        format: Output format, as Pandoc names it, such as ``html`` or ``docx``.

    Raises:
        InputError: If a setting in the metadata is invalid, or the user's list can't be read.
    """
    settings = _read_settings(document)
    possible = [name for name, formats in _FORMATS.items() if re.search(formats, format)]
    settings["markup"] = [name for name in settings["markup"] if name in possible]
    in_gls = "gls" in settings["markup"]
    prose = _Prose(document, (pf.Header, pf.Image, *([pf.Link] if in_gls else [])))
    doc = with_marked(load_pipeline(**settings["linking"])(prose.source.text), prose.source)
    glossary = Glossary()
    glossary.add("document", doc)
    entries = {base_form(row[1]): row for row in with_labels(glossary)} if in_gls else {}
    for edit in reversed(list(_edits(doc, prose, settings, entries))):
        prose.replace(*edit)
    if prose.div if not settings["list"] else settings["list"] == ["true"]:
        _add_list(document, prose.div, glossary, entries)
    if entries:
        header = document.metadata.content.get("header-includes", pf.MetaList())
        before = header.content if isinstance(header, pf.MetaList) else [header]
        lines = pf.MetaBlocks(pf.RawBlock(_PACKAGE + to_newacronym(glossary), "latex"))
        document.metadata["header-includes"] = pf.MetaList(*before, lines)


def _edits(
    doc: Doc, prose: _Prose, settings: Mapping[str, Any], entries: Entries
) -> Iterator[tuple[int, int, list[pf.Inline]]]:
    """Yield the replacements in a document, as start, end and new elements.

    Acronyms that the document defines anywhere are not expanded.
    """
    answers = [answer for *_, answer in mentions_of(doc) if answer.source == "definition"]
    defined = {(base_form(answer.acronym), answer.kb_id) for answer in answers}
    mentions = {place[0]: place for place in expanded(doc, Expand.all, prose.is_kept)}
    edits = {start: (end, doc.text[start:end]) for start, end, _ in mentions.values()}
    if settings["expand"] != ["none"]:
        for start, end, text in expansions(doc, Expand.first, prose.is_kept, defined):
            edits[start] = end, text
    for start, (end, text) in sorted(edits.items()):
        words, gap, rest = text.rpartition(" (")
        acronym, close, stop = rest.rpartition(")") if gap else (text, "", "")
        inlines = _inlines(acronym)
        if start in mentions and "abbr" in settings["markup"]:
            title = escape(mentions[start][2].kb_id)
            inlines = [pf.RawInline(f'<abbr title="{title}">'), *inlines, pf.RawInline("</abbr>")]
        label, *entry = entries.get(base_form(acronym), ("",))
        if start in mentions and entry == [acronym, mentions[start][2].long_form]:
            is_entire = [acronym, words] == entry
            inlines = [pf.RawInline(f"\\{'gls' if is_entire else 'acrshort'}{{{label}}}", "latex")]
            words, gap, close = ("", "", "") if is_entire else (words, gap, close)
        yield start, end, [*_inlines(words + gap), *inlines, *_inlines(close + stop)]


def _add_list(document: pf.Doc, div: pf.Div | None, glossary: Glossary, entries: Entries) -> None:
    """Add the list of acronyms to its div, or to the end of a document without such a div.

    A div that already contains more than paragraphs stays unchanged.
    """
    rows = {
        entry.acronym: [
            pf.Definition(pf.Plain(*_inlines(meaning.long_form)))
            for meaning in entry.meanings
            if meaning.long_form and not is_shorthand(meaning.example)
        ]
        for entry in glossary.entries()
    }
    items = [pf.DefinitionItem(_inlines(name), row) for name, row in rows.items() if row]
    if not items or (div and not all(isinstance(block, pf.Para) for block in div.content)):
        return
    if div is None:
        title = pf.Header(pf.Str("Acronyms"), identifier="list-of-acronyms", classes=["unnumbered"])
        document.content.extend([title, div := pf.Div(identifier="acronyms")])
    uses = [f"\\glsadd{{{entries[base_form(name)][0]}}}" for name in rows if rows[name] and entries]
    printed = pf.RawBlock(_PRINTED % "".join(uses), "latex")
    div.content.append(printed if uses else pf.DefinitionList(*items))


def _inlines(text: str) -> list[pf.Inline]:
    return [pf.Space() if part == " " else pf.Str(part) for part in re.findall(" |[^ ]+", text)]
