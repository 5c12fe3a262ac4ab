"""Find long forms without a mark: `neural networks NN`, or elsewhere in the sentence."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

from .acronym import read_acronym
from .initials import find_initials, initials_before, initials_of
from .mention import Definition, Offsets
from .tokens import FUNCTION_WORDS

_CONFIDENCE: Final = 0.9
_CONFIDENCE_NEARBY: Final = {3: 0.6}  # by the number of letters
_CONFIDENCE_OF_MORE: Final = 0.8
_FEWEST: Final = 3  # minimum words of a long form elsewhere in the sentence
_LONG: Final = 4  # minimum letters of each word of a two-word long form
_REACH: Final = 60  # maximum characters between an acronym and words without capitals
_WIDEST: Final = 160  # characters on either side of an acronym that are searched
_SENTENCE_END: Final = re.compile(r"[.!?;]\s|\n\s*\n")


def find_unmarked(
    text: str, acronyms: Iterable[Offsets], definitions: Iterable[Definition] = ()
) -> list[Definition]:
    """Find long forms without a mark, for acronyms that `definitions` do not define.

    Each letter must begin a word. Directly before the acronym, there must be four letters, or three
    if all words are capitalized, or two if these words are also long. Elsewhere in the sentence of
    the acronym's first mention, there must be three letters and no article or preposition.

    Args:
        text: The document's text.
        acronyms: Character offsets of acronyms.
        definitions: Definitions found by marks.

    Returns:
        The definitions directly before acronyms, in the order of the acronyms, then all others.
    """
    marked = [*definitions]
    defined = {text[slice(*definition.acronym)] for definition in marked}
    adjacent = []
    others: dict[str, Offsets] = {}
    for span in acronyms:
        written = text[slice(*span)]
        joined = "/" in (text[span[0] - 1 : span[0]], text[span[1] : span[1] + 1])  # GC/MSD
        acronym = None if joined or written in defined else read_acronym(written)
        if acronym is None:
            continue
        before = initials_before(text, span[0], acronym)
        if before is None:
            others.setdefault(written, span)
            continue
        words = text[before.start : before.end].split()
        letters = before.steps.count("W") + before.steps.count("P")
        capitals = all(word[0].isupper() for word in words)
        if (
            letters > 3
            or (letters == 3 and capitals)
            or (before.steps == "WW" and capitals and min(map(len, words)) >= _LONG)
        ):
            adjacent.append(Definition(span, (before.start, before.end), _CONFIDENCE))
        else:
            others.setdefault(written, span)
    for definition in adjacent:
        others.pop(text[slice(*definition.acronym)], None)
    return [*adjacent, *_nearby(text, others.values(), [*marked, *adjacent])]


def _nearby(
    text: str, acronyms: Iterable[Offsets], definitions: list[Definition]
) -> Iterator[Definition]:
    """Yield words in an acronym's sentence that give its letters and belong to no definition."""
    taken = sorted(definition.long_form for definition in definitions)
    for span in acronyms:
        if len(initials_of(text[slice(*span)])) < _FEWEST:
            continue
        begin = max(0, span[0] - _WIDEST)
        window = text[begin : span[1] + _WIDEST]
        for definition in find_initials(window, [(span[0] - begin, span[1] - begin)]):
            start, end = (begin + at for at in definition.long_form)
            at = bisect_left(taken, (start, end))
            free = (at == len(taken) or taken[at][0] >= end) and (
                at == 0 or taken[at - 1][1] <= start
            )
            gap = (end, span[0]) if end <= span[0] else (span[1], start)
            words = re.split(r"[\s-]+", text[start:end])
            reach = _WIDEST if all(word[0].isupper() for word in words) else _REACH
            if (
                free
                and gap[0] <= gap[1]  # not "FSO still owes"
                and len(words) >= _FEWEST
                and gap[1] - gap[0] <= reach
                and not _SENTENCE_END.search(text, *gap)
                and not any(word.lower() in FUNCTION_WORDS for word in words)
            ):
                confidence = _CONFIDENCE_NEARBY.get(len(words), _CONFIDENCE_OF_MORE)
                yield Definition(span, (start, end), confidence)
                break
