"""Long forms that share their last words: `scanning (SEM) and transmission (TEM) electron
microscopy`, `estrogen (ER) and progesterone receptors (PR)`."""

import re
from typing import Final, NamedTuple

from .acronym import Acronym, read_acronym
from .alignment import align
from .mention import Offsets
from .tokens import tokens_before

_MOST_SHARED: Final = 3  # words
_MOST_MEMBERS: Final = 16  # behind an acronym; no longer list shares an ending
_WINDOW: Final = 20  # characters before the bracket that are looked at
_WINDOW_PER_LETTER: Final = 14
_LIMIT_PER_LETTER: Final = 0.9  # cost of an alignment
_CLOSES: Final = re.compile(r"[^()\[\]]{0,3}[)\]]")
_AND: Final = r"(?:,?\s+(?:and|or|und|et|y)\s+|,\s+)(?!\s)"
_BRACKET: Final = r"[(\[]([^\s()\[\]]{2,12})[)\]]"
# Another member of the list: ", diethyl-[DEP]", "and progesterone receptors (PR)".
_MEMBER: Final = re.compile(rf"{_AND}([^()\[\],;.:]{{2,60}}?)(?:\s|(?<=-)){_BRACKET}")
_PREVIOUS: Final = re.compile(rf"{_BRACKET}{_AND}\Z")
_PREVIOUS_WITHIN: Final = 24  # characters
_SHARED: Final = re.compile(r"\s+((?:[^\W\d_][\w-]*\s+){0,2}[^\W\d_][\w-]*)")
_OWN_WORDS: Final = re.compile(r"\S+\s+(.+)", re.DOTALL)
_WORD: Final = re.compile(r"\S+")


class Coordinated(NamedTuple):
    """A long form in two places."""

    start: int  # of its own words, which end where the bracket opens
    ending: Offsets  # where the shared words stand
    steps: str  # as in alignment.COST


def shared_ending(text: str, end: int, acronym_end: int, acronym: Acronym) -> Coordinated | None:
    """The long form whose own words end at `end`, and whose last ones stand behind later acronyms.

    Every acronym of the list has to end with the initials of the shared words. In the last member
    of a list whose shared words follow, the acronym before it has to.
    """
    letters = acronym.letters
    if len(letters) < 2 or not letters.isalpha():
        return None
    closed = _CLOSES.match(text, acronym_end)
    if not closed:
        return None
    at = closed.end()
    if text[at : at + 1] != "," and not text[at : at + 1].isspace():
        return None
    others: list[str] = []
    last = None
    while len(others) <= _MOST_MEMBERS and (member := _MEMBER.match(text, at)):
        last, at = member, member.end()
        others.append(member[2])
    if last is None:
        left = max(0, end - _WINDOW - _WINDOW_PER_LETTER * len(letters) - _PREVIOUS_WITHIN)
        bracket = text.rfind(")", left, end) >= 0 or text.rfind("]", left, end) >= 0
        if not bracket or not text[at : at + 1].isspace():
            return None
    stretches = [_SHARED.match(text, at)]
    if last:
        stretches.append(_OWN_WORDS.match(text, last.start(1), last.end(1)))
    for stretch in filter(None, stretches):
        behind = stretch.re is _SHARED
        words = [word.span() for word in _WORD.finditer(text, *stretch.span(1))]
        for count in range(min(len(words), len(letters) - 1, _MOST_SHARED), 0, -1):
            shared = words[:count] if behind else words[-count:]
            initials = "".join(text[start].lower() for start, _ in shared)
            if not letters.endswith(initials):
                continue
            found = _own(text, end, acronym, (shared[0][0], shared[-1][1]), count)
            if found and _agree(others or _before(text, found.start), initials):
                return found
    return None


def _agree(acronyms: list[str], initials: str) -> bool:
    read = [one.letters if one else "" for one in map(read_acronym, acronyms)]
    return bool(read) and all(one.endswith(initials) and len(one) > len(initials) for one in read)


def _before(text: str, start: int) -> list[str]:
    """The acronym of the member before the one that begins at `start`."""
    member = _PREVIOUS.search(text, max(0, start - _PREVIOUS_WITHIN), start)
    return [member[1]] if member else []


def _own(text: str, end: int, acronym: Acronym, ending: Offsets, count: int) -> Coordinated | None:
    """The words that are the long form's own, if they have the letters before the last `count`."""
    own = acronym._replace(letters=acronym.letters[:-count], plural=False, subscript=False)
    size = len(own.letters)
    tokens = tokens_before(text, end, _WINDOW + _WINDOW_PER_LETTER * size)
    found = align(own, tokens, size + 2, _LIMIT_PER_LETTER * size)
    if not found:
        return None
    return Coordinated(found[-1].first.start, ending, found[-1].steps + "W" * count)
