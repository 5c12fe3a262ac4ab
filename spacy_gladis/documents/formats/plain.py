"""Reader of plain text files, which recognizes titles and lists by their layout."""

import re
from collections.abc import Iterable

from ..builder import TextBuilder, visible_runs
from ..lists import entry_of, kind_of_section
from .line_ends import broken_words
from .paragraphs import Line, lines_of

_UNDERLINE = re.compile(r"([=~-])\1{2,}\s*")
_NUMBERED = re.compile(r"(?P<number>\d+(?:\.\d+)*)\.?\s+[A-Z]")
_LEADERS = ("....", ". . .")  # before a page number
_LONGEST_TITLE = 80  # maximum characters
_DEEPEST = 9  # title level, so that any title ends the section
_MOST_WORDS = 6  # of a numbered title; longer lines may be steps of a list
_FEWEST = 3  # minimum entries of a list of abbreviations without a title


def read_plain(builder: TextBuilder) -> None:
    """Read a plain text file, and rejoin words that are broken at line ends.

    Titles, tables of contents and lists of abbreviations are recognized and marked.

    Args:
        builder: Builder that receives the text. It was created with the content of the file.
    """
    lines = copy_lines(builder, 0, len(builder.original))
    for number, line in enumerate(lines):
        if level := _level(lines, number):
            builder.title(line.start, level, line.end)
    mark_lists(builder, lines)


def copy_lines(
    builder: TextBuilder, start: int, end: int, hidden: Iterable[tuple[int, int]] = ()
) -> list[Line]:
    """Add whole lines of a file to a builder, and rejoin words that are broken at line ends.

    Args:
        builder: Builder that receives the text. It was created with the content of the file.
        start: Offset in the file's content at which the first line starts.
        end: Offset after the last line.
        hidden: ``(start, end)`` offsets in the file's content of spans to leave out.

    Returns:
        The lines, with their offsets in the plain text. The offsets include the line ends.
    """
    source = builder.original[start:end]
    broken = ((start + left, start + right) for left, right in broken_words(source))
    source_lines = lines_of(source)
    places = [(start + line.start, start + line.end + 1) for line in source_lines[:-1]]
    places.append((start + source_lines[-1].start, start + source_lines[-1].end))
    lines = []
    for line, runs in zip(
        source_lines, visible_runs(places, sorted([*hidden, *broken])), strict=True
    ):
        begin = builder.end
        for run in runs:
            builder.copy(*run)
        lines.append(Line(begin, builder.end, line.text))
    return lines


def mark_lists(builder: TextBuilder, lines: list[Line]) -> None:
    """Mark the lines of tables of contents and of lists of abbreviations in a plain text.

    Three or more successive entries such as ``HRF: Housing Repair Fund`` form a list of
    abbreviations.

    Args:
        builder: Builder to which the regions are added.
        lines: All lines of the text, with their offsets in the plain text.
    """
    entries: list[Line] = []
    for line in [*lines, Line(0, 0, "")]:
        written = line.text.strip()
        before_page = written.rstrip("0123456789")
        if before_page != written and before_page.rstrip().endswith(_LEADERS):
            builder.region("contents", line.start, line.end)
        if entry_of(line.text):
            entries.append(line)
        elif written or not line.end:
            if len(entries) >= _FEWEST:
                builder.region("glossary", entries[0].start, entries[-1].end)
            entries.clear()


def _level(lines: list[Line], number: int) -> int:
    """Return the level of the title in a line, counted from 1, or 0 if the line isn't a title.

    A title is short, has empty lines around it, doesn't end in punctuation, and is numbered or in
    capital letters. A line in another form is a title only if it is underlined or announces a list.
    """
    text = lines[number].text.rstrip()
    above = lines[number - 1].text.strip() if number else ""
    below = lines[number + 1].text.strip() if number + 1 < len(lines) else ""
    if above or not text or text[0].isspace() or len(text) > _LONGEST_TITLE:
        return 0
    if underline := _UNDERLINE.fullmatch(below):
        return 1 + "=-~".index(underline[1])
    numbered = _NUMBERED.match(text)
    level = 1 + numbered["number"].count(".") if numbered else 1
    if kind_of_section(text):
        return level if numbered else _DEEPEST
    words = len(text.split())
    titled = words <= _MOST_WORDS if numbered else text.isupper() and words > 1
    return level if titled and not below and text[-1] not in ".!?:;," else 0
