"""An acronym is defined again in brackets by the initials of other words.

Reports:
    Artificial intelligence (AI) helps. ¶ The adequate intake (AI) is 4.7 grams.
    A central processing unit (CPU) is fast. A central paging utility (CPU) is slow.
    The adequate intake (AI) is low. Artificial intelligence (AI) is new.

Does not report:
    Artificial intelligence (AI) helps. Artificial intelligence (AI) is new.
    The colour space (CS) is wide. Each color space (CS) has a white point.
    A root of trust (ROT) starts. A static root of trust (SROT) ends. The static ROT (SROT) is old.
"""

import re
from collections.abc import Iterator

from ...text.spelling import letters_of, same_key
from ...text.tokens import JOINING_WORDS, fold
from ..document import Defined, LintDocument
from ..finding import Found

_LETTERS = re.compile(r"[^\W\d_]+|\d+")
_SIGNS = frozenset("/()")
_SHORTEST, _LONGEST = 3, 4
"""Letters of a word that are equal in its forms: locus, loci; nucleus, nuclei."""


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at the first definition in each further wording."""
    for definitions in document.by_key.values():
        told: dict[tuple[str, ...], Defined] = {}
        for one in definitions:
            words = _words(one.long_form)
            if "".join(word[0] for word in words) != letters_of(one.key) or _is_one_of_many(
                document.text, one
            ):
                continue
            stems = tuple(map(_stem, words))
            first = next(iter(told.values()), one)
            if not any(_alike(stems, other) for other in told) and same_key(
                one.long_form
            ) != same_key(first.long_form):
                message = (
                    f"'{one.acronym}' is '{one.long_form}' here and '{first.long_form}' at "
                    f"{document.place(first.offset)}"
                )
                yield Found(one.offset, one.acronym, message)
            told.setdefault(stems, one)


def _words(long_form: str) -> list[str]:
    words = _LETTERS.findall(fold(long_form).casefold())
    return [word for word in words if word not in JOINING_WORDS]


def _stem(word: str) -> str:
    return word[: max(_SHORTEST, min(_LONGEST, len(word) - 2))]


def _alike(stems: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether words are the same, if cut short: leaf N content, leaf nitrogen content."""
    pairs = zip(stems, others, strict=True)
    return all(one.startswith(other) or other.startswith(one) for one, other in pairs)


def _is_one_of_many(text: str, one: Defined) -> bool:
    """Whether an acronym behind its words, or the words behind it, are not alone in brackets."""
    if one.glossary or not one.acronym_at or not one.long_form_at:
        return False
    start, end = max(one.acronym_at, one.long_form_at)
    alone = text[start - 1] in "([" and text[end : end + 1] in (")", "]")
    return not alone or bool(_SIGNS.intersection(one.long_form))
