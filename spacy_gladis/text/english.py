"""Distinguish acronyms from English words in capitals such as `STOP` and `WARNING`."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from .mention import Offsets

SHORTEST: Final = 3
"""Minimum number of characters of a word in capitals that may be an English word, such as ``STOP``.
Two capitals always count as an acronym."""

Attested = Callable[[str], bool]
"""A function that takes a word in capitals and returns whether a dictionary lists it as an
acronym."""


def word_rate(word: str) -> float:
    """Return how often a word occurs in English texts, per million words.

    Args:
        word: The word, in any case.

    Returns:
        The number of occurrences per million words. It is 0 if the packaged word list doesn't
        contain the word.
    """
    rates = _rates()
    small = word.lower()
    return rates.get(small) or rates.get(small.capitalize(), 0.0)


def is_common_word(word: str) -> bool:
    """Return whether English texts write a word in lower case, unlike a name.

    For example, the result is True for ``service`` and False for ``Hodgkin``. It is also False for
    words that the packaged word list doesn't contain.

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
        acronyms: Character offsets of words that look like acronyms.
        is_attested: Function that returns whether a dictionary lists a word as an acronym. Words
            for which it returns True are kept. If it is None, there is no dictionary, and all words
            are kept.

    Returns:
        Character offsets of the remaining acronyms, in the same order.
    """
    if is_attested is None:
        return list(acronyms)
    return [
        (start, end)
        for start, end in acronyms
        if not _are_words(text[start:end]) or is_attested(text[start:end])
    ]


def _are_words(acronym: str) -> bool:
    """Return whether all parts of a string are English words in capitals, as in READ-WRITE."""
    return acronym.isupper() and all(
        len(part) >= SHORTEST and part.isascii() and word_rate(part) > 0
        for part in acronym.split("-")
    )


@cache
def _rates() -> Mapping[str, float]:
    """Load the packaged word list, as a mapping from words to their number per million words.

    The command `spacy-gladis corpus words` writes this list.
    """
    table = files("spacy_gladis.text").joinpath("english_words.tsv").read_text("utf8")
    rows = (line.partition("\t") for line in table.splitlines())
    return {word: float(rate) for word, _, rate in rows}
