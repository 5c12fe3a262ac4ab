"""From a site to a scored definition: the words beside the acronym, aligned and trimmed."""

import re
from collections.abc import Iterable

from spacy_gladis.rules.acronym import Acronym, read_acronym
from spacy_gladis.rules.alignment import align
from spacy_gladis.rules.folding import fold
from spacy_gladis.rules.scoring import Evidence, evidence
from spacy_gladis.rules.sites import Site
from spacy_gladis.rules.tokens import Token, tokens_before, tokens_of

_WINDOW, _WINDOW_PER_LETTER = 40, 14  # characters before an acronym that are looked at
_MAX_LEADING = 2  # tokens that may stand before a long form at the beginning of its stretch
_TRAILING = " \t\r\n\"'“”‘’«»„,"
# What belongs to a long form's first word before its first aligned letter: "1,25-", "N-", "α-"; an
# article such as "l'" does not.
_PREFIX = re.compile(
    r"(?!\w{1,2}['’]\Z)(?=.*\w)(?:[\d,.'′’()\[\]+-]|(?<!\w)[^\W\d_](?!\w)|alpha|beta|gamma|delta)+\Z",
    re.IGNORECASE,
)


def pair(text: str, site: Site) -> tuple[tuple[int, int], Evidence] | None:
    """The best long form at a site and what the scorer sees of it; None when there is none."""
    acronym = read_acronym(text[slice(*site.acronym)])
    if acronym is None:
        return None
    quick = (
        _initials(text, site, acronym)
        if site.long_first and not site.begin and acronym.shape != "title"
        else None
    )
    if quick:
        start, steps = quick
    else:
        count = len(acronym.letters)
        most = 2 * count + 6
        size = _WINDOW + _WINDOW_PER_LETTER * count
        bounded = site.begin > 0 or not site.long_first
        begin = site.begin if bounded else max(0, site.end - size)
        if not may_align(acronym, fold(text[begin : site.end])):
            return None
        tokens: Iterable[Token]
        if bounded:
            listed = tokens_of(text[begin : site.end], begin)
            if not site.long_first and len(listed) > most:
                return None
            tokens = reversed(listed)
        else:
            tokens = tokens_before(text, site.end, size)
        found = align(acronym, tokens, most, 0.7 * count + 1.5)
        if found is None:
            return None
        if not site.long_first and found.first not in listed[: _MAX_LEADING + 1]:
            return None
        start = found.first.start if found.first.is_first else _word_start(text, found.first.start)
        steps = found.steps
    end = site.end
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    if end <= start:
        return None
    long_form = text[start:end]
    return (start, end), evidence(text, site.acronym, acronym.shape, long_form, site.pattern, steps)


import os

SIZE = int(os.environ.get("SIZE", "40"))


def may_align(acronym, window: str) -> bool:
    at = len(window)
    letters = acronym.letters
    if acronym.shape == "title" and len(letters) > 4 and " " + letters[:2] not in window:
        return False
    for letter in reversed(letters):
        if not letter.isdigit():
            at = window.rfind(letter, 0, at)
            if at < 0:
                return False
    while at > 0 and window[at - 1].isalnum():
        at = window.rfind(letters[0], 0, at)
    return at >= 0


def _initials(text: str, site: Site, acronym: Acronym) -> tuple[int, str] | None:
    """The quick way for the common case: words that each give a first letter, or are short.

    Returns where the long form begins and the steps of its alignment.
    """
    letters = acronym.letters
    left = len(letters)
    steps = ""
    if acronym.plural:
        left -= 1
        steps = "-"
    begin = max(0, site.end - 16 * left - 16)
    window = text[begin : site.end]
    words = window.split()
    if begin and words:
        del words[0]  # the edge may cut it
    at = len(window)
    for word in reversed(words):
        at = window.rfind(word, 0, at)
        if word.isalpha():
            if word[0].lower() == letters[left - 1]:
                left -= 1
                steps = "W" + steps
            elif len(word) < 4 and steps:
                steps = "s" + steps
            else:
                return None
        else:
            parts = word.split("-")
            for part in reversed(parts):
                if not part.isalpha() or left == 0 or part[0].lower() != letters[left - 1]:
                    return None
                left -= 1
                steps = "P" + steps
            steps = "W" + steps[1:]
        if left == 0:
            return begin + at, steps
    return None


def _word_start(text: str, start: int) -> int:
    """Where the word of a token begins: numbers, single letters and the like before it belong."""
    at = start
    while at and start - at < 60 and not text[at - 1].isspace():
        at -= 1
    prefix = text[at:start]
    if not _PREFIX.match(prefix):
        return start
    return at + len(prefix) - len(prefix.lstrip("([\"'“‘«"))
