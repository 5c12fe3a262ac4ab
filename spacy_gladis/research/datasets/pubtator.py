"""PubTator: NCBI disease, BC5CDR, MedMentions."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from ...concepts import ConceptMention
from ...problem import Problem, Report, log_problem
from .files import split_ids, text_lines

_TEXT = re.compile(r"(\w+)\|([ta])\|(.*)")
RELATION = 4
"""Columns of a line that relates two concepts (`CID`): no mention, and no mistake."""


class Annotation(NamedTuple):
    """A mention; `start` is -1 where the text at its offsets is another. `ids` as they stand."""

    line: int
    start: int
    phrase: str
    kind: str
    ids: str


class Article(NamedTuple):
    """A document: its id, title and abstract (one line each), and what is annotated in them.

    Offsets are those of the lines with one character between them.
    """

    id: str
    line: int
    lines: tuple[str, ...]
    annotations: tuple[Annotation, ...]

    @property
    def text(self) -> str:
        return " ".join(self.lines)


def read_articles(path: Path, report: Report = log_problem) -> Iterator[Article]:
    """Yield the documents, which blank lines or a title divide.

    To `report` go lines that are neither text nor annotation, and offsets that do not match.
    """
    block: list[tuple[int, str]] = []
    for number, line in enumerate(chain(text_lines(path, report), [""]), 1):
        match = _TEXT.fullmatch(line)
        if block and (not line.strip() or (match and match[2] == "t")):
            yield _article(path, block, report)
            block = []
        if line.strip():
            block.append((number, line))


def _article(path: Path, block: list[tuple[int, str]], report: Report) -> Article:
    id, lines, annotations = "", list[str](), list[Annotation]()
    for number, line in block:
        if match := _TEXT.fullmatch(line):
            id = match[1]
            lines.append(match[3])
            continue
        cells = line.split("\t")
        if len(cells) == RELATION:
            continue
        try:
            _, first, last, phrase, kind, ids = cells[:6]
            start, end = int(first), int(last)
        except ValueError:
            report(Problem("no annotation", str(path), number, line[:80]))
            continue
        if (found := " ".join(lines)[start:end]) != phrase:
            detail = f"the text has {found!r}, the annotation {phrase!r}"
            report(Problem("wrong offsets", str(path), number, detail))
            start = -1
        annotations.append(Annotation(number, start, phrase, kind, ids))
    return Article(id, block[0][0], tuple(lines), tuple(annotations))


def read_pubtator(path: Path, report: Report = log_problem) -> Iterator[ConceptMention]:
    """Yield the mentions that have an id, each with title and abstract as its text.

    Documents that come again and mentions without an id are left out, and go to `report`.
    """
    seen: set[str] = set()
    for article in read_articles(path, report):
        if article.id in seen:
            report(Problem("document again", str(path), article.line, article.id))
            continue
        seen.add(article.id)
        for one in article.annotations:
            if concepts := split_ids(one.ids):
                yield ConceptMention(
                    one.phrase, concepts, article.text, one.start, article.id, one.kind
                )
            else:
                report(Problem("no id", str(path), one.line, one.phrase))
