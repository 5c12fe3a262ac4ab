"""Check whether a string can be an acronym, and extract the letters that a long form must match."""

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
    """An acronym in the form that is compared with the words of a long form.

    Attributes:
        letters: The acronym's letters and digits in lower case, without accents (see
            `tokens.fold`). For ``COVID-19``, they are ``covid19``.
        shape: Kind of spelling: ``"upper"`` (``DNA``), ``"lower"`` (``bp``), ``"title"`` (``Ub``)
            or ``"mixed"`` (``mRNA``).
        plural: Whether the last letter may be a plural ending, as in ``CNNs``.
        subscript: Whether the last letter may stand for the first word of the long form, as in
            ``pHi`` (intracellular pH).
    """

    letters: str
    shape: str
    plural: bool
    subscript: bool

    def rotate(self) -> "Acronym":
        """Return a copy whose last letter is moved to the front, so that ``phi`` becomes ``iph``.

        This matches an acronym with a subscript, such as ``pHi``, with its long form
        ("intracellular pH").
        """
        letters = self.letters[-1] + self.letters[:-1]
        return self._replace(letters=letters, plural=False, subscript=False)


@lru_cache(1 << 16)
def read_acronym(text: str) -> Acronym | None:
    """Convert an acronym to the form that is compared with the words of a long form.

    Args:
        text: The acronym as written, such as ``COVID-19`` or ``Pol II``.

    Returns:
        The converted acronym, or None if `text` can't be an acronym. Examples are strings without
        letters, formulas, addresses, and Roman numerals in lower case.
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
    """Return whether a word can be part of an acronym with several words, as in "Pol II"."""
    return not word[1:].islower() or len(word) < 4 or bool(_GREEK.fullmatch(word))
