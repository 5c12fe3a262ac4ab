"""Acronyms that a hyphen or a slash joins, each with a meaning of its own: `CFD-DEM`."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Final

from .mention import Offsets
from .shapes import is_acronym_alone

_PART: Final = re.compile(r"[^/-]+")
_NUMBER: Final = re.compile(r"\d").match


def split_compounds(
    text: str,
    acronyms: Sequence[Offsets],
    is_known: Callable[[str], bool],
    explained: Set[str] = frozenset(),
) -> Iterator[Offsets]:
    """The acronyms, with the parts of a compound in its place where all of them are known apart.

    is_known: whether an acronym has a meaning in a dictionary. explained: those that the text
    explains. A compound that has a meaning itself stays whole, as COVID-19 and TCP/IP do; so does
    one with a part that would be no acronym alone, such as R-CNN, and one that the text repeats, as
    it does a name, while not all parts stand alone in it. Where the text explains a part, what
    would be an acronym alone stands apart, but for a number: IL-2.
    """
    said = Counter(text[start:end] for start, end in acronyms)
    alone = said.keys() | explained
    for start, end in acronyms:
        word = text[start:end]
        parts = set(_PART.findall(word) if "-" in word or "/" in word else (word,))
        explains = not (len(parts) < 2 or explained.isdisjoint(parts) or any(map(_NUMBER, parts)))
        if explains or (
            len(parts) > 1
            and all(map(is_acronym_alone, parts))
            and (said[word] < 2 or alone >= parts)
            and not is_known(word)
            and all(map(is_known, parts))
        ):
            for part in _PART.finditer(text, start, end):
                if not explains or is_acronym_alone(part[0]):
                    yield part.span()
        else:
            yield start, end
