"""What an audit compares: the items of a data set, read from any format the package reads."""

from typing import NamedTuple


class Item(NamedTuple):
    """One text of a data set with what is annotated in it.

    `annotations` are the strings a system has to find or produce (gene names, long forms, concept
    mentions, definitions); `acronyms` and `pairs` (acronym, long form) are those of acronym sets.
    `id` is the data set's own, or the item's number; `document` names what must not be split.
    """

    text: str
    annotations: tuple[str, ...] = ()
    acronyms: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    id: str = ""
    document: str = ""
