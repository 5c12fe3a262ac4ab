"""Definitions that no bracket marks: `long form, or ABC,`, `ABC stands for ...`, `ABC: ...`.

Without brackets a chance match is likelier: every letter has to begin a word beside the mark.
"""

import re
from collections.abc import Iterator

from spacy_gladis.rules.acronym import read_acronym
from spacy_gladis.rules.definition import Definition
from spacy_gladis.rules.initials import initials_after, initials_before

_UP = r"[^\W\d_a-z]"  # a capital, or a letter of a script without case
_ACRONYM = rf"((?=\S{{0,6}}?{_UP}\S{{0,6}}?{_UP})[^\W_](?:[\w&-]|/(?=\w)){{1,14}})"
_QUOTE = "[\"'“”‘’«»]?"
_CONFIDENCE = {2: 0.75, 3: 0.9}  # by the number of letters
_DASHES = (" - ", " – ", " — ")  # join two letters too often by chance
_CONFIDENCE_OF_MORE = 0.96

# A mark that stands before an acronym, what may follow the mark, what follows the acronym.
_BEFORE_ACRONYM = tuple(
    (sign.strip() or sign, re.compile(rf"{sign}{more}{_QUOTE}{_ACRONYM}{_QUOTE}{end}"))
    for sign, more, end in (
        (", ", r"", r"(?=\s?(?:[,.;:)\]]|\Z))"),
        (", ", r"(?:or|also|hence|thus|i\.e\.|ou|o|eller|oder)\s(?:simply\s)?", r"(?!\w)"),
        (" or ", r"(?:simply\s)?", r"(?!\w)"),
        (" - ", r"", r"(?!\w)"),
        (" – ", r"", r"(?!\w)"),
        (" — ", r"", r"(?!\w)"),
        (" abbreviated ", r"(?:as |to |by )?", r"(?!\w)"),
    )
)
# A mark that stands between an acronym and its long form.
_AFTER_ACRONYM = (": ", "= ", " - ", " – ", " — ", "] ", " stands for ", " is short for ")
_ENDS_WITH_ACRONYM = re.compile(rf"(?<![\w-]){_QUOTE}{_ACRONYM}{_QUOTE}\s?\Z")
_LONGEST = 20
# An entry of a list of abbreviations: `; ABC, alpha beta gamma; ...`.
_ENTRY = re.compile(rf"[;:] {_ACRONYM}, ")


def phrase_definitions(text: str) -> Iterator[Definition]:
    """The definitions that phrases and punctuation mark. Time grows with the text's length."""
    for mark, phrase in _BEFORE_ACRONYM:
        if mark not in text:
            continue
        for match in phrase.finditer(text):
            yield from _before(text, match.start(), match.span(1), f"long {mark} short")
    for mark in _AFTER_ACRONYM:
        at = text.find(mark)
        while at >= 0:
            begin = at + len(mark)
            acronym = _ENDS_WITH_ACRONYM.search(text, max(0, at - _LONGEST), at)
            if acronym:
                yield from _after(text, begin, acronym.span(1), f"short {mark.strip()} long")
            at = text.find(mark, begin)
    for match in _ENTRY.finditer(text):
        yield from _after(text, match.end(), match.span(1), "short, long")


def _before(text: str, end: int, span: tuple[int, int], pattern: str) -> Iterator[Definition]:
    acronym = read_acronym(text[slice(*span)])
    if acronym and len(acronym.letters) > 1:
        found = initials_before(text, end, acronym)
        if found:
            confidence = _confidence(found.steps)
            yield Definition(span, (found.start, found.end), pattern, confidence)


def _after(text: str, begin: int, span: tuple[int, int], pattern: str) -> Iterator[Definition]:
    acronym = read_acronym(text[slice(*span)])
    if acronym and len(acronym.letters) > 1:
        found = initials_after(text, begin, acronym)
        if found:
            confidence = _confidence(found.steps)
            yield Definition(span, (found.start, found.end), pattern, confidence)


def _confidence(steps: str) -> float:
    letters = steps.count("W") + steps.count("P")
    return _CONFIDENCE.get(letters, _CONFIDENCE_OF_MORE)
