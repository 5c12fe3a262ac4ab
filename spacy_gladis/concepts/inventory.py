"""Concepts, mentions of concepts, and the concept inventory.

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
"""Value of `kind` in the metadata of an inventory, which identifies the format and its version."""


class Concept(NamedTuple):
    """A concept of a vocabulary.

    Attributes:
        id: Id in the vocabulary.
        names: Names, the preferred name first.
        alternates: Other ids of the same concept, such as the ids of concepts merged into it.
        domain: Part of the vocabulary that the concept belongs to: a semantic tag, namespace or
            type.
        definition: Definition of the concept.
        parents: Ids of broader concepts.
    """

    id: str
    names: tuple[str, ...]
    alternates: tuple[str, ...] = ()
    domain: str = ""
    definition: str = ""
    parents: tuple[str, ...] = ()


class ConceptMention(NamedTuple):
    """A phrase that names a concept, with its context.

    Attributes:
        phrase: The phrase.
        concepts: Ids of the concepts that it names. Each of them counts as right.
        text: The text that contains the phrase.
        start: Character offset of the phrase in `text`. -1 if the text doesn't contain it verbatim,
            because it is discontinuous or an annotator corrected it.
        document: Id of the document.
        kind: Class of the phrase, such as ``"Disease"``.
    """

    phrase: str
    concepts: tuple[str, ...] = ()
    text: str = ""
    start: int = -1
    document: str = ""
    kind: str = ""


def key_hash(name: str) -> int:
    """Return a hash that is equal for different spellings of a name (see `merge_key`).

    Args:
        name: A name of a concept.

    Returns:
        A 64-bit hash.
    """
    digest = hashlib.blake2b(merge_key(name).encode("utf-8", "replace"), digest_size=8)
    return int.from_bytes(digest.digest(), "little")


class Inventory:
    """A read-only store of concepts and their names.

    Concepts are numbered from 0 in the order of their ids. Names are numbered in the order of their
    concepts, and each concept's preferred name comes first. Create an inventory with
    `Inventory.open` or `build_inventory`.

    Attributes:
        path: File of the inventory. None for an inventory in memory.
        metadata: Metadata: ``kind``, ``fingerprint`` and ``counts`` (as JSON).
        ids: Id of each concept.
        names: Names of all concepts.
        name_ends: Number of the last name of each concept, plus one, shape (concepts,).
    """

    def __init__(self, arrays: Arrays, metadata: dict[str, str], path: Path | None = None) -> None:
        """Create an inventory from its columns.

        Args:
            arrays: Columns of the inventory.
            metadata: Metadata of the inventory.
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
        """Open an inventory.

        Args:
            path: A file that `write_inventory` or `spacy-gladis concepts build` wrote.

        Returns:
            The inventory.

        Raises:
            InputError: If the file is missing or can't be read.
            FormatError: If the file is not an inventory, is truncated or has another version.
        """
        path = Path(path).absolute()
        arrays, metadata = map_columns(path)
        if metadata.get("kind") != KIND:
            raise FormatError(
                f"{path} is not an inventory of concepts, or has another version. Create one with: "
                "spacy-gladis concepts build SOURCE... --output FILE."
            )
        return cls(arrays, metadata, path)

    def __len__(self) -> int:
        """Return the number of concepts."""
        return len(self.ids)

    @property
    def fingerprint(self) -> str:
        """A string of hexadecimal digits that changes if the content changes."""
        return self.metadata["fingerprint"]

    @cached_property
    def owners(self) -> Ints:
        """For each name, the number of its concept, int64 of shape (names,)."""
        counts = np.diff(self.name_ends, prepend=np.uint32(0))
        return np.repeat(np.arange(len(self), dtype=np.int64), counts)

    def find(self, id: str) -> int | None:
        """Find a concept by its id or by an alternate id.

        Args:
            id: The id to find. Surrounding white space is ignored. If the inventory has no such id,
                a prefix such as ``OMIM:`` in ``OMIM:143100`` is ignored too.

        Returns:
            The number of the concept, or None if there is no such concept.
        """
        id = id.strip()
        for candidate in dict.fromkeys((id, id.rpartition(":")[2])):
            if (number := _find_sorted(self.ids, candidate)) is not None:
                return number
            if (row := _find_sorted(self._alternates, candidate)) is not None:
                return int(self._arrays["alternate_of"][row])
        return None

    def find_all(self, ids: Iterable[str]) -> set[int]:
        """Find several concepts by their ids or alternate ids, as `find` does.

        Args:
            ids: Ids of concepts.

        Returns:
            The numbers of the concepts that the inventory contains.
        """
        return {number for id in ids if (number := self.find(id)) is not None}

    def names_of(self, concept: int) -> list[str]:
        """Return the names of a concept, the preferred name first.

        Args:
            concept: Number of the concept.
        """
        return self.names[slice(*self.name_range(concept))]

    def name_range(self, concept: int) -> tuple[int, int]:
        """Return the range of indices that a concept's names have in `names`.

        Args:
            concept: Number of the concept.

        Returns:
            Number of the first name, and number of the last name plus one.
        """
        first = int(self.name_ends[concept - 1]) if concept else 0
        return first, int(self.name_ends[concept])

    def preferred_name(self, concept: int) -> str:
        """Return the preferred name of a concept.

        Args:
            concept: Number of the concept.
        """
        return self.names[self.name_range(concept)[0]]

    def domain(self, concept: int) -> str:
        """Return the part of the vocabulary that a concept belongs to.

        Args:
            concept: Number of the concept.
        """
        return self._domains[concept]

    def lookup(self, name: str) -> list[int]:
        """Find the concepts that have a given name.

        Args:
            name: A name. Case, punctuation and plural forms are ignored.

        Returns:
            The numbers of the concepts with this name.
        """
        hashes: NDArray[np.uint64] = self._arrays["key_hashes"]
        key = np.uint64(key_hash(name))
        first, last = (int(np.searchsorted(hashes, key, side)) for side in ("left", "right"))
        numbers = self._arrays["key_names"][first:last].tolist()
        return list(dict.fromkeys(int(self.owners[number]) for number in numbers))

    def concept(self, concept: int) -> Concept:
        """Return a concept with all its names, ids and parents.

        Args:
            concept: Number of the concept.
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
        """Return the numbers of a concept's parents.

        Args:
            concept: Number of the concept.
        """
        ends = self._arrays["parents.ends"]
        first = int(ends[concept - 1]) if concept else 0
        parents: list[int] = self._arrays["parents"][first : int(ends[concept])].tolist()
        return parents

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the path of the file. Raise InputError for an inventory in memory."""
        if self.path is None:
            raise InputError(
                "An inventory in memory cannot be pickled. Write it to a file with write_inventory "
                "and open it with Inventory.open."
            )
        return Inventory.open, (self.path,)


def _find_sorted(texts: Sequence[str], query: str) -> int | None:
    """Find a text in a sorted sequence by binary search."""
    index = bisect_left(texts, query)
    return index if index < len(texts) and texts[index] == query else None
