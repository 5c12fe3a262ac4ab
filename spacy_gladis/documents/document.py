"""A document of a raw corpus."""

from typing import NamedTuple

PARAGRAPH_END = "\n\n"


class Document(NamedTuple):
    """A text with the place it comes from.

    `id` is unique in a run (file name and line), `domain` names the source, as The Pile's
    `pile_set_name` does.
    """

    id: str
    text: str
    domain: str
