"""When two long forms of an acronym are two wordings of one meaning."""

import re
from collections import Counter

from rapidfuzz.distance import OSA

from ..dictionary.same_key import same_key
from ..dictionary.spellings import same_meaning
from ..rules import base_form
from ..rules.folding import fold

_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset(
    ["a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "via", "with"]
)
_ALIKE = 0.75  # of the letters, in words that differ by a slip or an ending
_JOINED = 0.9  # of the letters, where words are joined or parted
_SHARED = 0.6  # of the shorter word's letters, from the first on
_SHORTEST = 3  # letters that words share
_INITIAL = re.compile(r"[a-z]x?")  # "I/O", "E. coli", "Rx"


def is_wording(one: str, other: str) -> bool:
    """Whether two long forms may be wordings of one meaning.

    They are where they are spellings of one, where a slip or an ending tells them apart, where
    words are joined or shortened to initials, or where one has all the words of the other.
    """
    if same_meaning(one, other):
        return True
    left, right = _words(one), _words(other)
    left, right = _spelled_out(left, right), _spelled_out(right, left)
    joined, other_joined = "".join(left), "".join(right)
    alike = OSA.normalized_similarity(joined, other_joined) >= _JOINED
    fewer, more = sorted((left, right), key=len)
    return (alike and _digits(joined) == _digits(other_joined)) or all(
        any(_same_word(word, there) for there in more) for word in fewer
    )


def spells_last(acronym: str, long_form: str) -> bool:
    """Whether the acronym has a letter for the last word: none has it where "MAP" is short for
    "maximum a posteriori estimation", or "VAR" for "vector autoregressive process"."""
    *words, last = _WORD.findall(long_form.lower())
    letters = Counter(filter(str.isalpha, base_form(acronym).lower()))
    return last[0] in letters - Counter(word[0] for word in words)


def is_initialism(acronym: str, long_form: str) -> bool:
    """Whether each letter begins a word, in the words' order, and but one word is left over; none
    where the letters are two. Units are none: "mV"."""
    letters = [letter for letter in base_form(acronym) if letter.isalpha()]
    if len(letters) < 2 or (len(letters) == 2 and letters[0].islower()):
        return False
    left, wanted = 0, [letter.lower() for letter in letters]
    for word in _WORD.findall(long_form.lower()):
        if wanted and word[0] == wanted[0]:
            wanted.pop(0)
        else:
            left += word not in _SMALL and not word.isdecimal()
    return not wanted and left <= (len(letters) > 2)


def without_kind(acronym: str, long_form: str) -> str:
    """A long form without a last word that only says of what kind the thing is."""
    words = long_form.split()
    return long_form if len(words) < 3 or spells_last(acronym, long_form) else " ".join(words[:-1])


def _words(long_form: str) -> list[str]:
    words = (word for word in _WORD.findall(fold(long_form)) if word not in _SMALL)
    return [re.sub("ices$", "ex", word) for word in words]  # "indices", "matrices"


def _digits(text: str) -> str:
    return "".join(filter(str.isdecimal, text))


def _spelled_out(words: list[str], other: list[str]) -> list[str]:
    """The words, with those of the other long form in the place of their initials: "PSF"."""
    initials = "".join(word[0] for word in other)
    spelled = []
    for word in words:
        at = initials.find(word) if len(word) > 1 else -1
        spelled += [word] if at < 0 else other[at : at + len(word)]
    return spelled


def _same_word(one: str, other: str) -> bool:
    """Whether two words are one, in other forms, shortened, or with a slip."""
    if one == other or same_key(one) == same_key(other):
        return True
    if one[0] == other[0] and any(map(_INITIAL.fullmatch, (one, other))):
        return True
    short, long = sorted((one, other), key=len)
    if len(short) == 2 and long.startswith(short):  # "op" and "operation"
        return True
    if len(short) < _SHORTEST or not (one + other).isalpha():
        return False
    if long.endswith(short) or long.startswith(short):  # "kit" and "toolkit", "max" and "maximum"
        return True
    if one[0] != other[0] or len(short) == _SHORTEST:
        return False
    shared = max(_SHORTEST, round(_SHARED * len(short)))
    return one[:shared] == other[:shared] or OSA.normalized_similarity(one, other) >= _ALIKE
