"""Features that count which words of a candidate's long form or gloss occur near a mention."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ..arrays import Floats
from ..text import Mention

REACH = 300
"""Number of characters on each side of a mention in which a long form's words are searched for."""

GLOSS_REACH = 1500
"""Number of characters on each side of a mention in which a gloss's words are searched for."""

SHORTEST_WORD, STEM = 4, 5
"""`SHORTEST_WORD` is the minimum number of letters of the words that are compared. `STEM` is the
number of leading letters in which two words must agree."""

_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[^\W_]+(?:[/&.-][^\W_]+)*")
_PART = re.compile(r"[/&.-]")
_CACHED = 1 << 17  # sixty texts have 65,000 pairs of an acronym and a candidate
_TEXTS = 2  # the mentions of a text are read one after the other


def count_overlap(mention: Mention, long_forms: Sequence[str]) -> Floats:
    """Count how many words of each long form also occur near a mention of the acronym.

    Texts often repeat a word of the long form near the acronym. For example, "recognition" near a
    mention of NER speaks for "named entity recognition". Words are compared by their first `STEM`
    letters.

    Args:
        mention: The mention of the acronym, with the text around it.
        long_forms: Long forms of the acronym's candidates.

    Returns:
        Number of matching words for each long form, float32 [long forms].
    """
    text, start, end, _ = mention
    near = _stems(f"{text[max(0, start - REACH) : start]} {text[end : end + REACH]}")
    return np.array([len(_stems_of(name) & near) for name in long_forms], np.float32)


def count_gloss_words(mention: Mention, glosses: Sequence[str]) -> Floats:
    """Count how many words of each gloss also occur near a mention of the acronym.

    A gloss lists words and acronyms that are frequent near its sense. This is the overlap of Lesk
    (1986), who compared the definitions of a word's senses with its context. Words are compared by
    their first `STEM` letters, and acronyms as they are written.

    Args:
        mention: The mention of the acronym, with the text around it.
        glosses: Gloss of each candidate, or an empty string for a candidate without a gloss.

    Returns:
        log(1 + the number of matching words) for each gloss, float32 [glosses].
    """
    starts, keywords = _scan_text(mention.text)
    first = bisect_left(starts, mention.start - GLOSS_REACH)
    last = bisect_left(starts, mention.end + GLOSS_REACH)
    near = set(keywords[first:last]).difference(_split_keywords(mention.acronym))
    counts = [len(near & _keywords_of(gloss)) if gloss else 0 for gloss in glosses]
    return np.log1p(np.array(counts, np.float32))


def _find_keywords(text: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the keywords of a text and the character offsets at which their tokens start."""
    starts, keywords = [], []
    for match in _TOKEN.finditer(text):
        for keyword in _split_keywords(match.group()):
            starts.append(match.start())
            keywords.append(keyword)
    return tuple(starts), tuple(keywords)


_scan_text = lru_cache(_TEXTS)(_find_keywords)


def _split_keywords(token: str) -> list[str]:
    """Return the acronym in a token, without a plural "s", and the stems of its longer words."""
    keywords = []
    if any(map(str.isupper, token[1:])):
        is_plural = token.endswith("s") and token[:-1].isupper()
        keywords.append(token[:-1] if is_plural else token)
    words = [word for word in _PART.split(token) if not word.rstrip("s").isupper()]
    return keywords + [word[:STEM].lower() for word in words if len(word) >= SHORTEST_WORD]


def _stems(text: str) -> frozenset[str]:
    words = _WORD.findall(text.lower())
    return frozenset(word[:STEM] for word in words if len(word) >= SHORTEST_WORD)


@lru_cache(_CACHED)
def _keywords_of(gloss: str) -> frozenset[str]:
    return frozenset(_find_keywords(gloss)[1])


_stems_of = lru_cache(_CACHED)(_stems)
