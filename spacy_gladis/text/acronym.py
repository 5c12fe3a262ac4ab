"""Check whether a string can be an acronym, and determine its letters and its shape."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from .spelling import is_plural
from .tokens import fold

_MAX_LETTERS: Final = 20
_MAX_LOWER: Final = 4  # maximum letters of an acronym without capitals: "aa", "bp", "cfu"
_GREEK: Final = re.compile("alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|lambda|sigma")
_MAX_TITLE: Final = 9  # letters of an acronym with a first capital only: "Ub", "Finapres"
_FOREIGN: Final = re.compile(
    r"\A[ivx]+\Z|[=<>≤≥±×≈~@#_\\]|°|https?|\s(?:et|and|or|&|in|of|to|by|y|und)\s"
)


class Acronym(NamedTuple):
    """An acronym in the form in which it is matched with the words of a long form.

    Attributes:
        letters: Letters, digits and signs of the acronym, folded by `tokens.fold`.
        shape: Shape of the acronym: ``"upper"``, ``"lower"``, ``"title"`` or ``"mixed"``.
        plural: Whether the last letter may be a plural ending.
        subscript: Whether the last letter may stand for the first word of the long form, as in
            ``pHi`` (intracellular pH).
    """

    letters: str
    shape: str
    plural: bool
    subscript: bool

    def rotate(self) -> "Acronym":
        """Return a copy of the acronym whose last letter is moved to the front."""
        letters = self.letters[-1] + self.letters[:-1]
        return self._replace(letters=letters, plural=False, subscript=False)


@lru_cache(1 << 16)
def read_acronym(text: str) -> Acronym | None:
    """Prepare an acronym for matching with the words of a long form.

    Args:
        text: The acronym as written, such as ``COVID-19`` or ``Pol II``.

    Returns:
        The prepared acronym, or None if `text` cannot be an acronym.
    """
    letters = "".join(filter(str.isalnum, fold(text)))
    if not 0 < len(letters) <= _MAX_LETTERS or not any(map(str.isalpha, letters)):
        return None
    if _FOREIGN.search(text):
        return None
    if text.isupper():
        shape = "upper"
    elif text.islower():
        shape = "lower"
    else:
        shape = "title" if text.isalpha() and text[1:].islower() else "mixed"
    words = text.split()
    if shape == "lower" and not (1 < len(letters) <= _MAX_LOWER and text[0].isalpha()):
        return None
    if shape == "title" and not (len(letters) <= _MAX_TITLE or len(words) > 1):
        return None
    if len(words) > 1 and (
        text[0].isdigit() or not (words[0].isupper() or all(map(_is_part, words)))
    ):
        return None
    plural = len(letters) > 2 and is_plural(text)
    bare = text.rstrip(")]")
    subscript = (
        len(letters) > 1
        and not plural
        and letters[-1].isalpha()
        and (text[-2:-1] == bare[-1:] or bare[-1:].islower())
        and (not bare[-2:-1].islower() or text[-3:-2] == "(")
    )
    return Acronym(letters, shape, plural, subscript)


def _is_part(word: str) -> bool:
    """Return whether a word can be part of a multi-word acronym: "Pol II", "S. aureus"."""
    return not word[1:].islower() or len(word) < 4 or bool(_GREEK.fullmatch(word))
