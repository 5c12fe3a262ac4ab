"""Read and use glosses, which are short descriptions of the senses of long forms.

A gloss consists of a description, a semicolon, and words that are frequent near the sense in texts.
It applies to all spellings of a long form, and to all acronyms with this long form. A gloss file
has one line for each gloss, with tabs between acronym, long form and gloss::

    HPC<TAB>history of presenting complaint<TAB>section of a GP clinical note; PMH, DH, onset
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from ..documents.lines import read_lines
from ..errors import InputError
from ..text.spelling import same_key
from .candidate import KIND_END, kind_of

LONGEST_GLOSS = 18
"""Maximum number of words in a gloss, including the words after the semicolon."""


def read_glosses(paths: Iterable[Path]) -> dict[str, str]:
    """Read glosses from files with one acronym, long form and gloss per line, separated by tabs.

    If several lines describe the same long form, the first gloss is used.

    Args:
        paths: Paths of the gloss files. They have no header line.

    Returns:
        A mapping from each long form to its gloss. Its keys are normalised with `same_key`, so use
        `find_gloss` to look up a long form.

    Raises:
        InputError: If a line doesn't have three columns, or if its gloss has too many words or no
            description.
    """
    glosses: dict[str, str] = {}
    for path in paths:
        for number, raw in read_lines(path):
            cells = raw.decode().rstrip("\r\n").split("\t")
            where = f"{path}, line {number}"
            if len(cells) != 3:
                raise InputError(
                    f"{where}: expected three columns (acronym, long form, gloss), got {cells}."
                )
            _, long_form, gloss = cells
            if len(gloss.split()) > LONGEST_GLOSS or not kind_of(gloss):
                raise InputError(
                    f"{where}: the gloss {gloss!r} is invalid. Write a description, a "
                    f"'{KIND_END}', and words near the sense. Use at most {LONGEST_GLOSS} words."
                )
            glosses.setdefault(same_key(long_form), gloss)
    return glosses


def find_gloss(glosses: Mapping[str, str], long_form: str) -> str:
    """Return the gloss of a long form, which describes its sense in a few words.

    Args:
        glosses: The glosses, as returned by `read_glosses`.
        long_form: The long form, in any spelling.

    Returns:
        The gloss, or an empty string if the long form has none.
    """
    return glosses.get(same_key(long_form), "")


def describe(long_form: str, gloss: str) -> str:
    """Return the text that the encoder reads for a sense: its long form and its gloss.

    Args:
        long_form: The long form of the sense.
        gloss: The gloss of the sense. It may be empty.

    Returns:
        The long form and the gloss with a colon between them, or the long form alone if there is no
        gloss.
    """
    return f"{long_form}: {gloss}" if gloss else long_form
