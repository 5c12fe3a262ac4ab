"""Reader of corpora with annotated protein interactions, such as AIMed.

Five such corpora are published in the same XML format.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from ...text import Offsets


class Pair(NamedTuple):
    """Two proteins in a sentence, labelled with whether the sentence says that they interact.

    Attributes:
        id: Id of the sentence, followed by the number of the pair in it.
        document: Id of the document that contains the sentence.
        text: The sentence. PROTEIN1 and PROTEIN2 replace the names of the two proteins, and PROTEIN
            those of all others.
        interacts: Whether the sentence states that the two proteins interact.
    """

    id: str
    document: str
    text: str
    interacts: bool


def read_interactions(path: Path) -> Iterator[Pair]:
    """Read all pairs of proteins that occur in the same sentence of a corpus.

    The names of the proteins are masked, as in section 4.3 of Elangovan et al. (2021). Names that
    overlap or that have several parts are not masked completely (see `mask`). In our release of
    AIMed, 162 of 5,775 pairs therefore lack PROTEIN2, and 1,085 keep a part of a protein's name.

    Args:
        path: Path of the corpus, as an XML file.

    Yields:
        The pairs of each sentence, in file order.
    """
    for document in ElementTree.parse(path).iter("document"):
        for sentence in document.iter("sentence"):
            entities = {
                entity.attrib["id"]: _parts(entity.attrib) for entity in sentence.iter("entity")
            }
            related = {
                frozenset((interaction.attrib["e1"], interaction.attrib["e2"]))
                for interaction in sentence.iter("interaction")
            }
            for number, (first, second) in enumerate(combinations(entities, 2)):
                others = [parts for id, parts in entities.items() if id not in (first, second)]
                text = mask(sentence.attrib["text"], [entities[first], entities[second], *others])
                id = f"{sentence.attrib['id']}.p{number}"
                yield Pair(id, document.attrib["id"], text, frozenset((first, second)) in related)


def _parts(attributes: dict[str, str]) -> list[Offsets]:
    """Return the ``(start, end)`` character offsets of the parts of an entity in its sentence."""
    parts = [part.split("-") for part in attributes["charOffset"].split(",")]
    return [(int(start), int(end)) for start, end in parts]


def mask(text: str, entities: Sequence[Sequence[Offsets]]) -> str:
    """Replace the names of proteins in a sentence with PROTEIN1, PROTEIN2 and PROTEIN.

    If names overlap, only the one that is first in `entities` is replaced. If a name has several
    parts, only its first part is replaced.

    Args:
        text: Text of the sentence.
        entities: ``(start, end)`` character offsets of the parts of each name. The first two names
            become PROTEIN1 and PROTEIN2, and all others become PROTEIN.

    Returns:
        The sentence with the names replaced.
    """
    chosen: list[tuple[int, int, str]] = []
    names = ["PROTEIN1", "PROTEIN2", *["PROTEIN"] * len(entities)]
    for ((start, end), *_), name in zip(entities, names, strict=False):
        if all(end <= first or start >= last for first, last, _ in chosen):
            chosen.append((start, end, name))
    for start, end, name in sorted(chosen, reverse=True):
        text = text[:start] + name + text[end:]
    return text
