"""Texts in which each acronym is labelled with its long form, for evaluating whole pipelines.

They are passages that were written by hand, and documents whose authors publish a glossary.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import FormatError, InputError
from ...text import Offsets
from .files import json_lines

NO_ACRONYM = "none"
"""Value of `GoldMention.case` for a mention that looks like an acronym but is not one."""

CASES = ("capitals", "mixed", "lower", "slashed", "dotted", "plural", "digits", NO_ACRONYM)

_PLURAL = re.compile(r"\S+[A-Z]['’]?s")


class GoldMention(NamedTuple):
    """A labelled mention of an acronym in a text, with its correct long forms.

    Attributes:
        start: Character offset at which the mention starts.
        end: Character offset at which the mention ends (exclusive).
        acronym: Mention as it is written in the text. It can be a plural, such as "GANs".
        long_forms: Correct long forms, the most frequent one first. Empty if the mention only looks
            like an acronym, so that a system must not resolve it.
        case: Kind of spelling, such as ``"capitals"`` or ``"plural"``. ``"none"`` if the mention is
            not an acronym.
        defined: Whether the text defines the acronym.
    """

    start: int
    end: int
    acronym: str
    long_forms: tuple[str, ...]
    case: str
    defined: bool


class LabelledText(NamedTuple):
    """A passage or document in which the acronyms are labelled with their long forms.

    Attributes:
        name: Id of the text, which evaluation results refer to.
        field: Subject field of the text, such as ``"clinical"``.
        repository: Repository that a document comes from. Empty for a hand-written passage.
        text: The whole text.
        mentions: Labelled mentions of acronyms, in file order.
    """

    name: str
    field: str
    repository: str
    text: str
    mentions: tuple[GoldMention, ...]


def read_texts(path: Path) -> list[LabelledText]:
    """Read passages or documents whose acronyms are labelled with their long forms.

    Args:
        path: Path of a JSON Lines file. Each line has a `text`, its subject `field` and a list of
            `mentions`.

    Returns:
        The labelled texts, in file order. There is at least one.

    Raises:
        InputError: If `path` is not a file.
        FormatError: If the file is empty, a line has other fields, or the text at the offsets of a
            mention is not the mention. The message names the line.
    """
    if not path.is_file():
        raise InputError(f"{path} does not exist or is a folder. Choose a JSON Lines file.")
    texts = [_read(row, f"{path}:{number}") for number, row in json_lines(path)]
    if not texts:
        raise FormatError(f"{path} is empty. Choose a file with labelled texts.")
    return texts


def find_closest(gold: GoldMention, spans: Sequence[Offsets]) -> int | None:
    """Return the index of the span that is closest to a gold mention among those that overlap it.

    A compound and its parts may overlap the same gold mention, but only one of them is meant.

    Args:
        gold: Gold mention of a text.
        spans: Character offsets of spans in the same text.

    Returns:
        The index of the span, the first one on a tie, or None if no span overlaps the mention.
    """
    overlapping = [
        (abs(start - gold.start) + abs(end - gold.end), index)
        for index, (start, end) in enumerate(spans)
        if start < gold.end and gold.start < end
    ]
    return min(overlapping)[1] if overlapping else None


def case_of(acronym: str) -> str:
    """Classify an acronym by its spelling, so that scores can be reported for each class.

    For example, "CNNs" is ``"plural"``, "b.i.d." is ``"dotted"`` and "htn" is ``"lower"``. If
    several classes apply, the first in the order below is returned.

    Args:
        acronym: Acronym as it is written in a text.

    Returns:
        One of ``"slashed"``, ``"dotted"``, ``"digits"``, ``"plural"``, ``"capitals"``, ``"lower"``
        and ``"mixed"``.
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
            f"{where}: the line is not a labelled text ({type(error).__name__}: {error}). Expected "
            "an object with 'text', 'field' and 'mentions'. Each mention needs 'start', 'end', "
            "'acronym', and 'long_forms' or 'long_form'."
        ) from error
    return LabelledText(name, field, repository, text, mentions)


def _mention(row: dict[str, Any], text: str) -> GoldMention:
    start, end = row["start"], row["end"]
    spelling = text[start:end]
    if not spelling.startswith(row["acronym"]):  # the glossary may have "GAN" for "GANs"
        raise ValueError(
            f"the acronym {row['acronym']!r} is not at {start}:{end}, where the text has "
            f"{spelling!r}"
        )
    long_forms = row["long_forms"] if "long_forms" in row else [row["long_form"]]
    case = row.get("case") or (case_of(spelling) if long_forms else NO_ACRONYM)
    if case not in CASES or (case == NO_ACRONYM) == bool(long_forms):
        raise ValueError(f"the case {case!r} does not fit the long forms {long_forms}")
    defined = bool(row.get("defined", False))
    return GoldMention(start, end, spelling, tuple(long_forms), case, defined)
