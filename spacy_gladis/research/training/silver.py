"""Sentences with labels that nobody gave: from the rules, their document and the dictionary."""

import re
from bisect import bisect_left
from collections.abc import Container, Iterator
from typing import NamedTuple

from ...rules import Definition, defined_mentions, find_acronyms, find_definitions
from ..mining.noise import noise

SURE, DOUBTFUL = 0.9, 0.3
"""Least confidence of a definition that labels, and of one that spoils its sentence."""

SHORTEST, LONGEST = 40, 600
"""Characters of a sentence that is kept."""

UNDEFINED, PLAIN = 3, 10
"""Of so many sentences without a long form, and without an acronym, one is kept."""

_SENTENCE = re.compile(r"[^\n]+?(?:[.!?](?=\s+[A-Z\"“(])|(?=\n)|\Z)")

Offsets = tuple[int, int]


class SilverSentence(NamedTuple):
    """A sentence, and the offsets of the acronyms and of the long forms in it."""

    text: str
    short: list[Offsets]
    long: list[Offsets]


def label_document(text: str, dictionary: Container[str]) -> Iterator[SilverSentence]:
    """The sentences of a document whose labels are sure, in order.

    Labelled are the definitions that the rules are sure of and whose long form is not noise; every
    other mention of what the document defines; acronyms by their shape that `dictionary` holds;
    and, without any mark, the document's long forms in sentences that hold their acronym as well. A
    sentence with a doubtful definition, or an acronym by its shape that nothing confirms, is left
    out, and so are most that hold no long form.
    """
    proposed = find_definitions(text, threshold=DOUBTFUL)
    sure = [one for one in proposed if _is_sure(text, one)]
    mentions = defined_mentions(text, sure)
    taken = bytearray(len(text))
    for start, end in (*mentions, *(one.long_form for one in sure)):
        taken[start:end] = b"\1" * (end - start)
    other = [span for span in find_acronyms(text) if taken.find(1, *span) < 0]
    known = [span for span in other if text[slice(*span)] in dictionary]
    spoilt = {*other, *(one.acronym for one in proposed)} - {*known, *mentions}
    marks = _Marks(
        sorted([*mentions, *known]), sorted({one.long_form for one in sure}), sorted(spoilt)
    )
    unmarked = _unmarked(text, sure, taken)
    skipped = 0
    for match in _SENTENCE.finditer(text):
        begin = match.start() + len(match[0]) - len(match[0].lstrip())
        one = _label(text, (begin, match.end()), marks, unmarked)
        if one is None:
            continue
        if not one.long:
            skipped += 1
            if skipped % (UNDEFINED if one.short else PLAIN):
                continue
        yield one


class _Marks(NamedTuple):
    """Places in a document, each kind in order."""

    acronyms: list[Offsets]
    long_forms: list[Offsets]
    spoilt: list[Offsets]  # what is neither sure nor surely nothing


def _label(
    text: str, sentence: Offsets, marks: _Marks, unmarked: list[tuple[Offsets, str]]
) -> SilverSentence | None:
    begin, end = sentence
    if not SHORTEST <= end - begin <= LONGEST or _inside(marks.spoilt, sentence):
        return None
    short = _inside(marks.acronyms, sentence)
    here = {text[slice(*span)] for span in short}
    first = bisect_left(unmarked, ((begin, begin), ""))
    after = bisect_left(unmarked, ((end, end), ""))
    long = _inside(marks.long_forms, sentence)
    long += [span for span, acronym in unmarked[first:after] if acronym in here]
    return SilverSentence(
        text[begin:end],
        [(start - begin, stop - begin) for start, stop in short],
        [(start - begin, stop - begin) for start, stop in sorted(long)],
    )


def _is_sure(text: str, one: Definition) -> bool:
    return one.confidence >= SURE and noise(text[slice(*one.long_form)]) is None


def _unmarked(
    text: str, definitions: list[Definition], taken: bytearray
) -> list[tuple[Offsets, str]]:
    """Other spans of the long forms of two words or more, with the acronym of each, in order."""
    acronym_of = {
        " ".join(words): text[slice(*one.acronym)]
        for one in definitions
        if len(words := text[slice(*one.long_form)].split()) > 1
    }
    if not acronym_of:
        return []
    longest_first = sorted(map(re.escape, acronym_of), key=len, reverse=True)
    found = re.finditer(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)", text)
    return [(one.span(), acronym_of[one[0]]) for one in found if taken.find(1, *one.span()) < 0]


def _inside(spans: list[Offsets], sentence: Offsets) -> list[Offsets]:
    first = bisect_left(spans, (sentence[0], 0))
    after = bisect_left(spans, (sentence[1], 0))
    return [one for one in spans[first:after] if one[1] <= sentence[1]]
