"""Glosses: short descriptions of senses, followed by words that are frequent near them.

A gloss belongs to a long form in all its spellings and under all acronyms. A gloss file has a line
for each::

    HPC<TAB>history of presenting complaint<TAB>section of a GP clinical note; PMH, DH, onset
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from ..documents.lines import read_lines
from ..errors import InputError
from ..text.spelling import same_key
from .candidate import KIND_END, kind_of

LONGEST_GLOSS = 18
"""Maximum number of words in a gloss."""


def read_glosses(paths: Iterable[Path]) -> dict[str, str]:
    """Read gloss files: lines of acronym, long form and gloss, separated by tabs.

    Args:
        paths: Gloss files, without a header line.

    Returns:
        Glosses by the `same_key` of their long form.

    Raises:
        InputError: If a line doesn't have three columns, or if its gloss is too long or has no
            description.
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
                    f"{where}: the gloss {gloss!r} is invalid. Write a description, then "
                    f"'{KIND_END}', then words near the sense, in {LONGEST_GLOSS} words at most."
                )
            glosses.setdefault(same_key(long_form), gloss)
    return glosses


def find_gloss(glosses: Mapping[str, str], long_form: str) -> str:
    """Return the gloss of a long form.

    Args:
        glosses: Glosses as `read_glosses` returns them.
        long_form: The long form, in any spelling.

    Returns:
        The gloss; an empty string if there is none.
    """
    return glosses.get(same_key(long_form), "")


def describe(long_form: str, gloss: str) -> str:
    """Return the text of a sense for the encoder.

    Args:
        long_form: The long form.
        gloss: Its gloss; an empty string if it has none.
    """
    return f"{long_form}: {gloss}" if gloss else long_form
