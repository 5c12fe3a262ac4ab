"""Tell English words from acronyms: `STOP` and `WARNING`, or `age` in `estimated age`."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from .mention import Offsets

SHORTEST: Final = 3
"""Minimum characters of a word in capitals. Two capitals are always an acronym."""

Attested = Callable[[str], bool]
"""Returns whether a dictionary lists a word in capitals as an acronym."""


def word_rate(word: str) -> float:
    """Return how often English texts use a word.

    Args:
        word: The word, in any case.

    Returns:
        Occurrences in a million words; 0 if it is not a word.
    """
    rates = _rates()
    small = word.lower()
    return rates.get(small) or rates.get(small.capitalize(), 0.0)


def is_common_word(word: str) -> bool:
    """Return whether English texts write a word in lower case: `service`, but not `Hodgkin`.

    Args:
        word: The word, in any case.
    """
    return word.lower() in _rates()


def without_words(
    text: str, acronyms: Iterable[Offsets], is_attested: Attested | None
) -> list[Offsets]:
    """Remove English words in capitals, as in `Press the STOP button`.

    Args:
        text: The document's text.
        acronyms: Character offsets of acronyms found by shape.
        is_attested: Returns whether a dictionary lists a word as an acronym; such words stay. None
            means that there is no dictionary, and nothing is removed.

    Returns:
        The remaining offsets, in order.
    """
    if is_attested is None:
        return list(acronyms)
    return [
        (start, end)
        for start, end in acronyms
        if not _are_words(text[start:end]) or is_attested(text[start:end])
    ]


def _are_words(acronym: str) -> bool:
    """Return whether all parts are words in capitals: STOP, READ-WRITE."""
    return acronym.isupper() and all(
        len(part) >= SHORTEST and part.isascii() and word_rate(part) > 0
        for part in acronym.split("-")
    )


@cache
def _rates() -> Mapping[str, float]:
    """Load the packaged list, which `spacy-gladis corpus words` writes."""
    table = files("spacy_gladis.text").joinpath("english_words.tsv").read_text("utf8")
    rows = (line.partition("\t") for line in table.splitlines())
    return {word: float(rate) for word, _, rate in rows}
