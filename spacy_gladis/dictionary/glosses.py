"""Glosses: what a sense is and the words that stand near it, in at most 16 words.

A gloss belongs to a long form, in whatever spelling and under whichever acronym it is listed::

    HPC<TAB>history of presenting complaint<TAB>section of a GP clinical note; PMH, DH, onset
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from ..documents.lines import read_lines
from ..errors import InputError
from ..text.spelling import same_key

LONGEST_GLOSS = 18
"""Words of a gloss at most; a compound may be counted as two."""

KIND_END = ";"
"""Ends the first part of a gloss, which says what kind of thing the sense is."""


def read_glosses(paths: Iterable[Path]) -> dict[str, str]:
    """Read gloss files: lines of acronym, long form and gloss, separated by tabs.

    Args:
        paths: Files without a header line.

    Returns:
        Glosses by the key of their long form (`same_key`).

    Raises:
        InputError: If a line does not have three columns, or its gloss is too long or has no part
            that says what kind of thing the sense is.
    """
    glosses: dict[str, str] = {}
    for path in paths:
        for number, raw in read_lines(path):
            cells = raw.decode().rstrip("\r\n").split("\t")
            where = f"{path}, line {number}"
            if len(cells) != 3:
                raise InputError(f"{where}: expected acronym, long form and gloss, got {cells}.")
            _, long_form, gloss = cells
            if len(gloss.split()) > LONGEST_GLOSS or not kind_of(gloss):
                raise InputError(
                    f"{where}: the gloss {gloss!r} must say what kind of thing it is, then "
                    f"'{KIND_END}', then words near it, in {LONGEST_GLOSS} words at most."
                )
            glosses.setdefault(same_key(long_form), gloss)
    return glosses


def find_gloss(glosses: Mapping[str, str], long_form: str) -> str:
    """Return the gloss of a long form in any spelling; an empty string if it has none."""
    return glosses.get(same_key(long_form), "")


def kind_of(gloss: str) -> str:
    """Return the part of a gloss that says what the sense is, for people to read."""
    return gloss.partition(KIND_END)[0].strip()


def describe(long_form: str, gloss: str) -> str:
    """Return the text of a sense as the encoder reads it."""
    return f"{long_form}: {gloss}" if gloss else long_form
