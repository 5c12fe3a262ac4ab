"""The algorithm of Schwartz and Hearst (2003), with character offsets and in linear time.

The paper is "A Simple Algorithm for Identifying Abbreviation Definitions in Biomedical Text". Where
it leaves details open, this module follows the authors' program: a space precedes the bracket, an
acronym before its long form contains a capital, and a long form begins with a whole word.
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
    """Find definitions like `long form (acronym)` and `acronym (long form)` (sections 3.1 and 3.2).

    An acronym has one or two words and 2 to 10 characters, contains a letter, and begins with a
    letter or digit. Its long form is next to it in the same sentence, and has at most ``min(|A| +
    5, 2 |A|)`` words, where ``|A|`` is the acronym's number of letters and digits. A long form in
    brackets has more than two words.

    Args:
        text: Text of the document.

    Returns:
        The definitions, in text order.
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
    """Return whether a string has the form of an acronym.

    Args:
        candidate: A string of one or two words.
    """
    return (
        _MIN_SHORT <= len(candidate) <= _MAX_SHORT
        and candidate[0].isalnum()
        and _LETTER.search(candidate) is not None
    )


def align(acronym: str, window: str) -> int:
    """Find the start of a long form by matching an acronym's characters from right to left.

    Args:
        acronym: The acronym to match.
        window: Text that ends with the long form.

    Returns:
        Offset in `window` of the word that contains the acronym's first character, or -1 if the
        characters don't match.
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
    """Return whether a text that matches an acronym is a valid long form.

    A valid long form is neither too long nor too short, stays within a sentence, and doesn't
    contain the acronym.

    Args:
        acronym: The acronym.
        candidate: The text that matches the acronym's characters.
    """
    size = sum(map(str.isalnum, acronym))
    return (
        len(candidate) >= len(acronym)
        and len(candidate.split()) <= min(size + 5, 2 * size)
        and _SENTENCE_END.search(candidate) is None
        and not has_word(candidate, acronym)
    )
