"""A mention that is linked to a concept, and the sample that it makes (GLADIS, section 4)."""

from typing import NamedTuple

from ...rules.schwartz_hearst import schwartz_hearst
from ..mining.readers.names import Concept
from .sample import Sample


class LinkedMention(NamedTuple):
    """A mention in a text, `text[start:end]`, and the concept that it is linked to.

    `concept` is the concept's id in the reference, or the title of its Wikipedia page.
    """

    text: str
    start: int
    end: int
    concept: str
    document: str
    domain: str
    type: str = ""


def to_sample(mention: LinkedMention, concept: Concept) -> Sample | None:
    """The mention with its acronym in place of the long form; None where it has no acronym.

    The acronym is the first of the concept's names that the rules take as the mention's. None, too,
    where the long form stands elsewhere in the text: it would give the answer away.
    """
    long_form = " ".join(mention.text[mention.start : mention.end].split())
    acronym = find_acronym(long_form, concept)
    left, right = mention.text[: mention.start], mention.text[mention.end :]
    if acronym is None or long_form.lower() in (left + "\n" + right).lower():
        return None
    return Sample(
        acronym,
        long_form,
        left + acronym + right,
        len(left),
        len(left) + len(acronym),
        mention.domain,
        mention.type or concept.type,
        mention.document,
    )


def find_acronym(long_form: str, concept: Concept) -> str | None:
    """The first name of a concept that is an acronym of the whole long form, by the rules."""
    for name in (concept.name, *concept.alternates):
        if len(name) < len(long_form) and not set("()") & set(name):
            text = f"{long_form} ({name})"
            for definition in schwartz_hearst(text):
                if definition.long_form == (0, len(long_form)) and not name.islower():
                    return name
    return None
