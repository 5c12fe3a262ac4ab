"""MedMentions (Mohan and Li 2019) in PubTator's format."""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from ....documents.lines import read_lines
from ....problem import Problem, Report, log_problem
from .linked import LinkedMention

DOMAIN = "MedMentions"
TYPE = "Biomedical Concept"
PREFIX = "UMLS:"

_SENTENCE_END = re.compile(r"[.!?]\s+(?=[A-Z0-9(\[\"])")
_TEXT = re.compile(r"(\d+)\|([ta])\|(.*)")


def read_medmentions(path: Path, report: Report = log_problem) -> Iterator[LinkedMention]:
    """Yield the mentions, each in its sentence; the concept is the UMLS id (CUI).

    The file holds, for each article, the lines `id|t|title` and `id|a|abstract`, then lines of
    tabbed id, start, end, mention, semantic type, concept. Lines that are neither, and mentions
    that do not match the text, go to `report`.
    """
    lines = read_lines(path, report)
    for blank, block in groupby(lines, key=lambda line: not line[1].strip()):
        if not blank:
            yield from _read_article(path, list(block), report)


def _read_article(
    path: Path, lines: list[tuple[int, bytes]], report: Report
) -> Iterator[LinkedMention]:
    texts: list[str] = []
    for number, raw in lines:
        line = raw.decode("utf-8", "replace").rstrip("\r")  # a broken name matches no text below
        if match := _TEXT.fullmatch(line):
            texts.append(match[3])
            continue
        # The offsets are those of title and abstract with one character between them.
        text = "\n".join(texts)
        try:
            name, first, last, mention, _, concept = line.split("\t")[:6]
            start, end = int(first), int(last)
        except ValueError:
            report(Problem("no annotation", str(path), number, line[:80]))
            continue
        if text[start:end] != mention:
            detail = f"the text has {text[start:end]!r}, the annotation {mention!r}"
            report(Problem("wrong offsets", str(path), number, detail))
            continue
        low, high = sentence(text, start, end)
        yield LinkedMention(
            text[low:high],
            start - low,
            end - low,
            concept.removeprefix(PREFIX),
            name,
            DOMAIN,
            TYPE,
        )


def sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """The offsets of the sentence or sentences around `text[start:end]`, within their line."""
    low = text.rfind("\n", 0, start) + 1
    for match in _SENTENCE_END.finditer(text, low, start):
        low = match.end()
    high = text.find("\n", end)
    high = high if high >= 0 else len(text)
    match_behind = _SENTENCE_END.search(text, max(low, end - 1), high)
    return low, match_behind.start() + 1 if match_behind else high
