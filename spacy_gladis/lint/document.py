"""Documents as lint rules see them, with definitions and uses of acronyms, and running text."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple
from unicodedata import category

from ..dictionary import Dictionary
from ..dictionary.parts import defined_in_parts
from ..dictionary.spellings import DictionarySpellings
from ..documents.source import Position, Source, Spans
from ..output.markup import EDITABLE, Edit, as_markup
from ..text import base_form
from ..text.detect import Detected, detect
from ..text.spelling import letters_of
from .settings import Settings

_CONTEXT = 100
"""Number of characters before a mention in which words may explain the acronym."""
_ARTICLE_CONTEXT = 12
"""Number of characters before a replaced text in which an article may stand."""
_ARTICLE = re.compile(r"\b[Aa]n?[\s*_\"'“‘]+\Z")
_BRACKETED = re.compile(r"(.*\w) ?[(\[](?:\w+ (?:and|or) |(?P<more>(?:\w+ ){1,2}))?\Z", re.DOTALL)
_BRACKET_END = re.compile(r"[)\];]| ?[\u2013\u2014]| (?:and|or) ")
_NAMED = re.compile(
    r"\b(?:abbreviated|called|designated|dubbed|named|termed|known as|referred to as)"
    r"(?: as| by| the)? [\"“]?\Z"
)
_DASH = re.compile(r".*\s[-\u2013\u2014]+\s", re.DOTALL)  # "ntpd - Network Time ..."


class Use(NamedTuple):
    """A mention of an acronym in running text that doesn't define the acronym.

    Attributes:
        key: Base form of the acronym. It is ``CNN`` for the mentions ``CNN``, ``CNNs`` and
            ``C.N.N.``.
        acronym: The acronym as it is spelled in the text.
        start: Character offset in the plain text at which the mention starts.
        end: Character offset in the plain text at which the mention ends.
    """

    key: str
    acronym: str
    start: int
    end: int


class Definition(NamedTuple):
    """A definition of an acronym in a document, as the acronym and its long form.

    Attributes:
        key: Base form of the acronym. It is ``CNN`` if the acronym is spelled ``CNN``, ``CNNs`` or
            ``C.N.N.``.
        acronym: The acronym as it is spelled in the definition.
        long_form: The long form, with single spaces between words.
        offset: Character offset of the acronym in the original file.
        glossary: Whether the definition is an entry of a glossary or of the format's markup. Such
            an entry holds for the whole document.
        acronym_at: Start and end of the acronym in the plain text. None if markup defines it.
        long_form_at: Start and end of the long form in the plain text. None if markup defines it.
    """

    key: str
    acronym: str
    long_form: str
    offset: int
    glossary: bool = False
    acronym_at: tuple[int, int] | None = None
    long_form_at: tuple[int, int] | None = None


class LintDocument:
    """A document with the annotations that lint rules need, such as definitions and uses.

    Each annotation is computed when it is first accessed, and then kept.

    Attributes:
        source: The document as it was read.
        settings: Linter settings that apply to the document.
        text: Plain text of the document, without markup. The offsets of uses refer to it.
        proposals: Proposed long forms for undefined acronyms, as passed to the constructor.
    """

    def __init__(
        self,
        source: Source,
        settings: Settings,
        proposals: Mapping[int, tuple[str, float]] | None = None,
    ) -> None:
        """Create a document whose annotations are computed later, when a rule needs them.

        Args:
            source: The document as it was read.
            settings: Linter settings that apply to the document.
            proposals: Proposed long forms for undefined acronyms, as a mapping from the acronym's
                character offset in the plain text to the long form and its probability. None
                proposes nothing.
        """
        self.source, self.settings, self.text = source, settings, source.text
        self.proposals = proposals or {}

    @cached_property
    def _other_regions(self) -> Spans:
        """The parts of the plain text that are not running text, such as titles and code."""
        return Spans((region.start, region.end) for region in self.source.regions)

    @cached_property
    def _glossaries(self) -> Spans:
        glossaries = (region for region in self.source.regions if region.kind == "glossary")
        return Spans((region.start, region.end) for region in glossaries)

    def is_running(self, start: int) -> bool:
        """Return whether a character of the document belongs to running text.

        Lint rules check only running text. Titles, tables, code, bibliographies and glossaries are
        not running text.

        Args:
            start: Character offset in the plain text.

        Returns:
            True if the character belongs to running text.
        """
        return not self._other_regions.has(start)

    @cached_property
    def _detected(self) -> Detected:
        spellings = LintSpellings(
            _dictionary(), has_finder=False, user_entries=self.settings.glossary_acronyms
        )
        return detect(self.text, spellings)

    @cached_property
    def definitions(self) -> list[Definition]:
        """The definitions of acronyms in the document, in the order of the original file.

        A definition that is both marked up and written out in the text is listed once.
        """
        definitions = {}
        for marked in self.source.definitions:
            key = base_form(marked.acronym)
            words = " ".join(marked.long_form.split())
            definitions[key, marked.offset] = Definition(
                key, marked.acronym, words, marked.offset, True
            )
        for detected in self._detected.definitions:
            start, end = detected.acronym
            acronym = self.text[start:end]
            offset = self.source.original_offset(start)
            key = base_form(acronym)
            dash = _DASH.match(self.text[slice(*detected.long_form)])
            cut = dash.end() if dash else 0
            words = " ".join(detected.words(self.text)[cut:].split())
            if sum(map(str.isupper, acronym)) < 2 or _is_name(acronym, words):
                continue
            is_listed = self._glossaries.has(start)
            place = (detected.long_form[0] + cut, detected.long_form[1])
            definition = Definition(key, acronym, words, offset, is_listed, detected.acronym, place)
            definitions.setdefault((key, offset), definition)
        return sorted(definitions.values(), key=lambda definition: definition.offset)

    @cached_property
    def defined_in_parts(self) -> frozenset[str]:
        """The base forms of the acronyms that are defined in files that the document includes."""
        return frozenset(key for key, _ in defined_in_parts(self.source))

    @cached_property
    def by_key(self) -> dict[str, list[Definition]]:
        """The definitions by the base form of their acronym, in the order of the original file."""
        groups: defaultdict[str, list[Definition]] = defaultdict(list)
        for definition in self.definitions:
            groups[definition.key].append(definition)
        return dict(groups)

    @cached_property
    def running_definitions(self) -> list[Definition]:
        """The definitions that stand in running text, in the order of the original file."""
        return [
            definition
            for definition in self.definitions
            if definition.acronym_at and self.is_running(definition.acronym_at[0])
        ]

    @cached_property
    def uses(self) -> list[Use]:
        """The mentions in running text that neither define nor explain the acronym, in order."""
        return [use for use in self._mentions if not self._is_explained(use)]

    @cached_property
    def explained(self) -> list[Use]:
        """The mentions whose acronym the text explains, although not by a regular definition.

        A mention counts as explained in four cases:

        - It stands alone in brackets: "rice straw (RSB)".
        - It follows a verb of naming: "a model called RSB".
        - The brackets hold more than the acronym: "Rice and Straw Bank of Asia (RSB 2.0)".
        - It follows the words without a bracket or other mark: "the Rice Straw Bank RSB".
        """
        return [use for use in self._mentions if self._is_explained(use)]

    @cached_property
    def _mentions(self) -> list[Use]:
        acronyms = Spans(
            definition.acronym_at for definition in self.definitions if definition.acronym_at
        )
        long_forms = Spans(
            definition.long_form_at for definition in self.definitions if definition.long_form_at
        )
        mentions: list[Use] = []
        for start, end in self._detected.mentions:
            if self.is_running(start) and not acronyms.has(start) and not long_forms.has(start):
                acronym = self.text[start:end]
                mentions.append(Use(base_form(acronym), acronym, start, end))
        return mentions

    def _is_explained(self, use: Use) -> bool:
        before = self.text[max(0, use.start - _CONTEXT) : use.start]
        words = _BRACKETED.match(before)
        if not words:
            return _NAMED.search(before) is not None
        initials = iter(re.findall(r"\b\w", words[1].casefold()))
        letters = letters_of(use.key)
        last_words = " ".join(words[1].casefold().split()[-len(letters) :])
        characters = iter(last_words[(" " + last_words).find(" " + letters[0]) :])
        if not words["more"] and _BRACKET_END.match(self.text, use.end):
            return True
        # `in` consumes the iterator, so the letters have to occur in this order.
        return any(
            all(letter in available for letter in letters) for available in (initials, characters)
        )

    @cached_property
    def by_use(self) -> dict[str, list[Use]]:
        """The uses by the base form of their acronym, in text order."""
        groups: defaultdict[str, list[Use]] = defaultdict(list)
        for use in self.uses:
            groups[use.key].append(use)
        return dict(groups)

    def offset(self, use: Use) -> int:
        """Return the character offset of an acronym's use in the original file.

        Args:
            use: Use of an acronym in this document.

        Returns:
            Offset of the first character of the acronym in the file, markup included.
        """
        return self.source.original_offset(use.start)

    def position(self, offset: int) -> Position:
        """Return the line and column of a character offset in the original file.

        Args:
            offset: Character offset in the original file.

        Returns:
            Line and column, counted from 1. Formats without lines use another unit than lines,
            such as pages.
        """
        return self.source.position_of_original(offset)

    def location(self, offset: int) -> str:
        """Return the name of the document with a line and column, for use in messages.

        Args:
            offset: Character offset in the original file.

        Returns:
            Location of the character, such as ``guide.md:3:7``.
        """
        return f"{self.source.name}:{self.position(offset)}"

    def replacement(self, start: int, end: int, text: str) -> tuple[Edit, ...]:
        """Return the edit of the file that replaces a span of the plain text, if it is safe.

        A replacement is not safe in a format that the linter doesn't edit, outside running text,
        or if the span contains markup. It isn't safe after "a" or "an" either, because the article
        might no longer fit.

        Args:
            start: Character offset in the plain text at which the span starts.
            end: Character offset in the plain text at which the span ends.
            text: New text, which is escaped for the document's format. Empty to delete the span.

        Returns:
            A tuple with one edit of the original file, or an empty tuple if the replacement isn't
            safe.
        """
        source = self.source
        before = self.text[max(0, start - _ARTICLE_CONTEXT) : start]
        if source.format not in EDITABLE or not self.is_running(start) or not source.path:
            return ()
        if text and _ARTICLE.search(before):
            return ()
        span = source.original_span(start, end)
        return (Edit(*span, as_markup(text, source.format)),) if span else ()

    def sections(self) -> Iterator[tuple[int, int]]:
        """Yield the parts of the document in which an acronym must be defined.

        With the setting ``scope = "section"``, each part reaches from the end of a title to the end
        of the next title. Otherwise, the only part is the whole document.

        Yields:
            Start and end of a part, as character offsets in the plain text.
        """
        starts = [0]
        if self.settings.scope == "section":
            starts += [region.end for region in self.source.regions if region.kind == "title"]
        yield from zip(starts, [*starts[1:], len(self.text) + 1], strict=True)


@dataclass(frozen=True)
class LintSpellings(DictionarySpellings):
    """The spellings that the linter recognises as acronyms: by their shape, or as user entries.

    A document doesn't have to define lower-case shorthand such as ``c/o``, so the linter ignores
    the dictionary's list of such spellings. It uses the dictionary only to distinguish acronyms
    from words in capitals, and compounds from their parts.

    Attributes:
        is_english: Whether the dictionary's list of lower-case spellings is used.
        user_entries: Acronyms of the organisation's glossary, which may have any shape.
    """

    is_english: bool = False
    user_entries: frozenset[str] = frozenset()

    def is_acronym(self, word: str) -> bool:
        """Return whether an English word in capitals is an acronym, such as ``WHO``.

        Args:
            word: English word in capital letters.

        Returns:
            True if the dictionary attests that texts often use the word as an acronym.
        """
        return self.dictionary.attests(word)


@cache
def _dictionary() -> Dictionary:
    """Open the packaged dictionary, or return it if it is open already."""
    return Dictionary.open()


def _is_name(acronym: str, words: str) -> bool:
    """Return whether an apparent definition only gives another name, as in ``PC9 (PC-9)``."""
    first = acronym.split()[0]
    is_longer = sum(map(str.isupper, first)) > 1 and words.startswith(first)
    is_formula = any(category(sign) == "Sm" and sign != "+" for sign in acronym)
    is_variant = letters_of(words).startswith(letters_of(acronym)) and " " not in words
    return is_formula or is_longer or is_variant or letters_of(words) == letters_of(acronym)
