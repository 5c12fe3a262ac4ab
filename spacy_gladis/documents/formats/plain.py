"""Plain text, in which titles and lists are seen by their shape alone."""

import re
from collections.abc import Iterable

from ..builder import TextBuilder, visible_runs
from ..lists import entry_of, kind_of_section
from .line_ends import broken_words
from .paragraphs import Line, lines_of

_UNDERLINE = re.compile(r"([=~-])\1{2,}\s*")
_NUMBERED = re.compile(r"(?P<number>\d+(?:\.\d+)*)\.?\s+[A-Z]")
_LEADERS = ("....", ". . .")  # before the page
_LONGEST_TITLE = 80  # characters
_DEEPEST = 9  # level: any title ends the section
_MOST_WORDS = 6  # of a numbered one: longer ones may be steps of a list
_FEWEST = 3  # entries of a list of abbreviations that has no title


def read_plain(builder: TextBuilder) -> None:
    """All of a plain text counts."""
    lines = copy_lines(builder, 0, len(builder.original))
    for number, line in enumerate(lines):
        if level := _level(lines, number):
            builder.title(line.start, level, line.end)
    mark_lists(builder, lines)


def copy_lines(
    builder: TextBuilder, start: int, end: int, hidden: Iterable[tuple[int, int]] = ()
) -> list[Line]:
    """Take whole lines of the original as they are, but for words that line ends break.

    Args:
        builder: What the text goes to.
        start: The offset in the original of the first line.
        end: The offset behind the last line.
        hidden: What else is left out, by offsets in the original.

    Returns:
        The lines, with their ends, at their places in the text.
    """
    written = builder.original[start:end]
    broken = ((start + left, start + right) for left, right in broken_words(written))
    found = lines_of(written)
    places = [(start + line.start, start + line.end + 1) for line in found[:-1]]
    places.append((start + found[-1].start, start + found[-1].end))
    lines = []
    for line, runs in zip(found, visible_runs(places, sorted([*hidden, *broken])), strict=True):
        begin = builder.end
        for run in runs:
            builder.copy(*run)
        lines.append(Line(begin, builder.end, line.text))
    return lines


def mark_lists(builder: TextBuilder, lines: list[Line]) -> None:
    """Say which lines are entries of a table of contents or of a list of abbreviations."""
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
    """The level of the title that a line is, from 1; 0 where it is none.

    It is short, below an empty line and above another one, and numbered or in capitals, with no
    sign at its end; or it is underlined, or names a list.
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
