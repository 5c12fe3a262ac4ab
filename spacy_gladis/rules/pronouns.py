"""Pronouns in capitals for weight: "I told HIM and HER", "It is up to US", "DO NOT touch IT"."""

import re
from bisect import bisect_left
from typing import Final

NEAR: Final = 160  # characters within which another acronym speaks for an acronym

_PERSON: Final = r"""\b(?:about|for|from|to|with|and|or|not|than
    |(?:ask|blame|call|help|hate|love|miss|need|thank|trust|want)(?:e?d|s)?
    |give|gave|hear|heard|know|knew|let|made|make|meet|met|saw|see|send|sent|show|showed|tell|told
    )\s\Z"""
_SHARE: Final = r"all|any|both|each|either|many|most|neither|none|one|some|two"
_THING: Final = (
    r"\b(?:break|drink|eat|leave|lose|move|open|press|pull|put|remove|take|touch|use)\s\Z"
)
_SHOUTED: Final = r"\b(?:ALWAYS|DO|DON['’]T|JUST|MUST|NEVER|NOT|ONLY|PLEASE|STOP)\b[^.!?\n]{1,40}"

# What stands before each as a pronoun.
_BEFORE: Final = {
    **dict.fromkeys(("HER", "HIM", "THEM", "YOU"), re.compile(_PERSON, re.VERBOSE)),
    "US": re.compile(rf"\b(?:up\sto|let|(?:{_SHARE})\sof)\s\Z", re.IGNORECASE),
    "IT": re.compile(_SHOUTED + _THING),
}
_LONGEST_BEFORE: Final = 64
# Its clause ends or goes on without a noun, which an acronym may stand before: "HIM department".
_AFTER: Final = re.compile(
    r"[\"'”’)]*(?:\Z|[.!?,;:\n])|\s(?:a|about|again|an|and|are|as|at|because|but|can|did|for|from|have"
    r"|how|if|in|is|not|now|on|or|so|that|the|to|too|was|were|what|when|who|why|will|with)\b"
)


def without_pronouns(text: str, acronyms: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Acronyms by their shape without those that are pronouns in capitals.

    A pronoun stands where pronouns do, is nowhere in the text an acronym, and has no acronym
    within `NEAR` characters. Time is linear in the number of acronyms.
    """
    spoken = {span for span in acronyms if _is_spoken(text, *span)}
    if not spoken:
        return acronyms
    others = [span for span in acronyms if span not in spoken]
    starts = [start for start, _ in others]
    words = {text[start:end] for start, end in others}
    return [
        (start, end)
        for start, end in acronyms
        if (start, end) not in spoken or text[start:end] in words or _is_near(starts, start, end)
    ]


def _is_near(starts: list[int], start: int, end: int) -> bool:
    at = bisect_left(starts, start - NEAR)
    return at < len(starts) and starts[at] <= end + NEAR


def _is_spoken(text: str, start: int, end: int) -> bool:
    before = _BEFORE.get(text[start:end])
    return (
        before is not None
        and before.search(text[max(0, start - _LONGEST_BEFORE) : start]) is not None
        and _AFTER.match(text, end) is not None
    )
