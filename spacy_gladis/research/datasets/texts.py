"""Texts in which the meaning of each acronym is labelled.

They are hand-written passages, and documents whose authors keep a glossary.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import FormatError, InputError
from .files import json_lines

NO_ACRONYM = "none"
"""Value of `case` for a mention that looks like an acronym but is not one."""

CASES = ("capitals", "mixed", "lower", "slashed", "dotted", "plural", "digits", NO_ACRONYM)

_PLURAL = re.compile(r"\S+[A-Z]['’]?s")


class GoldMention(NamedTuple):
    """A mention at `text[start:end]` and its correct long forms.

    Attributes:
        start: Start offset, in characters.
        end: End offset, exclusive.
        acronym: The mention as written in the text, for instance as a plural.
        long_forms: The correct long forms, the most frequent first. Empty if the mention is not an
            acronym and must not be resolved.
        case: Kind of spelling, one of `CASES`.
        defined: Whether the text defines the acronym.
    """

    start: int
    end: int
    acronym: str
    long_forms: tuple[str, ...]
    case: str
    defined: bool


class LabelledText(NamedTuple):
    """A text with its labelled mentions.

    Attributes:
        name: Id of the text.
        field: Subject field of the text.
        repository: Repository of a document. Empty for a passage.
        text: The text.
        mentions: The mentions.
    """

    name: str
    field: str
    repository: str
    text: str
    mentions: tuple[GoldMention, ...]


def read_texts(path: Path) -> list[LabelledText]:
    """Read labelled passages or documents.

    Args:
        path: Path of a file of JSON lines, with one text per line.

    Returns:
        The texts.

    Raises:
        InputError: If there is no such file.
        FormatError: If the file has no texts, a line is not a text, or a mention does not match its
            offsets. The message names the line.
    """
    if not path.is_file():
        raise InputError(f"{path} does not exist or is a folder.")
    texts = [_read(row, f"{path}:{number}") for number, row in json_lines(path)]
    if not texts:
        raise FormatError(f"{path} is empty. Give a file with labelled texts.")
    return texts


def case_of(acronym: str) -> str:
    """Classify the spelling of an acronym, such as its capitalization, as one of `CASES`.

    Args:
        acronym: The acronym.
    """
    signs = {
        "slashed": "/" in acronym,
        "dotted": "." in acronym,
        "digits": any(map(str.isdigit, acronym)),
        "plural": _PLURAL.fullmatch(acronym),
        "capitals": acronym.isupper(),
        "lower": acronym.islower(),
    }
    return next((case for case, holds in signs.items() if holds), "mixed")


def _read(row: dict[str, Any], where: str) -> LabelledText:
    try:
        text, field = row["text"], row["field"]
        mentions = tuple(_mention(mention, text) for mention in row["mentions"])
        # A passage has an id. A document has a repository, a path and, if long, a part.
        # A collected text has a source: its repository and file.
        repository = row.get("repo") or row.get("source", "").partition(":")[0]
        parts = (repository, row.get("path"), row.get("part"))
        name = row.get("id") or row.get("source")
        name = name or "/".join(str(part) for part in parts if part is not None)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(
            f"{where}: expected an object with 'text', 'field' and 'mentions' that have 'start', "
            f"'end', 'acronym' and 'long_forms' or 'long_form' ({type(error).__name__}: {error})."
        ) from error
    return LabelledText(name, field, repository, text, mentions)


def _mention(row: dict[str, Any], text: str) -> GoldMention:
    start, end = row["start"], row["end"]
    spelling = text[start:end]
    if not spelling.startswith(row["acronym"]):  # the glossary may have "GAN" for "GANs"
        raise ValueError(
            f"{row['acronym']!r} is not at {start}:{end}, where the text has {spelling!r}"
        )
    long_forms = row["long_forms"] if "long_forms" in row else [row["long_form"]]
    case = row.get("case") or (case_of(spelling) if long_forms else NO_ACRONYM)
    if case not in CASES or (case == NO_ACRONYM) == bool(long_forms):
        raise ValueError(f"the case {case!r} does not fit the long forms {long_forms}")
    defined = bool(row.get("defined", False))
    return GoldMention(start, end, spelling, tuple(long_forms), case, defined)
