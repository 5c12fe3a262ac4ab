"""Titles by their markup."""

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from ..documents.source import Source

_UNDERLINE = re.compile(r"[ \t]*([=\-~^\"'`#*+:.<>_])\1{2,}[ \t]*\r?")
_DIRECTIVE = re.compile(r"[ \t]*\.\. (?:admonition|dropdown|rubric|sidebar|topic)::")
_BEFORE = {
    "markdown": re.compile(r" {0,3}#{1,6}[ \t]|[ \t]*<h[1-6]\b"),
    "html": re.compile(r".*<(?:caption|h[1-6]|title)\b"),
    "asciidoc": re.compile(r"={1,6}[ \t]|\.[A-Z]"),
    "restructuredtext": _DIRECTIVE,
    "text": _DIRECTIVE,
    "notebook": re.compile(r'[ \t]*"#{1,6}[ \t]'),
    "latex": re.compile(r".*\\(?:chapter|(?:sub)*section|title|caption)\*?\{"),
}
_TITLE = re.compile(
    r"^(?:#{1,6}|={1,6})[ \t]+(?P<marked>\S.*)|"
    r"^(?P<underlined>\S.*)\n[ \t]*([=\-~^\"'`#*+:.<>_])\3{2,}[ \t]*\r?$",
    re.MULTILINE,
)
_GLOSSARY = re.compile(
    r"(?<![^\W_])(?:abbreviations|acronyms|glossar(?:y|ies))(?![^\W_])", re.IGNORECASE
)
_LITERATURE = re.compile(
    r"\W*(?:\d+\W+)?(?:bibliography|citations?|further reading|literature|publications|"
    r"references|see also)\W*",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"(?<![^\W_])(?:changes?|changelog|history|news|releases?|what'?s[ _-]new)(?![^\W_])|"
    r"\W*(?:version )?v?\d+(?:\.\d+)+\b",
    re.IGNORECASE,
)
_FOLDER = re.compile(
    r"change(?:s|logs?)|history|news|releases?|rel(?:ease)?[ _-]?notes?|what'?s[ _-]?new",
    re.IGNORECASE,
)
_LEGAL = re.compile(
    r"\W*(?:\d+\W+)?(?:(?:the )?licen[cs](?:es?|ing)\b.*|cop(?:ying|yright)\b.*|acknowledge?ments?|"
    r"funding)\W*",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(r"\W*(?:\d+\W+)?(?:abstract|executive summary)\W*", re.IGNORECASE)
_LATEX_ABSTRACT = re.compile(r"\\begin\{abstract\}.*?(?:\\end\{abstract\}|\Z)", re.DOTALL)
_LOOKED_UP = re.compile(
    r"[\W_]*--?[A-Za-z][\w-]*\b|[*`]*[\w.:]+\s?\(\)[*`]*$|"
    r".*(?:faqs?|(?<![^\W_])(?:frequently asked questions|nomenclature|rfcs?|terminology))"
    r"(?![^\W_])",
    re.IGNORECASE,
)
_NAME = re.compile(r"\W*[^\W_]+(?:\\?_[^\W_]+)+")  # of a program's: "SRTO_SENDER", `max_size`
_FEW = 5  # words of a title that names a glossary
_UNDERLINED = ("markdown", "restructuredtext", "text")


def is_heading(source: Source, at: int) -> bool:
    """Whether an offset of the original lies in a line that is a title by a sign before it or a
    line of signs below."""
    text = source.source
    line, after = _lines(text, text.rfind("\n", 0, at) + 1)
    before = _BEFORE.get(source.format)
    if before and before.match(line):
        return True
    return source.format in _UNDERLINED and bool(_UNDERLINE.fullmatch(after))


def is_term(source: Source, at: int) -> bool:
    """Whether an offset of the original lies in a line of its own that ends in a bracket, with an
    indented explanation below, as the terms of a glossary do."""
    text = source.source
    start = text.rfind("\n", 0, at) + 1
    line, after = _lines(text, start)
    item = line.lstrip()[:2] in ("- ", "* ", "+ ")
    alone = start == 0 or text.startswith("\n\n", start - 2)
    deeper = len(after) - len(after.lstrip()) > len(line) - len(line.lstrip())
    return (
        alone and not item and line.rstrip()[-1:] in (")", "]") and bool(after.strip()) and deeper
    )


class Sections(NamedTuple):
    """Where the sections of an original begin, the first at 0 by the file's name, and of which
    each title says that it is of a kind."""

    starts: list[int]
    named: list[bool]

    def has(self, at: int) -> bool:
        """Whether an offset of the original lies in a section of that kind."""
        return self.named[bisect_right(self.starts, at) - 1]


def glossaries(source: Source) -> Sections:
    """The sections of a glossary."""
    return _sections(source, lambda words: bool(_GLOSSARY.search(words)))


def literature(source: Source) -> Sections:
    """The sections of references."""
    return _sections(source, lambda words: bool(_LITERATURE.fullmatch(words)))


def changes(source: Source) -> Sections:
    """The sections of changes, the last first as often as not; all of a folder of them."""
    folder = _FOLDER.fullmatch(PurePath(source.path).parent.name)
    return _sections(source, lambda words: bool(folder or _CHANGES.search(words)))


def legal(source: Source) -> Sections:
    """The sections of a licence, and of thanks."""
    return _sections(source, lambda words: bool(_LEGAL.fullmatch(words)))


def abstracts(source: Source) -> Sections:
    """The abstract, which is read without the rest."""
    if source.format != "latex":
        return _sections(source, lambda words: bool(_ABSTRACT.fullmatch(words)))
    places = [match.span() for match in _LATEX_ABSTRACT.finditer(source.source)]
    ends = [at for place in places for at in place]
    return Sections([0, *ends], [False, *[True, False] * len(places)])


def looked_up(source: Source) -> Sections:
    """The sections whose title is an option, a function or another name of a program, and those
    that list answers to questions, terms or standards; all of a manual page."""
    titles = {words.lower() for _, words in _titles(source.source, source.format)}
    if "name" in titles and not titles.isdisjoint(("description", "synopsis")):
        return Sections([0], [True])
    return _sections(source, lambda words: bool(_LOOKED_UP.match(words)), _NAME)


def _sections(
    source: Source, names: Callable[[str], bool], title: re.Pattern[str] | None = None
) -> Sections:
    """Sections whose title or file's name, of a few words, or whose title alone is of a kind."""
    file = names(PurePath(source.path).stem)
    starts, named = [0], [file]
    for start, words in _titles(source.source, source.format):
        starts.append(start)
        alone = bool(title and title.match(words))
        named.append(file or alone or (names(words) and len(words.split()) <= _FEW))
    return Sections(starts, named)


@lru_cache(8)
def _titles(text: str, format: str) -> list[tuple[int, str]]:
    """Where titles of sections begin, and their words: read once for all kinds of sections."""
    if format not in ("asciidoc", *_UNDERLINED):
        return []
    found = _TITLE.finditer(text)
    return [(title.start(), title["marked"] or title["underlined"]) for title in found]


def _lines(text: str, start: int) -> tuple[str, str]:
    """The line that begins there, and the next one."""
    end = text.find("\n", start)
    if end < 0:
        return text[start:], ""
    stop = text.find("\n", end + 1)
    return text[start:end], text[end + 1 : stop if stop >= 0 else len(text)]
