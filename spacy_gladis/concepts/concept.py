"""One concept of an inventory, and a phrase that is linked to concepts."""

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


class ConceptMention(NamedTuple):
    """A phrase and the text that it stands in.

    concepts: the right ids; several where the phrase names several concepts at once, of which each
    is right. start: its place in `text`, -1 where it does not stand there word for word (parts that
    lie apart, or corrected by the annotator). kind: its class, such as Disease.
    """

    phrase: str
    concepts: tuple[str, ...] = ()
    text: str = ""
    start: int = -1
    document: str = ""
    kind: str = ""
