"""IOB columns (CoNLL): a token, a tab and its tag a line, a blank line between sentences."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from .files import fail, text_lines


def read_iob(path: Path) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the tokens and the tags of each sentence; raises FormatError for another line."""
    for sentence in blocks(path):
        cells = [line.split("\t") for line in sentence]
        if wrong := [cell for cell in cells if len(cell) != 2]:
            fail(f"{path}: expected a token, a tab and its tag, got {wrong[0]}.")
        yield [token for token, _ in cells], [tag for _, tag in cells]


def blocks(path: Path) -> Iterator[list[str]]:
    """The lines of a file, divided by blank ones."""
    for blank, lines in groupby(text_lines(path), key=lambda line: not line.strip()):
        if not blank:
            yield list(lines)
