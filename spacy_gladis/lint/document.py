"""A document as the rules see it: uses and definitions of acronyms, in order."""

import re
from collections import Counter, defaultdict
from functools import cached_property
from itertools import compress

from spacy.tokens import Doc

from ..documents.source import Source
from ..resolution import Resolution
from ..rules import base_form, merge_key
from ..rules.inflection import plural
from .apart import Spans
from .defined import Defined, Use
from .facts import facts_of
from .places import Places
from .prose import stands_in_prose
from .reading import Mention, is_acronym, is_part
from .settings import Settings
from .terms import RUN, find_terms

_INSIDE = re.compile(r"\s*[(\[]([^()\[\]\n]+)[)\]]")
_BEFORE = re.compile(r"([^()\[\]\n]+)\s[(\[]$")
_NEAR = 120  # characters before a bracket in which a long form stands
_SHORTEST_KEY = 6


class LintDocument(Places):
    """An annotated document with its source."""

    @classmethod
    def of(cls, source: Source, doc: Doc, settings: Settings) -> "LintDocument":
        """What is needed of a document; the Doc may go."""
        return cls(source, facts_of(doc), settings)

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
    def ambiguous(self) -> frozenset[str]:
        """The acronyms that the document defines with two meanings."""
        return frozenset(
            key
            for key, (first, *others) in self.by_acronym.items()
            if any(map(first.contradicts, others))
        )

    @cached_property
    def ambiguous_at(self) -> frozenset[int]:
        """Where in the original they are defined."""
        return frozenset(one.offset for key in self.ambiguous for one in self.by_acronym[key])

    @cached_property
    def meant(self) -> list[Defined]:
        """The definitions that are meant as such, and no part of a reference or a program."""
        return [
            one
            for one in self.definitions
            if one.meant and stands_in_prose(self, one, self._many[one.long_form_at] < 2)
        ]

    @cached_property
    def _many(self) -> Counter[tuple[int, int] | None]:
        """How many acronyms each long form stands for: of several none is spelled by it."""
        return Counter(one.long_form_at for one in self.definitions)

    @cached_property
    def explained(self) -> frozenset[str]:
        """The acronyms that the document explains in any way, be it but likely."""
        return frozenset(one.key for one in self.definitions) | {
            use.key for use in self.uses if self._is_explained(use)
        }

    def _is_explained(self, use: Use) -> bool:
        """Whether one of its likely long forms stands beside a mention, with a bracket between."""
        text = self.text
        if (self.long_form(use) or "").lower() in self._written_out:
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
    def _written_out(self) -> frozenset[str]:
        """The long forms of uses, of two words or more, that the text has in any case and number,
        in small letters."""
        meant = {known.lower() for use in self.uses if (known := self.long_form(use))}
        several = {one for one in meant if " " in one}
        forms = {plural(one): one for one in several} | {one: one for one in several}
        found = find_terms(self.text, forms, RUN, any_case=True)
        return frozenset(forms[words] for words, _, _ in found)

    def in_long_form(self, start: int, end: int) -> bool:
        """Whether `text[start:end]` has a character of a definition's long form."""
        return self._long_forms.meet(start, end)

    @cached_property
    def _long_forms(self) -> Spans:
        return Spans.of(one.long_form_at for one in self.definitions if one.long_form_at)

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

    @cached_property
    def _in_glossary(self) -> list[bool]:
        """Of each definition: whether the title before it is of a glossary."""
        return [self._glossaries.has(one.offset) for one in self.definitions]

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
        if sure is None and self.is_cell(use):
            return False
        return is_acronym(Mention(self.text, use.start, use.end, sure, seen, self.small_words))

    @cached_property
    def first_offsets(self) -> dict[str, int]:
        """Where in the original each acronym is first used."""
        return {use.key: self.offset(use) for use in reversed(self.uses)}

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
