"""Words that a fix writes: articles before acronyms and long forms."""

import re
from collections.abc import Sequence
from functools import lru_cache

from ..output.markup import Edit
from ..rules.inflection import indefinite_article
from .spoken import EITHER, WANT_A, WANT_AN

_ARTICLE = re.compile(
    r"(?<![\w.'/-])(an?)(?:\s|~|&nbsp;|``|[*_{\"\u201c\u2018]|\\[a-z]+(?=\{)|<[a-z][^<>]*>)+$",
    re.IGNORECASE,
)
_BEFORE = 80  # characters in which an article and markup after it stand
_WORD_LIKE = re.compile(
    r"(?!u[aeiou])(?:[^aeiou]?[aeiou]|"
    r"(?:[bcfgkp][lr]|[dtw]r|[cprstw]h|s[cklmnptqw]|tw|qu)[aeiouq]?)",
    re.IGNORECASE,
)
_VOWEL_NAMES = "AEFHILMNORSX"
_UNSPEAKABLE = re.compile(
    r"[^AEIOUY]+|U(?![BCDFGKLMNPRSTVX]?$|(?:[CFLNPRS]T|[LR][BDFKLMNP]|MP|N[DGK]|S[KP])$)[^AEIOUY]+|UU.*"
)
_SPELLED = 2  # letters at most: such an acronym is spelled, never read as a word
_SEVERAL = re.compile(r"[^\Wsiu]s \([A-Z]+\)$")
"""A long form in the plural with an acronym in the singular: "frequently asked questions (FAQ)"."""
_FIRST_WORD = re.compile(r"\W{0,3}([^\W_][^\s()]*)")


def is_article(text: str, start: int, word: str) -> bool:
    """Whether "a" or "an" that stands there is an article: behind a word a capital "A" is a letter,
    as in "Vitamin A"."""
    before = text[max(0, start - _BEFORE) : start]
    last = before.rstrip()
    apart = before.count("\n", len(last)) > 1
    return word != "A" or apart or not (last[-1:].isalnum() or last.endswith((",", ")", "'")))


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


def with_article(text: str, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Edits of which the first writes a word, with the article before it put right; none where it
    is not sure which is right."""
    first = edits[0]
    found = _ARTICLE.search(text, max(0, first.start - _BEFORE), first.start)
    word = _FIRST_WORD.match(first.text)
    if not found or not word:
        return tuple(edits)
    right = None if _SEVERAL.search(first.text) else _article(text, word[1])
    if right == found[1].lower():
        return tuple(edits)
    if right is None or not is_article(text, found.start(), found[1]):
        return ()
    written = right.capitalize() if found[1][0] == "A" else right
    return (Edit(*found.span(1), written), *edits)


def _article(text: str, word: str) -> str | None:
    """The article before a word; before an acronym of which readers differ, the text's own."""
    if sum(map(str.isupper, word)) < 2:
        return indefinite_article(word) if word[0].isalpha() else None
    return article_of(word) or _own_article(text, word)


@lru_cache(32)
def _own_article(text: str, acronym: str) -> str | None:
    found = {
        one.lower() for one in re.findall(rf"(?<![\w.'/-])(an?|An)\s+{re.escape(acronym)}\b", text)
    }
    return found.pop() if len(found) == 1 else None
