"""AC004: an acronym with two meanings in one document."""

import re
from collections.abc import Iterator

from ...text.spelling import letters_of, same_key
from ...text.tokens import JOINING_WORDS, fold
from ..document import Defined, LintDocument
from ..finding import Found
from ..rule import Rule

_LETTERS = re.compile(r"[^\W\d_]+|\d+")
_SIGNS = frozenset("/()")
_SHORTEST, _LONGEST = 3, 4
"""Letters of a word that are equal in its forms: locus, loci; nucleus, nuclei."""


class ConflictingDefinition(Rule):
    code = "AC004"
    name = "conflicting-definition"
    summary = "An acronym is defined again in brackets by the initials of other words"
    why = (
        "A reader who meets the acronym later can't tell which of the two meanings it has. Choose "
        "another acronym for one of them, or write it out."
    )
    known_problems = (
        "The two wordings often mean the same, such as an old and a new name: this is why the rule "
        "is not checked by default."
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

    def check(self, document: LintDocument) -> Iterator[Found]:
        """Report the first definition in each further wording."""
        for definitions in document.by_key.values():
            wordings: dict[tuple[str, ...], Defined] = {}
            for definition in definitions:
                words = _words(definition.long_form)
                if "".join(word[0] for word in words) != letters_of(
                    definition.key
                ) or _is_one_of_many(document.text, definition):
                    continue
                stems = tuple(map(_stem, words))
                first = next(iter(wordings.values()), definition)
                if not any(_alike(stems, other) for other in wordings) and same_key(
                    definition.long_form
                ) != same_key(first.long_form):
                    message = (
                        f"'{definition.acronym}' is '{definition.long_form}' here and "
                        f"'{first.long_form}' at {document.place(first.offset)}"
                    )
                    yield Found(definition.offset, definition.acronym, message)
                wordings.setdefault(stems, definition)


def _words(long_form: str) -> list[str]:
    words = _LETTERS.findall(fold(long_form).casefold())
    return [word for word in words if word not in JOINING_WORDS]


def _stem(word: str) -> str:
    return word[: max(_SHORTEST, min(_LONGEST, len(word) - 2))]


def _alike(stems: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether words are the same, some of them cut short: leaf N content, leaf nitrogen content."""
    pairs = zip(stems, others, strict=True)
    return all(stem.startswith(other) or other.startswith(stem) for stem, other in pairs)


def _is_one_of_many(text: str, definition: Defined) -> bool:
    """Whether the bracket of a definition holds more than the acronym, or than its words."""
    if definition.glossary or not definition.acronym_at or not definition.long_form_at:
        return False
    start, end = max(definition.acronym_at, definition.long_form_at)
    alone = text[start - 1] in "([" and text[end : end + 1] in (")", "]")
    return not alone or bool(_SIGNS.intersection(definition.long_form))
