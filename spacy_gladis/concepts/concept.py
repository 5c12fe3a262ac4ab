"""One concept of an inventory."""

from typing import NamedTuple


class Concept(NamedTuple):
    """A concept with its names, the preferred one first.

    alternates: other ids that mean it, such as those of concepts merged into it. domain: its part
    of the vocabulary (semantic tag, namespace, type). parents: ids of the broader concepts.
    """

    id: str
    names: tuple[str, ...]
    alternates: tuple[str, ...] = ()
    domain: str = ""
    definition: str = ""
    parents: tuple[str, ...] = ()
