"""MedMentions (Mohan and Li 2019) in PubTator's format."""

import re
from collections.abc import Iterator
from pathlib import Path

from ...concepts import ConceptMention
from ...problem import Report, log_problem
from .pubtator import read_articles

TYPE = "Biomedical Concept"
PREFIX = "UMLS:"

_SENTENCE_END = re.compile(r"[.!?]\s+(?=[A-Z0-9(\[\"])")


def read_medmentions(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Yield the mentions, each in its sentence; the concept is the UMLS id (CUI).

    Mentions that do not match the text are left out; `read_articles` tells `report`.
    """
    for article in read_articles(path, report):
        text = "\n".join(article.lines)  # no sentence runs from the title to the abstract
        for one in article.annotations:
            if one.start < 0:
                continue
            low, high = sentence(text, one.start, one.start + len(one.phrase))
            concepts = (one.ids.removeprefix(PREFIX),)
            place = text[low:high], one.start - low
            yield ConceptMention(one.phrase, concepts, *place, article.id, TYPE)


def sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """The offsets of the sentence or sentences around `text[start:end]`, within their line."""
    low = text.rfind("\n", 0, start) + 1
    for match in _SENTENCE_END.finditer(text, low, start):
        low = match.end()
    high = text.find("\n", end)
    high = high if high >= 0 else len(text)
    match_behind = _SENTENCE_END.search(text, max(low, end - 1), high)
    return low, match_behind.start() + 1 if match_behind else high
