"""Concepts, phrases that are linked to them, and the inventory of concepts: one file, mapped into
memory, opened at once, shared by processes."""

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..errors import FormatError, InputError
from ..text import merge_key
from .columns import Arrays, Texts, map_columns

KIND = "spacy-gladis concepts 1"
"""The metadata's `kind`: what the file is, and in which version of the format."""


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


def key_hash(name: str) -> int:
    """64 bits of the hash of a name's merge key: equal for spellings of one name."""
    digest = hashlib.blake2b(merge_key(name).encode("utf-8", "replace"), digest_size=8)
    return int.from_bytes(digest.digest(), "little")


class Inventory:
    """Concepts by number (0..concepts-1, in the order of their ids) and their names by number.

    A concept's names stand together, the preferred one first: `names[name_ends[c - 1]]` onwards.
    """

    def __init__(self, arrays: Arrays, metadata: dict[str, str], path: Path | None = None) -> None:
        """Use `Inventory.open`, or `build_inventory` for one in memory."""
        self.path, self.metadata = path, metadata
        self.ids = Texts.of(arrays, "ids")
        self.names = Texts.of(arrays, "names")
        self.name_ends: NDArray[np.uint32] = arrays["name_ends"]
        self._alternates = Texts.of(arrays, "alternates")
        self._domains = Texts.of(arrays, "domains")
        self._arrays = arrays

    @classmethod
    def open(cls, path: str | Path) -> "Inventory":
        """Open a file that `spacy-gladis concepts build` wrote.

        Raises InputError where there is none, FormatError where it is foreign or truncated.
        """
        path = Path(path).absolute()
        arrays, metadata = map_columns(path)
        if metadata.get("kind") != KIND:
            raise FormatError(
                f"{path} is not an inventory of concepts that this version reads. Make one with: "
                "spacy-gladis concepts build SOURCE... --output FILE."
            )
        return cls(arrays, metadata, path)

    def __len__(self) -> int:
        """How many concepts it holds."""
        return len(self.ids)

    @property
    def fingerprint(self) -> str:
        """Hexadecimal digits that identify the content."""
        return self.metadata["fingerprint"]

    @cached_property
    def owners(self) -> Ints:
        """The concept of each name, by number, int64 [names]."""
        counts = np.diff(self.name_ends, prepend=np.uint32(0))
        return np.repeat(np.arange(len(self), dtype=np.int64), counts)

    def find(self, id: str) -> int | None:
        """The number of the concept with this id, its own or an alternate; None: there is none.

        Blanks around an id do not count, nor does a vocabulary's prefix, as in `OMIM:143100`.
        """
        id = id.strip()
        for wanted in dict.fromkeys((id, id.rpartition(":")[2])):
            if (at := _position(self.ids, wanted)) is not None:
                return at
            if (at := _position(self._alternates, wanted)) is not None:
                return int(self._arrays["alternate_of"][at])
        return None

    def find_all(self, ids: Iterable[str]) -> set[int]:
        """The numbers of those of the concepts that the inventory has."""
        return {number for id in ids if (number := self.find(id)) is not None}

    def names_of(self, concept: int) -> list[str]:
        """The names of a concept by its number, the preferred one first."""
        return self.names[slice(*self.name_range(concept))]

    def name_range(self, concept: int) -> tuple[int, int]:
        """The numbers of a concept's first name and of the one behind its last."""
        first = int(self.name_ends[concept - 1]) if concept else 0
        return first, int(self.name_ends[concept])

    def preferred(self, concept: int) -> str:
        """The preferred name of a concept by its number."""
        return self.names[self.name_range(concept)[0]]

    def domain(self, concept: int) -> str:
        """The part of the vocabulary that a concept belongs to, by its number."""
        return self._domains[concept]

    def lookup(self, name: str) -> list[int]:
        """The numbers of the concepts with this name, case, punctuation and plural apart."""
        hashes: NDArray[np.uint64] = self._arrays["key_hashes"]
        wanted = np.uint64(key_hash(name))
        first, last = (int(np.searchsorted(hashes, wanted, side)) for side in ("left", "right"))
        numbers = self._arrays["key_names"][first:last].tolist()
        return list(dict.fromkeys(int(self.owners[one]) for one in numbers))

    def concept(self, concept: int) -> Concept:
        """All that is known of a concept by its number."""
        alternates = np.flatnonzero(self._arrays["alternate_of"] == concept)
        return Concept(
            self.ids[concept],
            tuple(self.names_of(concept)),
            tuple(self._alternates[int(one)] for one in alternates),
            self.domain(concept),
            Texts.of(self._arrays, "definitions")[concept],
            tuple(self.ids[parent] for parent in self.parents_of(concept)),
        )

    def parents_of(self, concept: int) -> list[int]:
        """The numbers of a concept's parents, by its number."""
        ends = self._arrays["parents.ends"]
        first = int(ends[concept - 1]) if concept else 0
        found: list[int] = self._arrays["parents"][first : int(ends[concept])].tolist()
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        if self.path is None:
            raise InputError("Only an inventory of a file can go to another process.")
        return Inventory.open, (self.path,)


def _position(sorted_texts: Sequence[str], wanted: str) -> int | None:
    at = bisect_left(sorted_texts, wanted)
    return at if at < len(sorted_texts) and sorted_texts[at] == wanted else None
