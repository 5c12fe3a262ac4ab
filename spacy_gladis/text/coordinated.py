"""Find long forms that share their last words with other long forms in a list.

Examples are `scanning (SEM) and transmission (TEM) electron microscopy` and
`estrogen (ER) and progesterone receptors (PR)`.
"""

import re
from typing import Final, NamedTuple

from .acronym import Acronym, read_acronym
from .alignment import align
from .mention import Offsets
from .tokens import tokens_before

_MOST_SHARED: Final = 3  # maximum number of shared words
_MOST_MEMBERS: Final = 16  # maximum number of later members; longer lists share no words
_WINDOW: Final = 20  # number of characters before the bracket that are searched
_WINDOW_PER_LETTER: Final = 14
_LIMIT_PER_LETTER: Final = 0.9  # maximum cost of an alignment for each letter
_CLOSES: Final = re.compile(r"[^()\[\]]{0,3}[)\]]")
_AND: Final = r"(?:,?\s+(?:and|or|und|et|y)\s+|,\s+)(?!\s)"
_BRACKET: Final = r"[(\[]([^\s()\[\]]{2,12})[)\]]"
# Another member of the list: ", diethyl-[DEP]", "and progesterone receptors (PR)".
_MEMBER: Final = re.compile(rf"{_AND}([^()\[\],;.:]{{2,60}}?)(?:\s|(?<=-)){_BRACKET}")
_PREVIOUS: Final = re.compile(rf"{_BRACKET}{_AND}\Z")
_PREVIOUS_WITHIN: Final = 24  # maximum characters of the previous member's bracket
_SHARED: Final = re.compile(r"\s+((?:[^\W\d_][\w-]*\s+){0,2}[^\W\d_][\w-]*)")
_LATER_WORDS: Final = re.compile(r"\S+\s+(.+)", re.DOTALL)
_WORD: Final = re.compile(r"\S+")


class Coordinated(NamedTuple):
    """A long form whose last words are separated from its first words.

    In `estrogen (ER) and progesterone receptors (PR)`, the long form of ER consists of `estrogen`
    and `receptors`.

    Attributes:
        start: Character offset at which the first words start. They end before the acronym's
            bracket.
        ending: Character offsets of the last words, which other long forms share.
        steps: How each letter was matched, as a string of keys of `alignment.COST`.
    """

    start: int
    ending: Offsets
    steps: str


def shared_ending(text: str, end: int, acronym_end: int, acronym: Acronym) -> Coordinated | None:
    """Find the long form of an acronym that shares its last words with other members of a list.

    In `scanning (SEM) and transmission (TEM) electron microscopy`, SEM and TEM share the words
    `electron microscopy`. To be accepted, the initials of the shared words must end all later
    acronyms of the list. If no member follows, they must end the acronym of the previous member.

    Args:
        text: Text of the document.
        end: Character offset at which the long form's first words end and the bracket opens.
        acronym_end: Character offset at which the acronym ends.
        acronym: The acronym, as returned by `read_acronym`.

    Returns:
        The long form, or None if the acronym is not part of such a list.
    """
    letters = acronym.letters
    if len(letters) < 2 or not letters.isalpha():
        return None
    closing = _CLOSES.match(text, acronym_end)
    if not closing:
        return None
    at = closing.end()
    if text[at : at + 1] != "," and not text[at : at + 1].isspace():
        return None
    later: list[str] = []
    last_member = None
    while len(later) <= _MOST_MEMBERS and (member := _MEMBER.match(text, at)):
        last_member, at = member, member.end()
        later.append(member[2])
    if last_member is None:
        left = max(0, end - _WINDOW - _WINDOW_PER_LETTER * len(letters) - _PREVIOUS_WITHIN)
        has_bracket = text.rfind(")", left, end) >= 0 or text.rfind("]", left, end) >= 0
        if not has_bracket or not text[at : at + 1].isspace():
            return None
    stretches = [_SHARED.match(text, at)]
    if last_member:
        stretches.append(_LATER_WORDS.match(text, last_member.start(1), last_member.end(1)))
    for stretch in filter(None, stretches):
        is_after = stretch.re is _SHARED
        words = [word.span() for word in _WORD.finditer(text, *stretch.span(1))]
        for count in range(min(len(words), len(letters) - 1, _MOST_SHARED), 0, -1):
            shared = words[:count] if is_after else words[-count:]
            initials = "".join(text[start].lower() for start, _ in shared)
            if not letters.endswith(initials):
                continue
            coordinated = _first_words(text, end, acronym, (shared[0][0], shared[-1][1]), count)
            if coordinated and _end_with(later or _before(text, coordinated.start), initials):
                return coordinated
    return None


def _end_with(acronyms: list[str], initials: str) -> bool:
    letters = [text.letters if text else "" for text in map(read_acronym, acronyms)]
    return bool(letters) and all(
        text.endswith(initials) and len(text) > len(initials) for text in letters
    )


def _before(text: str, start: int) -> list[str]:
    """Return the acronym of the list member before `start` in a list, or an empty list."""
    member = _PREVIOUS.search(text, max(0, start - _PREVIOUS_WITHIN), start)
    return [member[1]] if member else []


def _first_words(
    text: str, end: int, acronym: Acronym, ending: Offsets, count: int
) -> Coordinated | None:
    """Return the long form whose first words give all letters except the last `count`."""
    first = acronym._replace(letters=acronym.letters[:-count], plural=False, subscript=False)
    size = len(first.letters)
    tokens = tokens_before(text, end, _WINDOW + _WINDOW_PER_LETTER * size)
    alignments = align(first, tokens, size + 2, _LIMIT_PER_LETTER * size)
    if not alignments:
        return None
    return Coordinated(alignments[-1].first.start, ending, alignments[-1].steps + "W" * count)
