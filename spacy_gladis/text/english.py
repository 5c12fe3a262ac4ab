"""English words, to tell them from acronyms: `STOP` and `WARNING`, the `age` of `estimated age`."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from .mention import Offsets

SHORTEST: Final = 3
"""Characters of a word in capitals that may be no acronym: two capitals always are one."""

Attested = Callable[[str], bool]
"""Whether a dictionary has a word in capitals as an acronym."""


def word_rate(word: str) -> float:
    """Return how often in a million words English texts write a word; 0 for what is no word."""
    rates = _rates()
    small = word.lower()
    return rates.get(small) or rates.get(small.capitalize(), 0.0)


def is_common_word(word: str) -> bool:
    """Return whether English texts write a word in small letters: `service`, not `Hodgkin`."""
    return word.lower() in _rates()


def without_words(
    text: str, acronyms: Iterable[Offsets], is_attested: Attested | None
) -> list[Offsets]:
    """Leave out English words in capitals, such as `Press the STOP button`.

    Args:
        text: The document's text.
        acronyms: Character offsets of what looks like an acronym.
        is_attested: Whether a dictionary has a word as an acronym all the same; None: no dictionary
            is there to tell, and nothing is left out.

    Returns:
        The offsets that remain, in order.
    """
    if is_attested is None:
        return list(acronyms)
    return [
        (start, end)
        for start, end in acronyms
        if not _are_words(text[start:end]) or is_attested(text[start:end])
    ]


def _are_words(acronym: str) -> bool:
    """Whether all parts are words in capitals: STOP, READ-WRITE."""
    return acronym.isupper() and all(
        len(part) >= SHORTEST and part.isascii() and word_rate(part) > 0
        for part in acronym.split("-")
    )


@cache
def _rates() -> Mapping[str, float]:
    """The packaged list, as `spacy-gladis corpus words` writes it."""
    table = files("spacy_gladis.text").joinpath("english_words.tsv").read_text("utf8")
    rows = (line.partition("\t") for line in table.splitlines())
    return {word: float(rate) for word, _, rate in rows}
