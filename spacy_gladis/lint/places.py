"""Where in a document something stands: in a sentence, a title, a table, a reference."""

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from .apart import Spans, contents, members, quotations
from .closed import closed_spans, within
from .defined import Defined, Use
from .headings import (
    Sections,
    abstracts,
    changes,
    glossaries,
    is_heading,
    legal,
    literature,
    looked_up,
)
from .reading import is_program
from .references import in_citation, names_reference
from .tables import table_spans
from .words import Words

_TITLE = 80  # characters at most
_ITEM_BEGINS = re.compile(
    r"[ \t\">]*(?:(?:[-*+]+|\d+[.)])[ \t]+\W*|\\item\b\W*|"
    r"(?:\\item\b[ \t]*)?(?:\{\\bf|\\textbf\{|\*\*|__)\s*)"
)
_SENTENCE = 160  # characters on either side
_WORDS = 2  # in small letters, of a sentence
_SMALL_WORD = re.compile(r"(?<![\w./-])[a-z]{2,}(?![\w/-])")
_LEGAL = re.compile(r"\bLicen[cs]e\b|\bGrants?\b|\bCopyright\b|\u00a9")
_ENTRY = re.compile(r"\W*[:=\u2013\u2014]\W*|[ \t]*\n[ \t]*")
_COLUMN = re.compile(r"[ \t]{2,}")
_LABEL = 3  # words at most
_CELL = 40  # characters of blanks and markup before a word in a cell
_CELL_BEGINS = re.compile(r"(?<!\\)[&|][ \t]*(?:\\[a-z]+|[`*{])*[ \t]*$")
_CELL_ENDS = re.compile(r"[`*} \t]*(?:[&|]|\\\\)")
_UNMARKED = frozenset({"text", "latex", "pdf"})
_UNTITLED = frozenset({"text", "pdf", "docx", "jsonl"})
_SUMMARY = 1_500  # characters
_LONG = 10_000  # characters of a text


class Places(Words):
    """An annotated document's text, place by place; `at` is an offset of the text."""

    def in_program(self, at: int) -> bool:
        """Whether an offset of the text lies in a line of a program, in formats that do not tell
        programs from text or leave it to macros."""
        return self.source.format in _UNMARKED and is_program(self.text, at)

    def in_reference(self, at: int) -> bool:
        """Whether an offset of the text lies in a reference to literature, whose words are not
        the writer's own."""
        starts, references = self._paragraphs
        original = self.source.original_offset(at)
        listed = references[bisect_right(starts, at) - 1] or self._literature.has(original)
        return listed or in_citation(self.source, original)

    @cached_property
    def _paragraphs(self) -> tuple[list[int], list[bool]]:
        """Where each begins, and whether it is a reference."""
        paragraphs = self.text.split("\n\n")
        starts = accumulate((len(one) + 2 for one in paragraphs), initial=0)
        return list(starts)[:-1], [names_reference(one) for one in paragraphs]

    def in_one_paragraph(self, at: int, other: int) -> bool:
        """Whether two offsets of the text lie in one paragraph."""
        starts, _ = self._paragraphs
        return bisect_right(starts, at) == bisect_right(starts, other)

    def in_summary(self, at: int) -> bool:
        """Whether an offset of the text lies in what opens a long text without marked titles, as
        an abstract does."""
        untitled = self.source.format in _UNTITLED
        return untitled and at < _SUMMARY and len(self.text) >= _LONG

    def in_title(self, at: int) -> bool:
        """Whether an offset of the text lies in a title: by its markup, in a table of contents, or
        a short paragraph that ends in no sign, or labels what follows."""
        original = self.source.original_offset(at)
        if is_heading(self.source, original) or self.contents.has(original):
            return True
        before = self.text[max(0, at - _TITLE) : at].rpartition("\n\n")
        line = before[2] + self.text[at : at + _TITLE].partition("\n\n")[0]
        begins = bool(before[1]) or at <= _TITLE
        label = line[-1:] == ":" and len(line.split()) <= _LABEL
        ends = label or line[-1:] not in ".:;!,"
        return begins and len(line) <= _TITLE and "\n" not in line and ends

    def in_sentence(self, at: int) -> bool:
        """Whether an offset of the text stands among words in small letters, and in no row of a
        table."""
        original = self.source.original_offset(at)
        line = self.source.source[self.source.source.rfind("\n", 0, original) + 1 : original]
        start = self.text.rfind("\n\n", max(0, at - _SENTENCE), at)
        before = self.text[start if start >= 0 else max(0, at - _SENTENCE) : at]
        after = self.text[at : at + _SENTENCE].partition("\n\n")[0]
        row = line.lstrip(' \t"').startswith("|")
        return not row and len(_SMALL_WORD.findall(before + after)) >= _WORDS

    def in_glossary(self, at: int) -> bool:
        """Whether an offset of the original lies in a section or a file that is a glossary."""
        return self._glossaries.has(at)

    @cached_property
    def contents(self) -> Spans:
        """A page's tables of contents in the original."""
        return contents(self.source)

    def in_closed(self, at: int) -> bool:
        """Whether an offset of the original lies in a title or a link's text, in HTML and LaTeX."""
        return within(closed_spans(self.source.source, self.source.format), at)

    @cached_property
    def members(self) -> Spans:
        """A page's descriptions of functions and classes in the original."""
        return members(self.source)

    @cached_property
    def quotations(self) -> Spans:
        """What the text has between quotation marks."""
        return quotations(self.text)

    @cached_property
    def _glossaries(self) -> Sections:
        return glossaries(self.source)

    @cached_property
    def changes(self) -> Sections:
        """The sections that list changes."""
        return changes(self.source)

    @cached_property
    def _literature(self) -> Sections:
        return literature(self.source)

    @cached_property
    def _legal(self) -> Sections:
        return legal(self.source)

    @cached_property
    def abstracts(self) -> Sections:
        """The abstract."""
        return abstracts(self.source)

    @cached_property
    def looked_up(self) -> Sections:
        """The sections that describe an option or a function, or answer a list of questions; all of
        a manual page."""
        return looked_up(self.source)

    def is_entry(self, one: Defined) -> bool:
        """Whether a definition is an entry of a list, as in "* **EU**: European Union", or where
        the long form stands in a column or a line of its own."""
        if one.acronym_at is None or one.long_form_at is None:
            return False
        original = self.source.source
        line = original[original.rfind("\n", 0, one.offset) + 1 : one.offset]
        between = self.text[one.acronym_at[1] : one.long_form_at[0]]
        begins = not any(map(str.isalnum, line)) and _ENTRY.fullmatch(between)
        return bool(begins or _COLUMN.fullmatch(between))

    def in_table(self, one: Defined) -> bool:
        """Whether a definition stands in a table: drawn with `|`, as lists of acronyms are, or by
        its markup."""
        original = self.source.source
        if within(table_spans(original, self.source.format), one.offset):
            return True
        line = original.rfind("\n", 0, one.offset) + 1
        return original[line : one.offset].lstrip(' \t"').startswith("|")

    def begins_item(self, one: Defined) -> bool:
        """Whether a definition begins an item of a list or, in bold, a paragraph."""
        begins = min(one.long_form_at or (0, 0), one.acronym_at or (0, 0))[0]
        start = self.source.original_offset(begins)
        line = self.source.source.rfind("\n", 0, start) + 1
        return bool(_ITEM_BEGINS.fullmatch(self.source.source, line, start))

    def is_legal(self, one: Defined) -> bool:
        """Whether a definition is of a licence, of thanks, a grant or an owner of rights."""
        if self._legal.has(one.offset):
            return True
        start = self.source.original_offset(one.long_form_at[0]) if one.long_form_at else one.offset
        first = max(0, start - _TITLE)
        line = max(first, self.source.source.rfind("\n", first, start) + 1)
        return bool(
            _LEGAL.search(self.source.source[line : one.offset + _TITLE].partition("\n\n")[0])
        )

    def is_cell(self, use: Use) -> bool:
        """Whether a use fills a cell of a table alone, as codes, types and names of columns do."""
        original, start = self.source.source, self.source.original_offset(use.start)
        end = self.source.original_offset(use.end - 1) + 1
        before = _CELL_BEGINS.search(original, max(0, start - _CELL), start)
        return bool(before and _CELL_ENDS.match(original, end))
