"""Reader of protein interactions in the unified XML format of five corpora, such as AIMed."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from ...text import Offsets


class Pair(NamedTuple):
    """A pair of proteins in a sentence.

    Attributes:
        id: The sentence's id and the pair's number.
        document: The id of the sentence's document.
        text: The sentence, with the names of the pair replaced by PROTEIN1 and PROTEIN2, and those
            of other proteins by PROTEIN.
        interacts: Whether the sentence states that the two proteins interact.
    """

    id: str
    document: str
    text: str
    interacts: bool


def read_interactions(path: Path) -> Iterator[Pair]:
    """Read every pair of proteins of every sentence (Elangovan et al. 2021, section 4.3).

    Args:
        path: The XML file.

    Yields:
        The pairs.
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
    """Return the offsets of an entity's parts in its sentence."""
    parts = [part.split("-") for part in attributes["charOffset"].split(",")]
    return [(int(start), int(end)) for start, end in parts]


def mask(text: str, entities: Sequence[Sequence[Offsets]]) -> str:
    """Replace the first two entities of a sentence by PROTEIN1 and PROTEIN2, the others by PROTEIN.

    If entities overlap, only the first one is replaced. If an entity has several parts, only the
    first part is replaced.

    Args:
        text: The sentence.
        entities: Character offsets of each entity's parts.
    """
    chosen: list[tuple[int, int, str]] = []
    names = ["PROTEIN1", "PROTEIN2", *["PROTEIN"] * len(entities)]
    for ((start, end), *_), name in zip(entities, names, strict=False):
        if all(end <= first or start >= last for first, last, _ in chosen):
            chosen.append((start, end, name))
    for start, end, name in sorted(chosen, reverse=True):
        text = text[:start] + name + text[end:]
    return text
