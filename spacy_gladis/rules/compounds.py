"""Acronyms that a hyphen or a slash joins, each with a meaning of its own: `CFD-DEM`."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Final

from .mention import Offsets
from .shapes import is_acronym_alone

_PART: Final = re.compile(r"[^/-]+")


def split_compounds(
    text: str,
    acronyms: Sequence[Offsets],
    is_known: Callable[[str], bool],
    explained: Set[str] = frozenset(),
) -> Iterator[Offsets]:
    """The acronyms, with the parts of a compound in its place where all of them are known apart.

    is_known: whether an acronym has a meaning in a dictionary. explained: those that the text
    explains. A compound that has a meaning itself stays whole, as COVID-19 and TCP/IP do, unless
    the text explains a part; so does one with a part that would be no acronym alone, such as R-CNN,
    and one that the text repeats, as it does a name, while not all parts stand alone in it.
    """
    said = Counter(text[start:end] for start, end in acronyms)
    alone = said.keys() | explained
    for start, end in acronyms:
        word = text[start:end]
        parts = _PART.findall(word) if "-" in word or "/" in word else ()
        if (
            len(parts) > 1
            and all(map(is_acronym_alone, parts))
            and (said[word] < 2 or alone >= set(parts))
            and (not explained.isdisjoint(parts) or not is_known(word))
            and all(one in explained or is_known(one) for one in parts)
        ):
            yield from (one.span() for one in _PART.finditer(text, start, end))
        else:
            yield start, end
