"""The algorithm of Schwartz and Hearst (2003) for definitions of acronyms, in linear time.

The paper is "A Simple Algorithm for Identifying Abbreviation Definitions in Biomedical Text". It
leaves some details open. Three of them are decided as in the authors' program: a space precedes the
bracket, an acronym before its long form contains a capital, and a long form begins with a whole
word. Unlike the program, this module does not cut the text in a bracket at a comma or semicolon,
and it returns character offsets.
"""

import re
from typing import Final

from .mention import Definition
from .occurrences import has_word

_MIN_SHORT: Final = 2
_MAX_SHORT: Final = 10
# Long forms have at most 15 words, so this many characters before a bracket are enough.
_WINDOW: Final = 400

_BRACKET: Final = re.compile(r"\(([^()]+)\)")
_LETTER: Final = re.compile(r"[^\W\d_]")
_OPENING: Final = "([{\"'“‘«"
_LAST_WORD: Final = re.compile(r"(?<![^\s()])[^\s()]{2,10}(?=\s+\Z)")
_SENTENCE_END: Final = re.compile(r"[.!?]\s+(?=[^\W\d_a-z])|\n\s*\n")


def schwartz_hearst(text: str) -> list[Definition]:
    """Find definitions of the forms `long form (acronym)` and `acronym (long form)`.

    This is the algorithm of Schwartz and Hearst (2003, sections 3.1 and 3.2). An acronym has one or
    two words and 2 to 10 characters. It contains a letter, and begins with a letter or digit. The
    long form is next to the acronym in the same sentence. It has at most ``min(|A| + 5, 2 |A|)``
    words, where ``|A|`` is the number of letters and digits in the acronym. A long form in brackets
    has more than two words.

    Args:
        text: Text of the document.

    Returns:
        The definitions, in text order. Their confidence is always 1.
    """
    definitions = []
    for bracket in _BRACKET.finditer(text):
        inner = bracket[1].strip()
        opened, start = bracket.start(), bracket.start(1)
        if text[start].isspace():
            start = text.find(inner, start)
        if len(inner.split(None, 2)) < 3:
            acronym = inner
            acronym_span = (start, start + len(inner))
            left = max(0, opened - _WINDOW)
            window = text[left:opened].rstrip()
        else:
            word = _LAST_WORD.search(text, max(0, opened - 20), opened)
            if word is None or word[0].islower():
                continue
            acronym = word[0]
            acronym_span = word.span()
            left, window = start, inner
        if not is_acronym(acronym):
            continue
        begin = align(acronym, window)
        if begin < 0 or not text[opened - 1].isspace():
            continue
        if is_long_form(acronym, window[begin:]):
            long_form_span = (left + begin, left + len(window))
            definitions.append(Definition(acronym_span, long_form_span))
    return definitions


def is_acronym(candidate: str) -> bool:
    """Return whether a string has the form that Schwartz and Hearst require of an acronym.

    It must have 2 to 10 characters, begin with a letter or digit, and contain a letter.

    Args:
        candidate: A string of one or two words.
    """
    return (
        _MIN_SHORT <= len(candidate) <= _MAX_SHORT
        and candidate[0].isalnum()
        and _LETTER.search(candidate) is not None
    )


def align(acronym: str, window: str) -> int:
    """Find the start of a long form by matching the characters of its acronym from right to left.

    Each letter or digit of the acronym is matched with the last possible character before the
    previous match. The first one must begin a run of letters and digits.

    Args:
        acronym: The acronym to match, such as ``HMM``.
        window: Text that ends with the long form, such as ``we use a hidden Markov model``.

    Returns:
        Offset in `window` of the word with the acronym's first character, which is 9 in this
        example. The result is -1 if the characters don't match.
    """
    lowered = window.lower()
    if len(lowered) != len(window):  # a letter such as "İ" has two characters in lower case
        lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in window)
    at = len(window)
    for character in acronym[:0:-1].lower():
        if character.isalnum():
            at = lowered.rfind(character, 0, at)
            if at < 0:
                return -1
    first = acronym[0].lower()
    at = lowered.rfind(first, 0, at)
    while at > 0 and lowered[at - 1].isalnum():
        at = lowered.rfind(first, 0, at)
    while at > 0 and not window[at - 1].isspace() and window[at - 1] not in _OPENING:
        at -= 1
    return at


def is_long_form(acronym: str, candidate: str) -> bool:
    """Return whether a text whose letters match an acronym is a valid long form.

    A valid long form is not shorter than the acronym and has at most ``min(|A| + 5, 2 |A|)`` words,
    where ``|A|`` is the number of letters and digits in the acronym. It must not contain the end of
    a sentence or the acronym itself.

    Args:
        acronym: The acronym, such as ``HMM``.
        candidate: The text to check, such as ``hidden Markov model``.
    """
    size = sum(map(str.isalnum, acronym))
    return (
        len(candidate) >= len(acronym)
        and len(candidate.split()) <= min(size + 5, 2 * size)
        and _SENTENCE_END.search(candidate) is None
        and not has_word(candidate, acronym)
    )
