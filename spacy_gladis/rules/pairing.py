"""From a site to a long form: the words beside the acronym, aligned and trimmed."""

import re

from .acronym import Acronym, read_acronym
from .alignment import LEFT_OUT, Alignment, align
from .folding import fold
from .initials import initials_before
from .scoring import Evidence, evidence
from .sites import Site
from .tokens import tokens_before, tokens_of

_WINDOW, _WINDOW_PER_LETTER = 40, 14  # characters before an acronym that are looked at
_LIMIT, _LIMIT_PER_LETTER = 1.5, 0.7  # cost of an alignment
_MAX_LEADING = 2  # tokens that may stand before a long form at the beginning of its stretch
_TRAILING = "\"'“”‘’«»„,"
_ENDS = ".;:!?"  # a long form does not end a sentence or a clause
# What belongs to a long form's first word before its first aligned letter: "1,25-", "N-", "α-"; an
# article such as "l'" does not.
_PREFIX = re.compile(
    r"(?!\w{1,2}['’]\Z)(?=.*\w)"
    r"(?:[\d,.'′’()\[\]+-]|(?<!\w)[^\W\d_](?!\w)|alpha|beta|gamma|delta)+\Z",
    re.IGNORECASE,
)
_PREFIX_WITHIN = 60  # characters


def pair(text: str, site: Site) -> tuple[tuple[int, int], Evidence] | None:
    """The best long form at a site and what the scorer sees of it; None when there is none."""
    acronym = read_acronym(text[slice(*site.acronym)])
    if acronym is None:
        return None
    clause = site.long_first and not site.begin
    quick = initials_before(text, site.end, acronym) if clause else None
    if quick:
        start, _, steps = quick
    else:
        found = _aligned(text, site, acronym)
        if acronym.subscript:
            other = _aligned(text, site, acronym.turned())
            if other and (found is None or found.steps.rstrip(LEFT_OUT)[-1] in "ix"):
                found = other._replace(steps="o" + other.steps[1:])
        if found is None:
            return None
        steps = found.steps
        start = found.first.start if found.first.is_first else _word_start(text, found.first.start)
    end = site.end
    while end > start and (text[end - 1].isspace() or text[end - 1] in _TRAILING):
        end -= 1
    if end <= start or text[end - 1] in _ENDS:
        return None
    return (start, end), evidence(
        text, site.acronym, acronym.shape, text[start:end], site.pattern, steps
    )


def _aligned(text: str, site: Site, acronym: Acronym) -> Alignment | None:
    count = len(acronym.letters)
    size = _WINDOW + _WINDOW_PER_LETTER * count
    most = 2 * count + 6  # tokens
    limit = _LIMIT + _LIMIT_PER_LETTER * count
    clause = site.long_first and not site.begin
    begin = max(0, site.end - size) if clause else site.begin
    if not may_align(acronym, fold(text[begin : site.end])):
        return None
    if clause:
        return align(acronym, tokens_before(text, site.end, size), most, limit)
    tokens = tokens_of(text[begin : site.end], begin)
    if not site.long_first and len(tokens) > most:
        return None
    found = align(acronym, reversed(tokens), most, limit)
    if found and not site.long_first and found.first not in tokens[: _MAX_LEADING + 1]:
        return None
    return found


def may_align(acronym: Acronym, window: str) -> bool:
    """Whether an acronym's letters are in a folded window, in their order: a quick look."""
    letters = acronym.letters
    if acronym.shape == "title" and len(letters) > 4 and " " + letters[:2] not in window:
        return False
    at = len(window)
    for letter in reversed(letters):
        if not letter.isdigit():
            at = window.rfind(letter, 0, at)
            if at < 0:
                return False
    while at > 0 and window[at - 1].isalnum():
        at = window.rfind(letters[0], 0, at)
    return at >= 0


def _word_start(text: str, start: int) -> int:
    """Where the word of a token begins: numbers, single letters and the like before it belong."""
    at = start
    while at and start - at < _PREFIX_WITHIN and not text[at - 1].isspace():
        at -= 1
    prefix = text[at:start]
    if not _PREFIX.match(prefix):
        return start
    return at + len(prefix) - len(prefix.lstrip("([\"'“‘«"))
