"""Find the long form next to an acronym, by aligning the acronym's letters with the words there."""

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
_MAX_LEADING: Final = 2  # tokens that may precede a long form in the text that is searched
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
"""A function that takes the properties of an acronym and a possible long form, and returns the
probability that they form a definition, 0 to 1."""


class Pairing(NamedTuple):
    """A possible long form of an acronym, found in the text next to it.

    Attributes:
        place: Start and end offsets of the long form in the text, or of its first words if `ending`
            is set.
        seen: Properties of the acronym and the long form, from which a `Score` function computes
            their probability.
        ending: Start and end offsets of the long form's last words if other words stand between
            them and the first words, as in `Definition.ending`. None if the long form is in one
            piece.
    """

    place: Offsets
    seen: PairFeatures
    ending: Offsets | None = None


def pair(text: str, site: Site, score: Score = confidence) -> tuple[Pairing, float] | None:
    """Return the most probable long form of an acronym among the words next to it.

    Args:
        text: Text of the document.
        site: Offsets of the acronym and of the text that may contain its long form.
        score: Function that returns the probability of an acronym and a long form, 0 to 1. By
            default, a logistic regression with the packaged weights is used.

    Returns:
        The long form and its probability, or None if no words match the acronym's letters.
    """
    best: tuple[Pairing, float] | None = None
    for pairing in possible_pairings(text, site):
        probability = score(pairing.seen)
        if best is None or probability > best[1]:
            best = pairing, probability
    return best


def possible_pairings(text: str, site: Site) -> list[Pairing]:
    """Return all possible long forms of an acronym in the text next to it.

    The long forms mainly differ in where they begin, because several of the words may begin with
    the acronym's first letter.

    Args:
        text: Text of the document.
        site: Offsets of the acronym and of the text that may contain its long form.

    Returns:
        The possible long forms, or an empty list. The last one has the alignment with the lowest
        cost. A long form comes first if it shares its last words with other long forms, as in
        `estrogen (ER) and progesterone receptors (PR)`.
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
    """Return whether a long form contains its acronym as a word, as "IP protocol" contains "IP".

    Such a long form is rejected. The result is False for recursive long forms such as "GNU's Not
    Unix", which are valid.
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
    """Return the start offset of an aligned long form.

    The long form includes the whole first word, and a bracket that opens before it.
    """
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
    """Return the alignments of an acronym with the text of a site, sorted by ascending cost.

    If the acronym has a subscript, as in ``pHi``, it is also aligned with its last letter moved to
    the front.
    """
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
    """Return whether the long form ends before the acronym and may begin anywhere in the clause."""
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
    """Check quickly whether a text may contain the long form of an acronym.

    The check is faster than an alignment. It tests whether the acronym's letters occur in order and
    whether the first letter begins a word.

    Args:
        acronym: The acronym, as returned by `read_acronym`.
        window: The text to search, converted by `tokens.fold`.

    Returns:
        False if no alignment is possible. True means that an alignment may exist.
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
    """Return whether a text contains all of an acronym's letters in order, except one inner letter.

    The text must be converted by `fold`. The first letter is never the missing one.
    """
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
    """Return the start offset of the word that a token ends, such as ``1,25-dihydroxy``.

    Prefixes such as numbers, single letters and Greek letter names belong to the word.
    """
    at = start
    while at and start - at < _PREFIX_WITHIN and not text[at - 1].isspace():
        at -= 1
    if not _PREFIX.match(text[at:start]):
        return start
    while at < start and text[at] in _OPENINGS and _is_closed(text[at + 1 : end]):
        at += 1
    return at
