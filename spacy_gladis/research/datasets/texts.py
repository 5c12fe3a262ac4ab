"""Texts with the meaning of each acronym marked: hand-written passages, and documents whose
authors keep a glossary."""

import re
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import FormatError, InputError
from .files import json_lines

NO_ACRONYM = "none"
"""The case of a mention that looks like an acronym and is none."""

CASES = ("capitals", "mixed", "lower", "slashed", "dotted", "plural", "digits", NO_ACRONYM)

_PLURAL = re.compile(r"\S+[A-Z]['’]?s")


class GoldMention(NamedTuple):
    """What stands at `text[start:end]`, and the long forms that are right for it, commonest first.

    acronym: as the text spells it, a plural among them. No long forms: it is not an acronym, and
    must not be answered. case: one of CASES. defined: the text itself spells it out somewhere.
    """

    start: int
    end: int
    acronym: str
    long_forms: tuple[str, ...]
    case: str
    defined: bool


class LabelledText(NamedTuple):
    """A text with its mentions; a document is of a repository, a passage of none (empty)."""

    name: str
    field: str
    repository: str
    text: str
    mentions: tuple[GoldMention, ...]


def read_texts(path: Path) -> list[LabelledText]:
    """The texts of a JSON Lines file of passages or of documents, one text a line.

    Raises InputError where it cannot be read, and FormatError, naming the line, for what is no
    such text or a mention that does not stand at its offsets.
    """
    if not path.is_file():
        raise InputError(f"{path} cannot be read: there is no such file, or it is a folder.")
    texts = [_read(row, f"{path}:{number}") for number, row in json_lines(path)]
    if not texts:
        raise FormatError(f"{path} is empty: there is nothing to measure.")
    return texts


def case_of(acronym: str) -> str:
    """How an acronym is spelt: one of CASES."""
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
        mentions = tuple(_mention(one, text) for one in row["mentions"])
        # A passage has an id; a document a repository and a path, and parts where it is long; a
        # collected text the repository and the file that it is of as its source.
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
    spelt = text[start:end]
    if not spelt.startswith(row["acronym"]):  # a glossary has "GAN" where the text has "GANs"
        raise ValueError(f"{row['acronym']!r} is not at {start}:{end}, where {spelt!r} is")
    long_forms = row["long_forms"] if "long_forms" in row else [row["long_form"]]
    case = row.get("case") or (case_of(spelt) if long_forms else NO_ACRONYM)
    if case not in CASES or (case == NO_ACRONYM) == bool(long_forms):
        raise ValueError(f"the case {case!r} does not go with the long forms {long_forms}")
    defined = bool(row.get("defined", False))
    return GoldMention(start, end, spelt, tuple(long_forms), case, defined)
