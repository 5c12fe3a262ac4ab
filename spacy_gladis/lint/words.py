"""A document's words, and the names in it."""

import re
from dataclasses import dataclass
from functools import cached_property

from ..documents.source import Source
from ..output.markup import EDITABLE
from ..rules import base_form
from .facts import Facts
from .reading import small_words as words_in_small_letters
from .settings import Settings
from .switches import Switches
from .terms import RUN

_PROGRAM_NAME = re.compile(
    r"(?<=`)[a-z]+(?=`)|(?<![\w.])[A-Za-z][A-Za-z0-9]*(?:[._][A-Za-z0-9]+)+|"
    r"(?<![\w.])[A-Za-z]+[a-z][A-Z]+\w*"
)
_NAMES = re.compile(r"\b\w*_\w+\b|\b\w*[A-Z]\w*[A-Z]\w*\b|(?<=[`/\]])[a-z]\w+(?=[`/])")
_MIXED = re.compile(r"\b[A-Z]{3,}(?!s\b)[a-z]\w*\b")
_LABELS = {
    "latex": re.compile(r"\\(?:label|[a-zA-Z]{0,4}ref)\*?\{[^{}\n]*\}"),
    "markdown": re.compile(r"^ {0,3}\[[^\]\n]+\]:(?=[ \t]*\S)|(?<=\])\[[^\]\n]+\]", re.MULTILINE),
}
_LONG = 5  # letters: what is longer may have an acronym in it
_PART_OF_NAME = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_HYPHENATED = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_JOINTS = frozenset("_\\")
_GENES = re.compile(r"\b(?:alleles?|genes?|mRNAs?)\b")
_TERM_WORD = re.compile(r"[^\W_][\w-]*")
_TERM = 5  # words at most


@dataclass(frozen=True)
class Words:
    """An annotated document's text, word by word."""

    source: Source
    facts: Facts
    settings: Settings

    @property
    def text(self) -> str:
        """The plain text."""
        return self.source.text

    @property
    def fixable(self) -> bool:
        """Whether the file's text may be changed."""
        return self.source.format in EDITABLE

    @cached_property
    def switches(self) -> Switches:
        """Where in the file findings are switched off."""
        return Switches(self.source)

    @cached_property
    def unlabelled(self) -> str:
        """The original with blanks for labels, which no reader sees."""
        label = _LABELS.get(self.source.format)
        original = self.source.source
        return label.sub(lambda one: " " * len(one[0]), original) if label else original

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
    def first_words(self) -> dict[str, int]:
        """Where each run of letters first stands in the original, program and text alike, in
        capitals or not."""
        runs = reversed(list(RUN.finditer(self.unlabelled)))
        return {one[0].lower(): one.start() for one in runs}

    @cached_property
    def parts_of_names(self) -> frozenset[str]:
        """The words that names of programs are made of, in small letters."""
        names = " ".join(_PROGRAM_NAME.findall(self.unlabelled))
        return frozenset(part.lower() for part in _PART_OF_NAME.findall(names))

    def endings_of_names(self, length: int) -> frozenset[str]:
        """The last letters of words of the source that are names by their capitals, a low line or
        marks of code and are longer than an acronym of theirs; in small letters."""
        if length not in self._endings:
            self._endings[length] = frozenset(name[-length:] for name in self._names)
        return self._endings[length]

    def beginnings_of_names(self, length: int) -> frozenset[str]:
        """The first letters of words that begin in capitals and go on in small letters: "HTSeq"."""
        if length not in self._beginnings:
            self._beginnings[length] = frozenset(name[:length] for name in self._mixed_names)
        return self._beginnings[length]

    @cached_property
    def _endings(self) -> dict[int, frozenset[str]]:
        return {}

    @cached_property
    def _beginnings(self) -> dict[int, frozenset[str]]:
        return {}

    @cached_property
    def _names(self) -> frozenset[str]:
        found = _NAMES.findall(self.unlabelled)
        return frozenset(name.lower() for name in found if not name.isupper() or len(name) > _LONG)

    @cached_property
    def _mixed_names(self) -> frozenset[str]:
        return frozenset(_MIXED.findall(self.unlabelled))

    @cached_property
    def small_words(self) -> frozenset[str]:
        """The words in small letters."""
        return words_in_small_letters(self.text)

    @cached_property
    def joined_words(self) -> frozenset[str]:
        """The words that a low line joins to others, or a backslash begins."""
        text = self.text
        return frozenset(
            one[0]
            for one in _HYPHENATED.finditer(text)
            if text[one.start() - 1 : one.start()] in _JOINTS
            or text[one.end() : one.end() + 1] in _JOINTS
        )

    @cached_property
    def words_of_genes(self) -> int:
        """How many words say that the text is of genes."""
        return sum(1 for _ in _GENES.finditer(self.text))
