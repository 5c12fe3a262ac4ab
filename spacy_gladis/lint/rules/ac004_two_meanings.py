"""Lint rule AC004, which reports acronyms with two meanings in one document."""

import re
from collections.abc import Iterator

from ...text.spelling import letters_of, same_key
from ...text.tokens import JOINING_WORDS, fold
from ..document import Definition, LintDocument
from ..finding import Violation
from ..rule import Rule

_LETTERS = re.compile(r"[^\W\d_]+|\d+")
_SIGNS = frozenset("/()")
_SHORTEST, _LONGEST = 3, 4
"""Lengths of a word's stem, so that singular and plural agree, such as nucleus and nuclei."""


class ConflictingDefinition(Rule):
    """Lint rule AC004: a document defines an acronym with two different long forms."""

    code = "AC004"
    name = "conflicting-definition"
    summary = "An acronym is defined again with another meaning"
    why = (
        "Readers can't tell which of the two meanings a later use has. Choose another acronym for "
        "one of them, or write it out."
    )
    known_problems = (
        "The two long forms often mean the same, such as an old and a new name. This is why the "
        "rule is not checked by default. Only definitions in brackets whose words have the "
        "acronym's letters as their initials are compared."
    )
    bad = (
        "Artificial intelligence (AI) helps.\n\nThe adequate intake (AI) is 4.7 grams.",
        "A central processing unit (CPU) is fast. A central paging utility (CPU) is slow.",
        "The adequate intake (AI) is low. Artificial intelligence (AI) is new.",
    )
    good = (
        "Artificial intelligence (AI) helps. Artificial intelligence (AI) is new.",
        "The colour space (CS) is wide. Each color space (CS) has a white point.",
        "A root of trust (ROT) starts. A static root of trust (SROT) ends. "
        "The static ROT (SROT) is old.",
    )

    def check(self, document: LintDocument) -> Iterator[Violation]:
        """Report the first definition of each further meaning of an acronym in a document.

        Args:
            document: Document to check.

        Yields:
            One violation for each further meaning. Its message has both long forms.
        """
        for definitions in document.by_key.values():
            wordings: dict[tuple[str, ...], Definition] = {}
            for definition in definitions:
                words = _words(definition.long_form)
                if "".join(word[0] for word in words) != letters_of(
                    definition.key
                ) or _shares_brackets(document.text, definition):
                    continue
                stems = tuple(map(_stem, words))
                first = next(iter(wordings.values()), definition)
                if not any(_are_alike(stems, other) for other in wordings) and same_key(
                    definition.long_form
                ) != same_key(first.long_form):
                    message = (
                        f"'{definition.acronym}' means '{definition.long_form}' here and "
                        f"'{first.long_form}' at {document.position(first.offset)}"
                    )
                    yield Violation(definition.offset, definition.acronym, message)
                wordings.setdefault(stems, definition)


def _words(long_form: str) -> list[str]:
    words = _LETTERS.findall(fold(long_form).casefold())
    return [word for word in words if word not in JOINING_WORDS]


def _stem(word: str) -> str:
    return word[: max(_SHORTEST, min(_LONGEST, len(word) - 2))]


def _are_alike(stems: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Return whether two long forms have equal words, even if one shortens them (N, nitrogen)."""
    pairs = zip(stems, others, strict=True)
    return all(stem.startswith(other) or other.startswith(stem) for stem, other in pairs)


def _shares_brackets(text: str, definition: Definition) -> bool:
    """Return whether the brackets of a definition hold more than its acronym or long form."""
    if definition.glossary or not definition.acronym_at or not definition.long_form_at:
        return False
    start, end = max(definition.acronym_at, definition.long_form_at)
    is_alone = text[start - 1] in "([" and text[end : end + 1] in (")", "]")
    return not is_alone or bool(_SIGNS.intersection(definition.long_form))
