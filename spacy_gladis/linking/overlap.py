"""Lexical overlap of the text near a mention with a long form and with the gloss of its sense."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..arrays import Floats
from ..dictionary import Candidate
from ..text import Mention

REACH = 300
"""Characters on each side of a mention that are searched for words."""

SHORTEST_WORD, STEM = 4, 5
"""Minimum length of the words to compare, and the number of letters in which they must agree."""

_CACHED = 1 << 15
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[^\W_][\w+/&.-]*")


class Words(NamedTuple):
    """The words of a text.

    Attributes:
        stems: The first letters of its longer words, in lower case.
        names: Its acronyms and names with at least two capitals, without a plural's "s".
    """

    stems: frozenset[str]
    names: frozenset[str]


def read_words(mention: Mention) -> Words:
    """Read the words near a mention.

    Args:
        mention: The mention.

    Returns:
        The words within `REACH` characters of it.
    """
    text, start, end, _ = mention
    return _words(f"{text[max(0, start - REACH) : start]} {text[end : end + REACH]}")


def count_overlap(near: Words, long_forms: Sequence[str]) -> Floats:
    """Count the words of each long form that are near a mention.

    Texts often repeat a word of the long form near the acronym, such as "the GTD dataset". Words
    are compared by their first `STEM` letters.

    Args:
        near: The words near the mention.
        long_forms: The long forms.

    Returns:
        Number of words, float32 [long forms].
    """
    return np.array([len(_words_of(name).stems & near.stems) for name in long_forms], np.float32)


def count_gloss_words(near: Words, acronym: str, candidates: Sequence[Candidate]) -> Floats:
    """Count the words of each candidate's gloss that are near a mention.

    A gloss says what the sense is and which words and acronyms stand near it, such as "section of
    a GP clinical note; PMH, DH, onset". The words of the long form and the acronym itself don't
    count, because `count_overlap` counts them.

    Args:
        near: The words near the mention.
        acronym: The acronym.
        candidates: The candidates.

    Returns:
        log(1 + number of words), float32 [candidates]; 0 for candidates without a gloss.
    """
    own = _name(acronym)
    counts = []
    for candidate in candidates:
        gloss, long_form = _words_of(candidate.gloss), _words_of(candidate.long_form)
        stems = (gloss.stems & near.stems) - long_form.stems
        names = (gloss.names & near.names) - long_form.names - {own}
        counts.append(len(stems) + len(names))
    logs: Floats = np.log1p(np.array(counts, np.float32))
    return logs


def _words(text: str) -> Words:
    words = _WORD.findall(text.lower())
    names = (match for match in _NAME.findall(text) if sum(map(str.isupper, match)) > 1)
    stems = frozenset(word[:STEM] for word in words if len(word) >= SHORTEST_WORD)
    return Words(stems, frozenset(map(_name, names)))


def _name(spelling: str) -> str:
    return spelling.rstrip(".-").removesuffix("s")


_words_of = lru_cache(_CACHED)(_words)
