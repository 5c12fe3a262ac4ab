"""The article before an acronym: by its letters' names, or by its sound where it is a word."""

import re
from functools import cache
from importlib.resources import files

from ..text.spelling import singular

_VOWEL_NAMES = "AEFHILMNORSX"
_EITHER = re.compile(r"[FHLMNRSXU][AEIOUY].")  # an FIR, a fir


def article_of(acronym: str) -> str | None:
    """`a` or `an` before an acronym; None where readers differ.

    What is read as a word by some has an answer in the packaged list alone: three letters whose
    second is a vowel, where the first one's name begins otherwise than its sound, and longer ones
    with any vowel.
    """
    letters = singular(acronym)
    listed = _listed()
    if letters in listed:
        return listed[letters] or None
    if not (letters.isascii() and letters.isalpha() and letters.isupper()):
        return None
    if _EITHER.fullmatch(letters) or (
        len(letters) > 3 and any(letter in "AEIOUY" for letter in letters)
    ):
        return None
    return "an" if letters[0] in _VOWEL_NAMES else "a"


@cache
def _listed() -> dict[str, str]:
    """Acronyms with their articles; an empty one where readers differ."""
    text = files("spacy_gladis.lint").joinpath("pronunciation.txt").read_text("utf8")
    found: dict[str, str] = {}
    for line in text.splitlines():
        article, colon, names = line.partition(":")
        if colon and not line.startswith("#"):
            found |= dict.fromkeys(names.split(), "" if article == "either" else article)
    return found
