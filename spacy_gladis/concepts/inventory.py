"""Concepts, phrases that mention concepts, and the concept inventory.

An inventory is a single file that is mapped into memory. It opens instantly, and processes share
it.
"""

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
"""Value of ``kind`` in an inventory's metadata, which identifies the file format and its
version."""


class Concept(NamedTuple):
    """A concept of a vocabulary, such as a disease in SNOMED CT.

    Attributes:
        id: Id of the concept in its vocabulary.
        names: Names of the concept. The preferred name comes first.
        alternates: Other ids of the same concept, such as the ids of concepts that were merged into
            it.
        domain: Part of the vocabulary that the concept belongs to, such as its semantic tag,
            namespace or type. Empty if it is unknown.
        definition: Definition of the concept in words. Empty if there is none.
        parents: Ids of broader concepts.
    """

    id: str
    names: tuple[str, ...]
    alternates: tuple[str, ...] = ()
    domain: str = ""
    definition: str = ""
    parents: tuple[str, ...] = ()


class ConceptMention(NamedTuple):
    """A phrase in a text that names a concept of a vocabulary.

    Attributes:
        phrase: The phrase, such as "heart attack".
        concepts: Ids of the concepts that the phrase names, according to its annotators. A system
            that predicts any of them is right. Empty if they are unknown.
        text: The text that contains the phrase.
        start: Character offset of the phrase in `text`. -1 if the phrase doesn't occur in the text
            as it is, because its words are not adjacent or an annotator corrected it.
        document: Id of the document that the text comes from.
        kind: Type of the entity that the phrase names, such as ``"Disease"``. Empty if unknown.
    """

    phrase: str
    concepts: tuple[str, ...] = ()
    text: str = ""
    start: int = -1
    document: str = ""
    kind: str = ""


def key_hash(name: str) -> int:
    """Return a hash of a concept's name that is the same for different spellings of the name.

    Spellings are the same if `merge_key` returns the same key for them. This key ignores case,
    punctuation and inflection, so "Heart attacks" and "heart-attack" have the same hash.

    Args:
        name: A name of a concept.

    Returns:
        An unsigned 64-bit integer.
    """
    digest = hashlib.blake2b(merge_key(name).encode("utf-8", "replace"), digest_size=8)
    return int.from_bytes(digest.digest(), "little")


class Inventory:
    """A read-only store of a vocabulary's concepts and their names.

    Create an inventory with `Inventory.open` or `build_inventory`. Its methods identify concepts
    and names by numbers. Concepts are numbered from 0, sorted by their ids. Names are numbered from
    0 in the order of their concepts, and the preferred name of a concept comes first.

    Attributes:
        path: File of the inventory. None for an inventory in memory.
        metadata: A mapping with the keys ``kind`` (the format), ``fingerprint`` and ``counts``
            (numbers of concepts and names, as JSON).
        ids: Ids of all concepts, in the order of their numbers.
        names: Names of all concepts, in the order of their numbers.
        name_ends: For each concept, the number of its last name plus one, uint32 of shape
            (concepts,).
    """

    def __init__(self, arrays: Arrays, metadata: dict[str, str], path: Path | None = None) -> None:
        """Create an inventory from its arrays. Call `Inventory.open` or `build_inventory` instead.

        Args:
            arrays: A mapping from the names of the inventory's arrays to the arrays.
            metadata: Metadata of the inventory, as described under its attributes.
            path: File of the inventory. None for an inventory in memory.
        """
        self.path, self.metadata = path, metadata
        self.ids = Texts.from_arrays(arrays, "ids")
        self.names = Texts.from_arrays(arrays, "names")
        self.name_ends: NDArray[np.uint32] = arrays["name_ends"]
        self._alternates = Texts.from_arrays(arrays, "alternates")
        self._domains = Texts.from_arrays(arrays, "domains")
        self._arrays = arrays

    @classmethod
    def open(cls, path: str | Path) -> "Inventory":
        """Open a concept inventory that was written to a file.

        The file is mapped into memory, so that it opens instantly.

        Args:
            path: Path of a file that `write_inventory` or `spacy-gladis concepts build` wrote.

        Returns:
            The inventory.

        Raises:
            InputError: If the file is missing or can't be read.
            FormatError: If the file is not an inventory, has another version, or is damaged.
        """
        path = Path(path).absolute()
        arrays, metadata = map_columns(path)
        if metadata.get("kind") != KIND:
            raise FormatError(
                f"{path} is not an inventory of concepts, or has another version. Create one with "
                "'spacy-gladis concepts build SOURCE... --output FILE'."
            )
        return cls(arrays, metadata, path)

    def __len__(self) -> int:
        """Return the number of concepts in the inventory."""
        return len(self.ids)

    @property
    def fingerprint(self) -> str:
        """A hexadecimal string that identifies the content of the inventory."""
        return self.metadata["fingerprint"]

    @cached_property
    def owners(self) -> Ints:
        """For each name, the number of the concept that it belongs to, int64 of shape (names,)."""
        counts = np.diff(self.name_ends, prepend=np.uint32(0))
        return np.repeat(np.arange(len(self), dtype=np.int64), counts)

    def find(self, id: str) -> int | None:
        """Find a concept by its id or by one of its alternate ids.

        Args:
            id: The id to find. White space around it is ignored. If the inventory doesn't contain
                the id, a prefix such as ``OMIM:`` in ``OMIM:143100`` is ignored too.

        Returns:
            The number of the concept, or None if the inventory doesn't contain it.
        """
        id = id.strip()
        for candidate in dict.fromkeys((id, id.rpartition(":")[2])):
            if (number := _find_sorted(self.ids, candidate)) is not None:
                return number
            if (row := _find_sorted(self._alternates, candidate)) is not None:
                return int(self._arrays["alternate_of"][row])
        return None

    def find_all(self, ids: Iterable[str]) -> set[int]:
        """Find several concepts by their ids or alternate ids.

        Args:
            ids: Ids of concepts, which are looked up as in `find`.

        Returns:
            The numbers of the concepts. Ids that the inventory doesn't contain are ignored.
        """
        return {number for id in ids if (number := self.find(id)) is not None}

    def names_of(self, concept: int) -> list[str]:
        """Return all names of a concept, with the preferred name first.

        Args:
            concept: Number of the concept, counted from 0.
        """
        return self.names[slice(*self.name_range(concept))]

    def name_range(self, concept: int) -> tuple[int, int]:
        """Return the numbers of a concept's names, as a range of indices in `Inventory.names`.

        Args:
            concept: Number of the concept, counted from 0.

        Returns:
            A pair of the number of the first name, and the number of the last name plus one.
        """
        first = int(self.name_ends[concept - 1]) if concept else 0
        return first, int(self.name_ends[concept])

    def preferred_name(self, concept: int) -> str:
        """Return the preferred name of a concept, which is the first of its names.

        Args:
            concept: Number of the concept, counted from 0.
        """
        return self.names[self.name_range(concept)[0]]

    def domain(self, concept: int) -> str:
        """Return the part of the vocabulary that a concept belongs to, such as its semantic type.

        Args:
            concept: Number of the concept, counted from 0.

        Returns:
            The domain, or an empty string if it is unknown.
        """
        return self._domains[concept]

    def lookup(self, name: str) -> list[int]:
        """Find all concepts that have a given name, in any spelling.

        Args:
            name: The name to find. Case, punctuation and inflection, such as plural endings, are
                ignored.

        Returns:
            The numbers of the concepts. Empty if no concept has this name.
        """
        hashes: NDArray[np.uint64] = self._arrays["key_hashes"]
        key = np.uint64(key_hash(name))
        first, last = (int(np.searchsorted(hashes, key, side)) for side in ("left", "right"))
        numbers = self._arrays["key_names"][first:last].tolist()
        return list(dict.fromkeys(int(self.owners[number]) for number in numbers))

    def concept(self, concept: int) -> Concept:
        """Return a concept with all its names, ids and parents as a `Concept` object.

        To read only the names or the domain, call `names_of` or `domain`, which are faster.

        Args:
            concept: Number of the concept, counted from 0.
        """
        alternates = np.flatnonzero(self._arrays["alternate_of"] == concept)
        return Concept(
            self.ids[concept],
            tuple(self.names_of(concept)),
            tuple(self._alternates[int(row)] for row in alternates),
            self.domain(concept),
            Texts.from_arrays(self._arrays, "definitions")[concept],
            tuple(self.ids[parent] for parent in self.parents_of(concept)),
        )

    def parents_of(self, concept: int) -> list[int]:
        """Return the numbers of the concepts that are the direct parents of a concept.

        Args:
            concept: Number of the concept, counted from 0.

        Returns:
            The numbers of the parents. Empty for a concept without parents.
        """
        ends = self._arrays["parents.ends"]
        first = int(ends[concept - 1]) if concept else 0
        parents: list[int] = self._arrays["parents"][first : int(ends[concept])].tolist()
        return parents

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the path of the inventory's file, not its content.

        Raises:
            InputError: If the inventory is in memory only.
        """
        if self.path is None:
            raise InputError(
                "An inventory in memory cannot be pickled. Write it to a file with write_inventory "
                "and open it with Inventory.open."
            )
        return Inventory.open, (self.path,)


def _find_sorted(texts: Sequence[str], query: str) -> int | None:
    """Return the index of a text in a sorted sequence, or None if it is not there."""
    index = bisect_left(texts, query)
    return index if index < len(texts) and texts[index] == query else None
