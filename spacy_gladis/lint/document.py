"""A document as the rules see it: uses and definitions of acronyms, in order."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, compress
from typing import NamedTuple

from spacy.tokens import Doc

from ..documents.source import Source
from ..output.markup import EDITABLE
from ..pipeline.resolution import Resolution
from ..rules import base_form, merge_key
from .apart import in_contents, is_quotation
from .facts import Facts, facts_of
from .headings import Sections, changes, glossaries, is_heading, legal, literature, looked_up
from .reading import (
    Mention,
    is_acronym,
    is_meant,
    is_part,
    is_program,
    names_itself,
    small_words,
)
from .references import in_citation, in_link_text, leads_away, names_reference
from .settings import Settings
from .terms import RUN
from .wording import is_initialism, is_wording, without_kind

_INSIDE = re.compile(r"\s*[(\[]([^()\[\]\n]+)[)\]]")
_BEFORE = re.compile(r"([^()\[\]\n]+)\s[(\[]$")
_NEAR = 120  # characters before a bracket in which a long form stands
_SHORTEST_KEY = 6
_EXAMPLE = re.compile(r"\be\.\s?g\.|\bfor example\b|\bsuch as\b|\blike\b", re.IGNORECASE)
_OR = re.compile(r"\bor\s+$")  # "XYZ (one thing or another)"
_BRACKET = re.compile(r"[(\[]([^()\[\]]{1,80})[)\]]")
_ADDRESS = re.compile(r"[(\[][^()\[\]]*,")  # "the antibody (Some Maker, Palo Alto, CA)"
_OPENS = re.compile(r"[(\[]")
_MEASURE = re.compile(r"\s*[(\[][^()\[\]]*[$<>=~\d\u2264\u2265]")  # "energies (> 1 Ry)"
_ET_CETERA = re.compile(r"(?:[,;]?\s*(?:\betc\b|\.\.|\u2026)\.*)+\s*$")
_JOINED = re.compile(
    r"(?:\W|\b(?:aka|also|an?|as|called|for|is|known|means|or|short|stands|the)\b)*"
)
"""What stands between an acronym and its long form, where no bracket does."""
_AND = re.compile(r"\s*[,;/]\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+")
_ONE_OF_SEVERAL = re.compile(r"[\w-]*[A-Z][\w-]*[A-Z][\w-]*")
_VERB = re.compile(r"\b(?:is|are|was|were)\b")  # in "it is the XYZ"
_TITLE_ENDS = re.compile(r"[)\]][.,]?[\"\u201d]")  # of a quoted work
_TITLE = 80  # characters at most
# "the X (SF) Data Format", "the X (SF) Link and Load Format"
_IN_NAME = re.compile(r"[)\]][ \t\n]+[A-Z][\w-]+(?:[ \t\n]+(?:and|for|of))?[ \t\n]+[A-Z][\w-]+")
_WITH_MORE = re.compile(r"[ \t\n]+(?:and|or)\b|[^()\n]{1,20}\bonly[)\]]")  # "(SF and others only)"
_ITEM = re.compile(r"[ \t\"]*(?:[-*+]|\d+[.)])[ \t]+(?:\[.\][ \t]*)?\W*")
_ITEM_BEGINS = re.compile(
    r"[ \t\">]*(?:(?:[-*+]+|\d+[.)])[ \t]+\W*|\\item\b\W*|"
    r"(?:\\item\b[ \t]*)?(?:\{\\bf|\\textbf\{|\*\*|__)\s*)"
)
_SENTENCE = 160  # characters on either side
_WORDS = 2  # in small letters, of a sentence
_SMALL_WORD = re.compile(r"(?<![\w./-])[a-z]{2,}(?![\w/-])")
_SECOND = 30  # characters before a second name
_ALSO = re.compile(r"\balso\s+(?:called|known\s+as)\s+$", re.IGNORECASE)
_LEGAL = re.compile(r"\bLicen[cs]e\b|\bGrants?\b|\bCopyright\b|\u00a9")
_ENTRY = re.compile(r"\W*[:=\u2013\u2014]\W*|[ \t]*\n[ \t]*")
_PROGRAM_NAME = re.compile(
    r"(?<=`)[a-z]+(?=`)|(?<![\w.])[A-Za-z][A-Za-z0-9]*(?:[._][A-Za-z0-9]+)+|"
    r"(?<![\w.])[A-Za-z]+[a-z][A-Z]+\w*"
)
_NAMES = re.compile(r"\b\w*_\w+\b|\b\w*[A-Z]\w*[A-Z]\w*\b|(?<=[`/\]])[a-z]\w+(?=[`/])")
_MIXED = re.compile(r"\b[A-Z]{3,}(?!s\b)[a-z]\w*\b")
_LONG = 5  # letters: what is longer may have an acronym in it
_PART_OF_NAME = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_COLUMN = re.compile(r"[ \t]{2,}")
_LABEL = 3  # words at most
_CELL = 40  # characters of blanks and markup before a word in a cell
_CELL_BEGINS = re.compile(r"(?<!\\)[&|][ \t]*(?:\\[a-z]+|[`*{])*[ \t]*$")
_CELL_ENDS = re.compile(r"[`*} \t]*(?:[&|]|\\\\)")
_TERM_WORD = re.compile(r"[^\W_][\w-]*")
_TERM = 5  # words at most
_ACRONYM = re.compile(r"(?<![^\W_])[A-Z]\w*[A-Z]\w*")  # in a long form: it is not all of it
_NESTED = re.compile(rf"{_ACRONYM.pattern}|[a-z] the [a-z]")  # "removal of the oxygen"
_UNMARKED = frozenset({"text", "latex", "pdf"})


class Use(NamedTuple):
    """A mention that defines nothing, at `text[start:end]`; key: equal for one acronym's forms."""

    key: str
    start: int
    end: int
    answer: Resolution


class Defined(NamedTuple):
    """A definition, and where in the original its acronym stands.

    glossary: an entry of a list, which holds everywhere.
    acronym_at, long_form_at: offsets in the text; None where the format's markup defines.
    """

    key: str
    acronym: str
    long_form: str
    offset: int
    glossary: bool = False
    acronym_at: tuple[int, int] | None = None
    long_form_at: tuple[int, int] | None = None

    @property
    def sense(self) -> str:
        """Equal for spellings of one long form."""
        return merge_key(self.long_form)

    @property
    def meant(self) -> bool:
        """Whether it is meant as a definition: an entry, or likely by its letters; markup may
        also explain words."""
        capitals = sum(map(str.isupper, self.acronym)) > 1
        if self.acronym_at is None and capitals and not names_itself(self.acronym, self.long_form):
            return True
        return is_meant(self.acronym, self.long_form)

    def contradicts(self, other: "Defined") -> bool:
        """Whether both surely define the acronym, with different meanings."""
        sure = all(is_initialism(one.key, one.long_form) for one in (self, other))
        nested = any(_NESTED.search(one.long_form) for one in (self, other))
        long_forms = (without_kind(one.key, one.long_form) for one in (self, other))
        return sure and not nested and not is_wording(*long_forms)


@dataclass(frozen=True)
class LintDocument:
    """An annotated document with its source."""

    source: Source
    facts: Facts
    settings: Settings

    @classmethod
    def of(cls, source: Source, doc: Doc, settings: Settings) -> "LintDocument":
        """What is needed of a document; the Doc may go."""
        return cls(source, facts_of(doc), settings)

    @property
    def text(self) -> str:
        """The plain text."""
        return self.source.text

    @property
    def fixable(self) -> bool:
        """Whether the file's text may be changed."""
        return self.source.format in EDITABLE

    @cached_property
    def definitions(self) -> list[Defined]:
        """The document's definitions, in the file's order; one that is marked and spelled, once."""
        found = {}
        for marked in self.source.definitions:
            key = base_form(marked.acronym)
            found[key, marked.offset] = Defined(key, *marked)
        for acronym, long_form in self.facts.definitions:
            words = " ".join(self.text[slice(*long_form)].replace("*", " ").split())
            spelled = self.text[slice(*acronym)]
            offset = self.source.original_offset(acronym[0])
            key = base_form(spelled)
            found.setdefault(
                (key, offset), Defined(key, spelled, words, offset, False, acronym, long_form)
            )
        return sorted(found.values(), key=lambda one: one.offset)

    @cached_property
    def by_acronym(self) -> dict[str, list[Defined]]:
        """The definitions of each acronym that are meant as such."""
        found: dict[str, list[Defined]] = defaultdict(list)
        for one in self.meant:
            found[one.key].append(one)
        return dict(found)

    @cached_property
    def meant(self) -> list[Defined]:
        """The definitions that are meant as such, and no part of a reference or a program."""
        return [one for one in self.definitions if one.meant and self._stands_in_prose(one)]

    def _stands_in_prose(self, one: Defined) -> bool:
        if one.acronym_at is None or one.long_form_at is None:
            return True
        at = one.acronym_at[0]
        between = self._between(one)
        quoted = _TITLE_ENDS.match(self.text, one.acronym_at[1])
        aside = _OR.search(self.text, one.acronym_at[1], one.long_form_at[0])
        clause = between.isspace() and _VERB.search(one.long_form)
        if quoted or aside or clause or _EXAMPLE.search(between):
            return False
        if is_quotation(self.text, at) or _MEASURE.match(between) or self._has_formula(one):
            return False
        several = self._many[one.long_form_at] > 1 or self._is_of_list(one.acronym_at[0])
        if "_" in between or between in ("-", "=", " ") or _ADDRESS.search(between):
            return False  # of a name in the bracket, such as "NTB (CONFIG_NTB is needed)"
        if not (_OPENS.search(between) or _JOINED.fullmatch(between)):
            return False
        after = one.long_form_at < one.acronym_at
        if after and ("\n\n" in between or self._is_of_name(one.acronym_at[1])):
            return False
        if between == ", " and " " not in one.long_form:
            return False  # "San Carlos, CA"
        return not (several or self.in_reference(at) or self.in_program(at))

    def _is_of_name(self, end: int) -> bool:
        """Whether a bracket's acronym ends there that more words share, or that is part of a
        title, as in "the X (SF) Data Format" or in the text of a link."""
        original = self.source.original_offset(end - 1) + 1
        return bool(
            _IN_NAME.match(self.text, end)
            or _WITH_MORE.match(self.text, end)
            or in_link_text(self.source, original)
        )

    def _between(self, one: Defined) -> str:
        """What stands between a definition's two parts."""
        first, second = sorted((one.acronym_at or (0, 0), one.long_form_at or (0, 0)))
        return self.text[first[1] : second[0]]

    def _has_formula(self, one: Defined) -> bool:
        """Whether a formula, which the text lacks, stands between a definition's two parts."""
        first, second = sorted((one.acronym_at or (0, 0), one.long_form_at or (0, 0)))
        start = self.source.original_offset(first[1] - 1)
        return "$" in self.source.source[start : self.source.original_offset(second[0])]

    def _is_of_list(self, at: int) -> bool:
        """Whether the bracket right before an offset or a few acronyms before holds several."""
        opening = max(self.text.rfind(sign, max(0, at - _TITLE), at) for sign in "([")
        bracket = _BRACKET.match(self.text, opening) if opening >= 0 else None
        if not bracket or at >= bracket.end():
            return False
        items = _AND.split(_ET_CETERA.sub("", bracket[1]))
        more = bool(_ET_CETERA.search(bracket[1]))
        return more or (len(items) > 1 and all(map(_ONE_OF_SEVERAL.fullmatch, items)))

    @cached_property
    def _many(self) -> Counter[tuple[int, int] | None]:
        """How many acronyms each long form stands for: of several none is spelled by it."""
        return Counter(one.long_form_at for one in self.definitions)

    def in_program(self, at: int) -> bool:
        """Whether an offset of the text lies in a line of a program, in formats that do not tell
        programs from text or leave it to macros."""
        return self.source.format in _UNMARKED and is_program(self.text, at)

    @cached_property
    def explained(self) -> frozenset[str]:
        """The acronyms that the document explains in any way, be it but likely."""
        return frozenset(one.key for one in self.definitions) | {
            use.key for use in self.uses if self._is_explained(use)
        }

    def _is_explained(self, use: Use) -> bool:
        """Whether one of its likely long forms stands beside a mention, with a bracket between."""
        text, sure = self.text, self.long_form(use)
        if sure and " " in sure and sure.lower() in self._folded:
            return True
        inside = _INSIDE.match(text, use.end)
        before = _BEFORE.search(text, max(0, use.start - _NEAR), use.start)
        beside = [merge_key(found[1]) for found in (inside, before) if found]
        keys = [merge_key(long_form) for long_form, _ in use.answer.candidates]
        return any(
            words == key
            or (key in (words[: len(key)], words[-len(key) :]) and len(key) >= _SHORTEST_KEY)
            for words in beside
            for key in keys
        )

    @cached_property
    def _folded(self) -> str:
        return " ".join(self.text.lower().split())

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

    def in_long_form(self, start: int, end: int) -> bool:
        """Whether `text[start:end]` has a character of a definition's long form."""
        starts, reach = self._long_forms
        before = bisect_left(starts, end)
        return before > 0 and reach[before - 1] > start

    @cached_property
    def _long_forms(self) -> tuple[list[int], list[int]]:
        """Where each begins, in order, and how far those up to it reach."""
        spans = sorted(one.long_form_at for one in self.definitions if one.long_form_at)
        return [start for start, _ in spans], list(accumulate((end for _, end in spans), max))

    def in_title(self, at: int) -> bool:
        """Whether an offset of the text lies in a title: by its markup, in a table of contents, or
        a short paragraph that ends in no sign, or labels what follows."""
        original = self.source.original_offset(at)
        if is_heading(self.source, original) or in_contents(self.source, original):
            return True
        before = self.text[max(0, at - _TITLE) : at].rpartition("\n\n")
        line = before[2] + self.text[at : at + _TITLE].partition("\n\n")[0]
        begins = bool(before[1]) or at <= _TITLE
        label = line[-1:] == ":" and len(line.split()) <= _LABEL
        ends = label or line[-1:] not in ".:;!,"
        return begins and len(line) <= _TITLE and "\n" not in line and ends

    @cached_property
    def glossary(self) -> dict[str, Defined]:
        """The entries of the document's own glossary that are acronyms."""
        return {one.key: one for one in self.entries if one.meant}

    @cached_property
    def entries(self) -> list[Defined]:
        """The entries of the document's own glossary: by markup, or in a list or a table below a
        title that says so."""
        listed = (
            one.glossary or (titled and (self.is_entry(one) or self.in_table(one)))
            for one, titled in zip(self.definitions, self._in_glossary, strict=True)
        )
        return list(compress(self.definitions, listed))

    def in_glossary(self, at: int) -> bool:
        """Whether an offset of the original lies in a section or a file that is a glossary."""
        return self._glossaries.has(at)

    @cached_property
    def _glossaries(self) -> Sections:
        return glossaries(self.source)

    @cached_property
    def _in_glossary(self) -> list[bool]:
        """Of each definition: whether the title before it is of a glossary."""
        return [self._glossaries.has(one.offset) for one in self.definitions]

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
    def looked_up(self) -> Sections:
        """The sections that describe an option or a function."""
        return looked_up(self.source)

    def is_listed(self, acronym: str) -> bool:
        """Whether an acronym is in a short line of its own, as the terms of a glossary are, alone
        or with other words: "OBO format"."""
        return base_form(acronym).casefold() in self._terms

    @cached_property
    def _terms(self) -> frozenset[str]:
        lines = (line.strip() for line in self.source.source.splitlines())
        short = (line for line in lines if len(line.split()) <= _TERM and line[-1:] not in ".,;")
        return frozenset(word.casefold() for line in short for word in _TERM_WORD.findall(line))

    @cached_property
    def uses(self) -> list[Use]:
        """The mentions that are no definitions, in the text's order."""
        defining = {one.offset for one in self.definitions}
        found = {}
        for start, end, answer in self.facts.mentions:
            if self.source.original_offset(start) in defining:
                continue
            if self.in_long_form(start, start + 1) or self.in_program(start):
                continue
            if is_part(Mention(self.text, start, end)):
                continue
            spelled = self.text[start:end]
            known = answer or Resolution(spelled, None, 0.0, "nil")
            found[start, end] = Use(base_form(spelled), start, end, known)
        return [found[place] for place in sorted(found)]

    @cached_property
    def first_uses(self) -> dict[str, Use]:
        """The first use of each acronym, but for those that are allowed without a definition."""
        first: dict[str, Use] = {}
        for use in self.uses:
            if not self.allows(use):
                first.setdefault(use.key, use)
        return first

    def allows(self, use: Use) -> bool:
        """Whether the settings let an acronym be used without a definition."""
        return self.settings.allows(use.key, use.answer.acronym)

    def is_acronym(self, use: Use) -> bool:
        """Whether a use is surely an acronym, which its readers may want spelled out."""
        answer = use.answer
        if answer.acronym in self.settings.own:
            return True
        sure = answer.long_form if self.is_sure(answer) else None
        seen = bool(answer.candidates)
        if sure is None and self._is_cell(use):
            return False
        return is_acronym(Mention(self.text, use.start, use.end, sure, seen, self.small_words))

    def _is_cell(self, use: Use) -> bool:
        """Whether a use fills a cell of a table alone, as codes, types and names of columns do."""
        original, start = self.source.source, self.offset(use)
        end = self.source.original_offset(use.end - 1) + 1
        before = _CELL_BEGINS.search(original, max(0, start - _CELL), start)
        return bool(before and _CELL_ENDS.match(original, end))

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

    def calls_for_use(self, one: Defined) -> bool:
        """Whether a definition is there to be used after it: it is no entry of a list, no tooltip,
        comes before all uses, and explains no acronym that stands before it, and no part of a name
        such as `dcg_score` or a code with digits; titles and references call for none either."""
        listed = one.glossary or self.in_table(one) or self.is_entry(one)
        before = self._first_offsets.get(one.key, one.offset) < one.offset
        named = one.key.lower() in self._parts_of_names
        glossed = one.acronym_at is None or one.acronym_at < (one.long_form_at or (0, 0))
        cited = leads_away(self.source, one.offset) or is_heading(self.source, one.offset)
        numbered = any(map(str.isdecimal, one.key))
        written = self._first_words.get(one.key.lower(), one.offset) < one.offset
        apart = self._is_label(one) or written
        return not (listed or before or named or glossed or cited or numbered or apart)

    def _is_label(self, one: Defined) -> bool:
        """Whether a definition begins an item of a list, gives a second name, or is of a licence,
        a grant or an owner of rights."""
        if one.long_form_at is None:
            return False
        start = self.source.original_offset(one.long_form_at[0])
        line = self.source.source.rfind("\n", 0, start) + 1
        return bool(
            _ITEM.fullmatch(self.source.source, line, start)
            or _ALSO.search(self.text, max(0, one.long_form_at[0] - _SECOND), one.long_form_at[0])
            or self.is_legal(one)
        )

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

    def begins_item(self, one: Defined) -> bool:
        """Whether a definition begins an item of a list or, in bold, a paragraph."""
        begins = min(one.long_form_at or (0, 0), one.acronym_at or (0, 0))[0]
        start = self.source.original_offset(begins)
        line = self.source.source.rfind("\n", 0, start) + 1
        return bool(_ITEM_BEGINS.fullmatch(self.source.source, line, start))

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

    @cached_property
    def _first_words(self) -> dict[str, int]:
        """Where each run of letters first stands in the original, program and text alike, in
        capitals or not."""
        runs = reversed(list(RUN.finditer(self.source.source)))
        return {one[0].lower(): one.start() for one in runs}

    @cached_property
    def _parts_of_names(self) -> frozenset[str]:
        names = " ".join(_PROGRAM_NAME.findall(self.source.source))
        return frozenset(part.lower() for part in _PART_OF_NAME.findall(names))

    @cached_property
    def names(self) -> frozenset[str]:
        """Words of the source, longer than an acronym of theirs, that are names by their capitals,
        a low line or marks of code; in small letters."""
        found = _NAMES.findall(self.source.source)
        return frozenset(name.lower() for name in found if not name.isupper() or len(name) > _LONG)

    @cached_property
    def mixed_names(self) -> frozenset[str]:
        """Words of the source that begin in capitals and go on in small letters: "HTSeq"."""
        return frozenset(_MIXED.findall(self.source.source))

    @cached_property
    def _first_offsets(self) -> dict[str, int]:
        return {use.key: self.offset(use) for use in reversed(self.uses)}

    def in_table(self, one: Defined) -> bool:
        """Whether a definition stands in a table drawn with `|`, as lists of acronyms do, or in a
        cell of a page's."""
        original = self.source.source
        if self.source.format == "html":
            cell = original.rfind("<td", 0, one.offset)
            return cell > original.rfind("</td>", 0, one.offset)
        line = original.rfind("\n", 0, one.offset) + 1
        return original[line : one.offset].lstrip(' \t"').startswith("|")

    @cached_property
    def small_words(self) -> frozenset[str]:
        """The words that the text has in small letters."""
        return small_words(self.text)

    def is_sure(self, answer: Resolution) -> bool:
        """Whether the dictionary's long form counts as known."""
        return answer.probability >= self.settings.least_probability

    def offset(self, use: Use) -> int:
        """Where a use stands in the original."""
        return self.source.original_offset(use.start)

    def long_form(self, use: Use) -> str | None:
        """What a use means, if that is known: by the document, or likely by the dictionary."""
        defined = self.by_acronym.get(use.key)
        if defined:
            return defined[0].long_form
        read = use.answer.source == "definition"  # and not meant as one
        return use.answer.long_form if self.is_sure(use.answer) and not read else None
