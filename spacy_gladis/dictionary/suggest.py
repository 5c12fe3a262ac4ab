"""What somebody may have meant who asked for an acronym that is not there."""

from string import ascii_lowercase, digits

from .dictionary import Dictionary

_TYPED = ascii_lowercase + digits + "-./&"


def suggest(dictionary: Dictionary, acronym: str, limit: int = 5) -> list[str]:
    """The acronyms one slip of the hand from this one, case apart, the most frequent first."""
    found = {known for near in _slips(acronym.casefold()) for known in dictionary.matches(near)}
    frequency = {near: sum(c.total for c in dictionary.candidates(near)) for near in found}
    return sorted(found, key=lambda near: (-frequency[near], near))[:limit]


def _slips(word: str) -> set[str]:
    """A word with one character more, less or another one, or with two exchanged."""
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    less = [left + right[1:] for left, right in parts if right]
    exchanged = [left + right[1] + right[0] + right[2:] for left, right in parts if right[1:]]
    other = [left + one + right[1:] for left, right in parts if right for one in _TYPED]
    more = [left + one + right for left, right in parts for one in _TYPED]
    return {*less, *exchanged, *other, *more} - {word}
