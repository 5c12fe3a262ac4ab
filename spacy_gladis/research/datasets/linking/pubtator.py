"""PubTator: NCBI disease, BC5CDR, MedMentions."""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from ....concepts.mention import ConceptMention
from ....documents.lines import read_lines
from ....problem import Problem, Report, log_problem
from .ids import split_ids

_TEXT = re.compile(r"(\w+)\|([ta])\|(.*)")
RELATION = 4
"""Columns of a line that relates two concepts (`CID`): no mention, and no mistake."""


def read_pubtator(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Yield the mentions that have an id, each with title and abstract as its text.

    To `report` go lines that are neither text nor annotation, offsets that do not match, documents
    that come again (left out) and mentions without an id (left out).
    """
    seen: set[str] = set()
    lines = read_lines(path, report)
    for blank, block in groupby(lines, key=lambda line: not line[1].strip()):
        if not blank:
            yield from _read_document(path, list(block), seen, report)


def _read_document(
    path: Path, lines: list[tuple[int, bytes]], seen: set[str], report: Report
) -> Iterator[ConceptMention]:
    parts: list[str] = []
    for number, raw in lines:
        line = raw.decode("utf-8", "replace").rstrip("\r")
        if match := _TEXT.fullmatch(line):
            if match[2] == "t":
                if match[1] in seen:
                    report(Problem("document again", str(path), number, match[1]))
                    return
                seen.add(match[1])
            parts.append(match[3])
            continue
        cells = line.split("\t")
        if len(cells) == RELATION:
            continue
        text = " ".join(parts)
        try:
            document, start, end, phrase, kind, id = cells[:6]
            first, last = int(start), int(end)
        except ValueError:
            report(Problem("no annotation", str(path), number, line[:80]))
            continue
        if text[first:last] != phrase:
            detail = f"the text has {text[first:last]!r}, the annotation {phrase!r}"
            report(Problem("wrong offsets", str(path), number, detail))
            first = -1
        if concepts := split_ids(id):
            yield ConceptMention(phrase, concepts, text, first, document, kind)
        else:
            report(Problem("no id", str(path), number, phrase))
