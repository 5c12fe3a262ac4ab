"""Distinguish acronyms from English words such as `STOP` and `WARNING`."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from .mention import Offsets

SHORTEST: Final = 3
"""Minimum number of characters of an English word in capitals. Two capitals are always an
acronym."""

Attested = Callable[[str], bool]
"""A function that returns whether a dictionary lists a word in capitals as an acronym."""


def word_rate(word: str) -> float:
    """Return how frequent a word is in English texts.

    Args:
        word: The word, in any case.

    Returns:
        Number of occurrences in a million words, or 0 if the word is not in the packaged list.
    """
    rates = _rates()
    small = word.lower()
    return rates.get(small) or rates.get(small.capitalize(), 0.0)


def is_common_word(word: str) -> bool:
    """Return whether a word is written in lower case in English, as `service` but not `Hodgkin`.

    Args:
        word: The word, in any case.
    """
    return word.lower() in _rates()


def without_words(
    text: str, acronyms: Iterable[Offsets], is_attested: Attested | None
) -> list[Offsets]:
    """Remove English words in capitals, as in `Press the STOP button`, from a list of acronyms.

    Args:
        text: Text of the document.
        acronyms: Character offsets of acronyms that were found by their shape.
        is_attested: Function that returns whether a dictionary lists a word as an acronym. Such
            words are kept. None if there is no dictionary, in which case nothing is removed.

    Returns:
        Character offsets of the remaining acronyms, in order.
    """
    if is_attested is None:
        return list(acronyms)
    return [
        (start, end)
        for start, end in acronyms
        if not _are_words(text[start:end]) or is_attested(text[start:end])
    ]


def _are_words(acronym: str) -> bool:
    """Return whether all parts of a string are English words in capitals: STOP, READ-WRITE."""
    return acronym.isupper() and all(
        len(part) >= SHORTEST and part.isascii() and word_rate(part) > 0
        for part in acronym.split("-")
    )


@cache
def _rates() -> Mapping[str, float]:
    """Load the packaged list of word frequencies, which `spacy-gladis corpus words` writes."""
    table = files("spacy_gladis.text").joinpath("english_words.tsv").read_text("utf8")
    rows = (line.partition("\t") for line in table.splitlines())
    return {word: float(rate) for word, _, rate in rows}
