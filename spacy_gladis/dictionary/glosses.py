"""Glosses: short descriptions of senses, followed by words that are frequent near them.

A gloss applies to all spellings of a long form, whatever the acronym. A gloss file has one line for
each gloss::

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
    """Read glosses from files with one acronym, long form and gloss per line, separated by tabs.

    Args:
        paths: Paths of the gloss files, which have no header line.

    Returns:
        A mapping from the `same_key` of each long form to its gloss.

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
        glosses: The glosses, as returned by `read_glosses`.
        long_form: The long form, in any spelling.

    Returns:
        The gloss, or an empty string if there is none.
    """
    return glosses.get(same_key(long_form), "")


def describe(long_form: str, gloss: str) -> str:
    """Return the text that the encoder reads for a sense: its long form and its gloss.

    Args:
        long_form: The long form of the sense.
        gloss: The gloss of the sense, or an empty string if it has no gloss.
    """
    return f"{long_form}: {gloss}" if gloss else long_form
