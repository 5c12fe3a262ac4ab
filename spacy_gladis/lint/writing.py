"""Words that a fix writes: articles before acronyms."""

import re

from ..rules.inflection import indefinite_article
from .spoken import EITHER, WANT_A, WANT_AN

_ARTICLE = re.compile(r"(?<![\w.])(an?)(\s+)$", re.IGNORECASE)
_WORD_LIKE = re.compile(
    r"[^aeiou]?[aeiou]|(?:[bcfgkp][lr]|[dtw]r|[cprstw]h|s[cklmnptqw]|tw|qu)[aeiouq]?", re.I
)
_VOWEL_NAMES = "AEFHILMNORSX"
_UNSPEAKABLE = re.compile(
    r"[^AEIOUY]+|U(?![BCDFGKLMNPRSTVX]?$|(?:[CFLNPRS]T|[LR][BDFKLMNP]|MP|N[DGK]|S[KP])$)[^AEIOUY]+|UU.*"
)
_SPELLED = 2  # letters at most: such an acronym is spelled, never read as a word


def article_of(acronym: str) -> str | None:
    """`a` or `an` before an acronym; None where readers differ, as with one that can be read as
    a word."""
    letters = acronym[:-1] if acronym.endswith("s") else acronym
    if letters in WANT_A or letters in WANT_AN:
        return "a" if letters in WANT_A else "an"
    if not (letters.isascii() and letters.isalpha() and letters.isupper()) or letters in EITHER:
        return None
    by_name = "an" if letters[0] in _VOWEL_NAMES else "a"
    word_like = _WORD_LIKE.match(letters) and not _UNSPEAKABLE.fullmatch(letters)
    if len(letters) > _SPELLED and word_like:
        by_sound = indefinite_article(letters.lower())
        return by_name if by_name == by_sound else None
    return by_name


def article_before(text: str, start: int, acronym: str) -> tuple[int, str]:
    """Where the article before `start` begins, and what it is to be before an acronym.

    `start` itself and nothing where there is none, or where it may stay.
    """
    found = _ARTICLE.search(text, max(0, start - 6), start)
    right = article_of(acronym)
    if not found or not right or found[1].lower() == right:
        return start, ""
    return found.start(), (right.capitalize() if found[1][0] == "A" else right) + found[2]
