"""What a long form's own words tell, beside what the encoder reads in them."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ..arrays import Floats
from ..rules import Mention
from ..rules.alignment import has_initials

REACH = 300
"""Characters on each side of a mention in which a long form's words are looked for."""

SHORTEST, STEM = 4, 5
"""Words of fewer letters are not looked for; of longer ones so many letters must agree."""

_WORD = re.compile(r"[^\W_]+")
REMEMBERED = 1 << 15


def initials(acronym: str, long_forms: Sequence[str]) -> Floats:
    """1 where a long form's initials spell the acronym, float32 [long forms].

    A list of names gathered elsewhere offers "cadaver" for CD as well as "celiac disease": what
    has the acronym's letters somewhere may be abbreviated so, what begins with them mostly is.
    Texts that define an acronym otherwise ("deoxyribonucleic acid") attest it by their counts.
    """
    return np.array([_has_initials(acronym, name) for name in long_forms], np.float32)


def overlap(context: Mention, long_forms: Sequence[str]) -> Floats:
    """How many of each long form's words stand near the mention, float32 [long forms].

    A text repeats some of an acronym's words beside it: "the GTD dataset" is a dataset.
    """
    text, start, end, _ = context
    near = _words(f"{text[max(0, start - REACH) : start]} {text[end : end + REACH]}")
    return np.array([len(_words_of(name) & near) for name in long_forms], np.float32)


def _words(text: str) -> frozenset[str]:
    found = _WORD.findall(text.lower())
    return frozenset(word[:STEM] for word in found if len(word) >= SHORTEST)


_has_initials = lru_cache(REMEMBERED)(has_initials)
_words_of = lru_cache(REMEMBERED)(_words)
