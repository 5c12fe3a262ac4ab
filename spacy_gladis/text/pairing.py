"""Find the long form next to an acronym by aligning the acronym's letters with the words there."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from .acronym import Acronym, read_acronym
from .alignment import DIPHTHONGS, Alignment, align
from .bracket_candidates import Site
from .coordinated import shared_ending
from .initials import initials_before, kept_word_before
from .mention import Offsets
from .occurrences import has_word
from .scoring import PairFeatures, confidence, describe
from .tokens import fold, tokens_before, tokens_of

_WINDOW: Final = 40  # number of characters before an acronym that are searched
_WINDOW_PER_LETTER: Final = 14
_LIMIT: Final = 2.5  # maximum cost of an alignment
_LIMIT_PER_LETTER: Final = 0.7
_MARGIN: Final = 1.5  # how much more a longer alignment may cost than a shorter one
_BEGINS_WORDS: Final = frozenset("WPF")
_PARTIAL: Final = 4  # minimum letters of an acronym if its long form may lack one
_RECURSIVE: Final = 3  # minimum words of a long form that begins with the acronym itself
_MAX_LEADING: Final = 2  # tokens that may precede a long form at the beginning of its stretch
_TRAILING: Final = "\"'“”‘’«»„,"
_OPENINGS: Final = "([\"'“‘«"
# A note number, a reference or a year after the long form of an acronym without digits.
_NOTE: Final = re.compile(r"(?:(?<=[^\W\d_])\s\d{1,4}|\s?\[\d[\d,\s–-]*\])\Z")
_LONGEST_NOTE: Final = 16  # maximum characters of such a note
_ENDS: Final = ".;:!?"  # a long form does not end a sentence or a clause
# Prefixes that belong to a long form's first word: "1,25-", "N-", "α-". An article such as "l'"
# does not.
_PREFIX: Final = re.compile(
    r"(?!\w{1,2}['’]\Z)(?=.*\w)"
    r"(?:[\d,.'′’()\[\]/+-]|\[\d+[A-Z][a-z]?\]|(?<!\w)[^\W\d_](?!\w)|alpha|beta|gamma|delta)+\Z",
    re.IGNORECASE,
)
_PREFIX_WITHIN: Final = 60  # maximum characters of such a prefix

Score = Callable[[PairFeatures], float]
"""A function that returns the probability that a pair is a definition, 0 to 1."""


class Pairing(NamedTuple):
    """A possible long form next to an acronym.

    Attributes:
        place: Character offsets of the long form, or of its first words.
        seen: The properties of the pair from which the scorer computes its probability.
        ending: Character offsets of the last words if they are separate, as in `Definition`.
    """

    place: Offsets
    seen: PairFeatures
    ending: Offsets | None = None


def pair(text: str, site: Site, score: Score = confidence) -> tuple[Pairing, float] | None:
    """Return the most likely long form next to an acronym.

    Args:
        text: Text of the document.
        site: The acronym and the text that may contain its long form.
        score: Function that returns the probability of a pair, 0 to 1. Defaults to the scorer with
            the packaged weights.

    Returns:
        The long form and its probability, or None if there is no long form.
    """
    best: tuple[Pairing, float] | None = None
    for pairing in possible_pairings(text, site):
        probability = score(pairing.seen)
        if best is None or probability > best[1]:
            best = pairing, probability
    return best


def possible_pairings(text: str, site: Site) -> list[Pairing]:
    """Return all possible long forms next to an acronym.

    The long forms differ in where they begin.

    Args:
        text: Text of the document.
        site: The acronym and the text that may contain its long form.

    Returns:
        The long forms. A long form that shares its last words with others comes first, and the long
        form with the cheapest alignment comes last.
    """
    short_start, short_end = site.acronym
    begin, end, long_first = site.begin, site.end, site.long_first
    short = text[short_start:short_end]
    acronym = read_acronym(short)
    if acronym is None:
        return []
    while end > begin and (text[end - 1].isspace() or text[end - 1] in _TRAILING):
        end -= 1
    if end == 0 or text[end - 1] in _ENDS:
        return []
    pairings: list[Pairing] = []
    is_clause = _ends_clause(site)
    if is_clause and (text[end - 1] == "]" or text[end - 1].isdigit()) and short.isalpha():
        note = _NOTE.search(text, max(begin, end - _LONGEST_NOTE), end)
        if note:
            end = note.start()
            site = Site(site.acronym, site.pattern, begin, end, long_first)
    quick = initials_before(text, site.end, acronym) if is_clause else None
    if is_clause and not quick and "-" in short:
        quick = kept_word_before(text, end, short)
    if quick:
        starts = {quick.start: quick.steps}
    else:
        aligned = _aligned(text, site, acronym)
        starts = {_begin(text, alignment, end): alignment.steps for alignment in reversed(aligned)}
        coordinated = shared_ending(text, end, short_end, acronym) if is_clause else None
        if coordinated:
            place = coordinated.start, end
            seen = describe(text, site, acronym, place, coordinated.steps)
            pairings.append(Pairing(place, seen, coordinated.ending))
    for start, steps in starts.items():
        if start >= end or text.find("=", start, end) >= 0:
            continue
        words = text[start:end]
        if words.lower() != short.lower() and not _holds(words, short):
            place = (start, end)
            pairings.append(Pairing(place, describe(text, site, acronym, place, steps)))
    return pairings


def _holds(words: str, short: str) -> bool:
    """Return whether a long form contains its acronym, as "IP protocol" does.

    The result is False for recursive long forms such as "GNU's Not Unix", which are valid.
    """
    if not has_word(words, short):
        return False
    first, *others = words.split()
    if len(others) + 1 < max(_RECURSIVE, len(short)):
        return True
    initials = iter(word[0].lower() for word in others if word[0].isalnum())
    return not (
        words.startswith(short)
        and "/" not in first
        and all(letter in initials for letter in short[1:].lower())
    )


def _begin(text: str, alignment: Alignment, end: int) -> int:
    """Return the start of a long form, including its whole first word and any opening bracket."""
    start = alignment.first.start
    if not alignment.first.is_first:
        start = _word_start(text, start, end)
    if start and text[start - 1] in "([" and not _is_closed(text[start:end]):
        start -= 1
    return start


def _is_closed(text: str) -> bool:
    """Return whether every closing bracket has an opening bracket before it."""
    depth = 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if depth < 0:
            return False
    return True


def _aligned(text: str, site: Site, acronym: Acronym) -> list[Alignment]:
    """Return the alignments for a site, cheapest first, also with the last letter moved first."""
    count = len(acronym.letters)
    size = _WINDOW + _WINDOW_PER_LETTER * count if _ends_clause(site) else site.end - site.begin
    window = fold(text[max(0, site.end - size) : site.end])
    alignments = _align(text, site, acronym, size) if may_align(acronym, window) else []
    if acronym.subscript and may_align(rotated := acronym.rotate(), window):
        for alignment in _align(text, site, rotated, size):
            if count < 3 or not _BEGINS_WORDS.isdisjoint(alignment.steps[1:]):
                alignments.append(alignment._replace(steps="o" + alignment.steps[1:]))
    if not alignments and _may_be_partial(acronym, window):
        partial = _align(text, site, acronym, size, True)
        alignments = [alignment for alignment in partial if alignment.steps.count("?") == 1]
    return sorted(alignments, key=lambda alignment: alignment.cost)


def _ends_clause(site: Site) -> bool:
    """Return whether the long form may begin anywhere in the clause before the acronym."""
    return site.long_first and not site.begin


def _may_be_partial(acronym: Acronym, window: str) -> bool:
    """Check quickly whether most of an acronym's letters begin words of the searched text."""
    letters = acronym.letters
    if len(letters) < _PARTIAL or acronym.shape not in ("upper", "mixed"):
        return False
    near = window[-_WINDOW_PER_LETTER * len(letters) :]
    initials = {word[0] for word in near.replace("-", " ").split()}
    begun = sum(map(initials.__contains__, letters))
    return 2 * begun > len(letters) and _may_miss_one(acronym, window)


def _align(
    text: str, site: Site, acronym: Acronym, size: int, partial: bool = False
) -> list[Alignment]:
    count = len(acronym.letters)
    most = 2 * count + 6  # tokens
    limit = _LIMIT + _LIMIT_PER_LETTER * count
    if _ends_clause(site):
        return align(acronym, tokens_before(text, site.end, size), most, limit, _MARGIN, partial)
    tokens = tokens_of(text[site.begin : site.end], site.begin)
    if not site.long_first and len(tokens) > most:
        return []
    alignments = align(acronym, reversed(tokens), most, limit, _MARGIN, partial)
    if site.long_first:
        return alignments
    return [alignment for alignment in alignments if alignment.first in tokens[: _MAX_LEADING + 1]]


def may_align(acronym: Acronym, window: str) -> bool:
    """Check quickly whether a text contains an acronym's letters in order.

    Args:
        acronym: The acronym, prepared for matching.
        window: The text to search, folded by `tokens.fold`.

    Returns:
        False if no alignment is possible, else True.
    """
    letters = acronym.letters
    if acronym.shape == "title" and len(letters) > 4 and " " + letters[:2] not in window:
        return False
    at = len(window)
    for letter in reversed(letters):
        if letter.isalpha():
            at = window.rfind(letter, 0, at)
            if at < 0:
                return False
    while at > 0 and window[at - 1].isalnum():
        if window[at - 1 : at + 1] in DIPHTHONGS and not window[max(0, at - 2) : at - 1].isalnum():
            break
        at = window.rfind(letters[0], 0, at)
    return at >= 0


def _may_miss_one(acronym: Acronym, window: str) -> bool:
    """Return whether a folded text contains all letters in order, except one after the first."""
    letters = [c for c in acronym.letters[: -1 if acronym.plural else None] if c.isalpha()]
    ends = [0]  # by the number of letters: end of the shortest prefix that contains them
    for letter in letters:
        at = window.find(letter, ends[-1])
        if at < 0:
            break
        ends.append(at + 1)
    at = len(window)
    for missing in range(len(letters) - 1, acronym.letters[0].isalpha() - 1, -1):
        if missing < len(ends) and ends[missing] <= at:
            return True
        at = window.rfind(letters[missing], 0, at)
        if at < 0:
            break
    return False


def _word_start(text: str, start: int, end: int) -> int:
    """Return the start of a token's word, including prefixes such as numbers and single letters."""
    at = start
    while at and start - at < _PREFIX_WITHIN and not text[at - 1].isspace():
        at -= 1
    if not _PREFIX.match(text[at:start]):
        return start
    while at < start and text[at] in _OPENINGS and _is_closed(text[at + 1 : end]):
        at += 1
    return at
