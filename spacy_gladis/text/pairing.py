"""From a site to a long form: the words beside the acronym, aligned and trimmed."""

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

_WINDOW: Final = 40  # characters before an acronym that are looked at
_WINDOW_PER_LETTER: Final = 14
_LIMIT: Final = 2.5  # cost of an alignment
_LIMIT_PER_LETTER: Final = 0.7
_MARGIN: Final = 1.5  # a longer alignment may cost so much more than a shorter one
_BEGINS_WORDS: Final = frozenset("WPF")
_PARTIAL: Final = 4  # letters of an acronym of which one may be missing from its long form
_RECURSIVE: Final = 3  # words at least of a long form that begins with its own acronym
_MAX_LEADING: Final = 2  # tokens that may stand before a long form at the beginning of its stretch
_TRAILING: Final = "\"'“”‘’«»„,"
_OPENINGS: Final = "([\"'“‘«"
# The number of a note or a reference, or a year, behind the long form of an acronym of letters.
_NOTE: Final = re.compile(r"(?:(?<=[^\W\d_])\s\d{1,4}|\s?\[\d[\d,\s–-]*\])\Z")
_LONGEST_NOTE: Final = 16  # characters
_ENDS: Final = ".;:!?"  # a long form does not end a sentence or a clause
# What belongs to a long form's first word before its first aligned letter: "1,25-", "N-", "α-"; an
# article such as "l'" does not.
_PREFIX: Final = re.compile(
    r"(?!\w{1,2}['’]\Z)(?=.*\w)"
    r"(?:[\d,.'′’()\[\]/+-]|\[\d+[A-Z][a-z]?\]|(?<!\w)[^\W\d_](?!\w)|alpha|beta|gamma|delta)+\Z",
    re.IGNORECASE,
)
_PREFIX_WITHIN: Final = 60  # characters

Score = Callable[[PairFeatures], float]


class Pairing(NamedTuple):
    """A long form that may be at a site, and what the scorer sees of it."""

    place: Offsets
    seen: PairFeatures
    ending: Offsets | None = None  # as in Definition


def pair(text: str, site: Site, score: Score = confidence) -> tuple[Pairing, float] | None:
    """The likeliest long form at a site and its probability; None when there is none."""
    best: tuple[Pairing, float] | None = None
    for one in possible_pairings(text, site):
        likely = score(one.seen)
        if best is None or likely > best[1]:
            best = one, likely
    return best


def possible_pairings(text: str, site: Site) -> list[Pairing]:
    """The long forms that may be at a site. They end alike, and differ in where they begin."""
    begun, stop = site.acronym
    begin, end, long_first = site.begin, site.end, site.long_first
    short = text[begun:stop]
    acronym = read_acronym(short)
    if acronym is None:
        return []
    while end > begin and (text[end - 1].isspace() or text[end - 1] in _TRAILING):
        end -= 1
    if end == 0 or text[end - 1] in _ENDS:
        return []
    found: list[Pairing] = []
    clause = _ends_clause(site)
    if clause and (text[end - 1] == "]" or text[end - 1].isdigit()) and short.isalpha():
        note = _NOTE.search(text, max(begin, end - _LONGEST_NOTE), end)
        if note:
            end = note.start()
            site = Site(site.acronym, site.pattern, begin, end, long_first)
    quick = initials_before(text, site.end, acronym) if clause else None
    if clause and not quick and "-" in short:
        quick = kept_word_before(text, end, short)
    if quick:
        starts = {quick.start: quick.steps}
    else:
        aligned = _aligned(text, site, acronym)
        starts = {_begin(text, one, end): one.steps for one in reversed(aligned)}
        both = shared_ending(text, end, stop, acronym) if clause else None
        if both:
            place = both.start, end
            seen = describe(text, site, acronym, place, both.steps)
            found.append(Pairing(place, seen, both.ending))
    for start, steps in starts.items():
        if start >= end or text.find("=", start, end) >= 0:
            continue
        words = text[start:end]
        if words.lower() != short.lower() and not _holds(words, short):
            place = (start, end)
            found.append(Pairing(place, describe(text, site, acronym, place, steps)))
    return found


def _holds(words: str, short: str) -> bool:
    """Whether words hold their acronym, as "IP protocol" does; "GNU's Not Unix" spells it anew."""
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


def _begin(text: str, found: Alignment, end: int) -> int:
    """Where a long form begins: with the whole first word, and with the bracket that it closes."""
    start = found.first.start
    if not found.first.is_first:
        start = _word_start(text, start, end)
    if start and text[start - 1] in "([" and not _is_closed(text[start:end]):
        start -= 1
    return start


def _is_closed(text: str) -> bool:
    """Whether every closing bracket has an opening one before it."""
    depth = 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if depth < 0:
            return False
    return True


def _aligned(text: str, site: Site, acronym: Acronym) -> list[Alignment]:
    """The alignments at a site, its words read as they stand or with the last letter first."""
    count = len(acronym.letters)
    size = _WINDOW + _WINDOW_PER_LETTER * count if _ends_clause(site) else site.end - site.begin
    window = fold(text[max(0, site.end - size) : site.end])
    found = _align(text, site, acronym, size) if may_align(acronym, window) else []
    if acronym.subscript and may_align(rotated := acronym.rotate(), window):
        for other in _align(text, site, rotated, size):
            if count < 3 or not _BEGINS_WORDS.isdisjoint(other.steps[1:]):
                found.append(other._replace(steps="o" + other.steps[1:]))
    if not found and _may_be_partial(acronym, window):
        partial = _align(text, site, acronym, size, True)
        found = [one for one in partial if one.steps.count("?") == 1]
    return sorted(found, key=lambda one: one.cost)


def _ends_clause(site: Site) -> bool:
    """Whether a long form may begin anywhere in the clause before the acronym."""
    return site.long_first and not site.begin


def _may_be_partial(acronym: Acronym, window: str) -> bool:
    """Whether more than half of an acronym's letters begin words of the stretch: a quick look."""
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
    found = align(acronym, reversed(tokens), most, limit, _MARGIN, partial)
    if site.long_first:
        return found
    return [one for one in found if one.first in tokens[: _MAX_LEADING + 1]]


def may_align(acronym: Acronym, window: str) -> bool:
    """Whether an acronym's letters are in a folded window, in their order: a quick look."""
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
    """Whether the letters but one, not the first, are in a folded window, in their order."""
    letters = [one for one in acronym.letters[: -1 if acronym.plural else None] if one.isalpha()]
    ends = [0]  # where the shortest beginning of the window with so many letters ends
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
    """Where the word of a token begins: numbers, single letters and the like before it belong."""
    at = start
    while at and start - at < _PREFIX_WITHIN and not text[at - 1].isspace():
        at -= 1
    if not _PREFIX.match(text[at:start]):
        return start
    while at < start and text[at] in _OPENINGS and _is_closed(text[at + 1 : end]):
        at += 1
    return at
