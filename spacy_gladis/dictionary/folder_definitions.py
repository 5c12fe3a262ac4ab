"""Collect definitions from the documents of a folder, to resolve acronyms in other documents."""

import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from ..errors import FormatError
from ..text import Mention, base_form, document_phrases
from ..text.spelling import same_key
from .candidate import clean_row

FARTHER = 0.5
"""Factor by which the weight of a meaning decreases with each step to a farther group of documents.
The meanings in the nearest documents have a total weight of 1, and other meanings in the next
nearest documents have a total weight of 0.5."""

PHRASE = 0.6
"""Factor by which the confidence of a phrase is multiplied to get its weight. A phrase only
contains words with the acronym's letters, so it weighs less than a definition, which has weight
1."""


class DefinitionEvidence(NamedTuple):
    """Evidence that other documents of a folder give for a long form of an acronym.

    Attributes:
        weight: Weight of the evidence, from 0 to 1. Definitions in near documents have the highest
            weight.
        document: Path of the nearest document that contains the long form.
        is_glossary: Whether a glossary file lists the long form.
    """

    weight: float
    document: str = ""
    is_glossary: bool = False


class FolderEvidence(NamedTuple):
    """Evidence that a folder's other documents give for the acronyms in a batch of documents.

    Attributes:
        definitions: A mapping from a document's number and one of its acronyms, such as ``(0,
            "CNN")``, to the long forms that other documents give for this acronym, each with its
            evidence.
        acronyms: Acronyms that documents of the folder use, but that none of them defines.
    """

    definitions: Mapping[tuple[int, str], Mapping[str, DefinitionEvidence]] = {}
    acronyms: Collection[str] = ()


NO_EVIDENCE = FolderEvidence()


class FolderEntry(NamedTuple):
    """A definition of an acronym that occurs in the documents of a folder.

    Attributes:
        acronym: The acronym in its most frequent spelling.
        long_form: The long form in its most frequent spelling.
        documents: Number of documents that contain the definition.
    """

    acronym: str
    long_form: str
    documents: int


class _Meaning:
    """A meaning of an acronym in the documents of a folder.

    The weight is 1 if a document defines the meaning, and lower if documents only contain a phrase
    with the acronym's letters. `long_forms` and `acronyms` count the spellings. `folders` counts
    the documents of each folder that have the meaning, and `first` is the first such document of
    each folder. `is_glossary` tells whether one of the documents is a glossary file.
    """

    def __init__(self) -> None:
        self.weight = 0.0
        self.long_forms: Counter[str] = Counter()
        self.acronyms: Counter[str] = Counter()
        self.folders: Counter[str] = Counter()
        self.first: dict[str, str] = {}
        self.is_glossary = False

    @property
    def long_form(self) -> str:
        return self.long_forms.most_common(1)[0][0]

    @property
    def documents(self) -> int:
        return self.folders.total()


class FolderDefinitions:
    """The definitions that a set of documents contains, such as all documents of a folder.

    A linker uses them to resolve acronyms in documents that don't define them. The collection is
    kept in memory, and its size depends on the number of definitions, not on the length of the
    texts. Iterate over it to get its definitions as `FolderEntry` objects.

    Documents are identified by their paths. If a file contains several documents, the place in the
    file follows the path, as in ``notes/a.jsonl:3``. A definition without a path counts as one in
    the current folder.
    """

    def __init__(self) -> None:
        """Create a collection without definitions."""
        self._meanings: dict[str, dict[str, _Meaning]] = {}
        self._used: dict[str, str] = {}  # base form -> spelling

    def __bool__(self) -> bool:
        """Return whether the collection contains a definition, a phrase or an undefined acronym."""
        return bool(self._meanings or self._used)

    def use(self, acronyms: Iterable[str]) -> None:
        """Record acronyms that a document uses without defining them.

        If no other document defines such an acronym either, it is listed in `undefined`.

        Args:
            acronyms: Undefined acronyms of the document, in any spelling.
        """
        for acronym in acronyms:
            self._used.setdefault(base_form(acronym), acronym)

    @property
    def undefined(self) -> list[str]:
        """The acronyms that documents use but none of them defines.

        Each acronym is listed once, in the spelling that was recorded first.
        """
        return [acronym for key, acronym in self._used.items() if not self._definitions(key)]

    def add(
        self, pairs: Iterable[tuple[str, str]], document: str = "", *, is_glossary: bool = False
    ) -> None:
        """Add the definitions of a document to the collection.

        A definition that is repeated in the document counts only once.

        Args:
            pairs: Pairs of an acronym and its long form. Pairs with an empty or too long text are
                skipped.
            document: Path of the document. An empty string stands for a document in the current
                folder.
            is_glossary: Whether the document is a glossary file, whose entries decide the answer.
                Definitions in other documents are only evidence.
        """
        rows = ((acronym, long_form, 1.0) for acronym, long_form in pairs)
        self._add(rows, document, is_glossary=is_glossary)

    def add_phrases(self, text: str, acronyms: Iterable[str], document: str = "") -> None:
        """Add phrases of a document that may spell out acronyms, such as "neural network" for "NN".

        Phrases are weaker evidence than definitions. They are used only for acronyms that none of
        the documents defines.

        Args:
            text: Text of the document.
            acronyms: Acronyms to find phrases for. Acronyms that the collection already defines are
                skipped.
            document: Path of the document. An empty string stands for a document in the current
                folder.
        """
        undefined = (name for name in acronyms if not self._definitions(base_form(name)))
        self._add(
            (
                (acronym, text[phrase.start : phrase.end], PHRASE * phrase.confidence)
                for acronym, phrases in document_phrases(text, undefined).items()
                for phrase in phrases
            ),
            document,
        )

    def _add(
        self,
        rows: Iterable[tuple[str, str, float]],
        document: str,
        *,
        is_glossary: bool = False,
    ) -> None:
        seen = set()
        for acronym, long_form, weight in rows:
            try:
                row = clean_row(acronym, long_form, "folder")
            except ValueError:
                continue
            key, sense = base_form(row.acronym), same_key(row.long_form)
            meaning = self._meanings.setdefault(key, {}).setdefault(sense, _Meaning())
            meaning.weight = max(meaning.weight, weight)
            meaning.is_glossary |= is_glossary
            meaning.long_forms[row.long_form] += 1
            meaning.acronyms[row.acronym] += 1
            if (key, sense) not in seen:
                meaning.folders[_folder(document)] += 1
                meaning.first.setdefault(_folder(document), document)
            seen.add((key, sense))

    def update(self, other: "FolderDefinitions") -> None:
        """Add the definitions and undefined acronyms of another collection to this collection.

        Args:
            other: A collection that was made from other documents. Documents in both collections
                would be counted twice.
        """
        self.use(other._used.values())
        for key, meanings in other._meanings.items():
            for sense, added in meanings.items():
                meaning = self._meanings.setdefault(key, {}).setdefault(sense, _Meaning())
                meaning.weight = max(meaning.weight, added.weight)
                meaning.is_glossary |= added.is_glossary
                meaning.long_forms.update(added.long_forms)
                meaning.acronyms.update(added.acronyms)
                meaning.folders.update(added.folders)
                meaning.first = {**added.first, **meaning.first}

    def meanings(self, acronym: str, document: str = "") -> dict[str, DefinitionEvidence]:
        """Return the long forms that other documents give for an acronym, with their weights.

        The distance between two documents is the number of steps up and down the folder tree.
        Meanings are grouped by the distance to the nearest folder that has them. The nearest group
        has weight 1, and the weight halves from each group to the next. The meanings in a group
        share its weight in proportion to their numbers of documents. Phrases (see `add_phrases`)
        have lower weights, and are used only if no document defines the acronym.

        Args:
            acronym: The acronym, in any spelling.
            document: Path of the document in which the acronym occurs. An empty string stands for a
                document in the current folder.

        Returns:
            A mapping from each long form to its evidence. Empty if no document has a meaning of the
            acronym.
        """
        key = base_form(acronym)
        meanings = self._definitions(key) or self._meanings.get(key, {}).values()
        folder = _folder(document)
        groups: defaultdict[int, list[tuple[_Meaning, list[str]]]] = defaultdict(list)
        for meaning in meanings:
            distances = {name: _distance(folder, name) for name in meaning.folders}
            least = min(distances.values())
            nearest = [name for name, distance in distances.items() if distance == least]
            groups[least].append((meaning, nearest))
        evidence = {}
        for step, distance in enumerate(sorted(groups)):
            group = groups[distance]
            numbers = [sum(meaning.folders[name] for name in names) for meaning, names in group]
            for (meaning, names), number in zip(group, numbers, strict=True):
                weight = meaning.weight * FARTHER**step * number / sum(numbers)
                above = [name for name in names if _is_within(folder, name)]
                first = meaning.first[(above or names)[0]]
                evidence[meaning.long_form] = DefinitionEvidence(weight, first, meaning.is_glossary)
        return evidence

    def find_evidence(
        self, mentions: Iterable[Mention], documents: Mapping[int, str]
    ) -> FolderEvidence:
        """Return the evidence that the collection gives for mentions of acronyms.

        Args:
            mentions: Mentions of acronyms in one or more documents.
            documents: A mapping from the numbers of these documents to their paths.

        Returns:
            The long forms of these acronyms, and all undefined acronyms.
        """
        definitions = {}
        for mention in mentions if self else ():
            if meanings := self.meanings(mention.acronym, documents[mention.document]):
                definitions[mention.document, mention.acronym] = meanings
        return FolderEvidence(definitions, self.undefined)

    def _definitions(self, key: str) -> list[_Meaning]:
        meanings = self._meanings.get(key, {}).values()
        return [meaning for meaning in meanings if meaning.weight == 1]

    def entries(self) -> list[FolderEntry]:
        """Return the definitions of all documents, without phrases.

        Returns:
            The definitions, sorted by acronym. Definitions of the same acronym are sorted by
            descending number of documents.
        """
        entries = [
            FolderEntry(meaning.acronyms.most_common(1)[0][0], meaning.long_form, meaning.documents)
            for acronym in self._meanings
            for meaning in self._definitions(acronym)
        ]
        # All entries of an acronym get the spelling of the first entry.
        spellings = {base_form(entry.acronym): entry.acronym for entry in reversed(entries)}
        return sorted(
            (entry._replace(acronym=spellings[base_form(entry.acronym)]) for entry in entries),
            key=lambda entry: (
                entry.acronym.casefold(),
                entry.acronym,
                -entry.documents,
                entry.long_form,
            ),
        )

    def __iter__(self) -> Iterator[FolderEntry]:
        """Iterate over the definitions in the order of `entries`."""
        return iter(self.entries())

    def __len__(self) -> int:
        """Return the number of definitions, each of which is an acronym with one long form."""
        return sum(len(self._definitions(acronym)) for acronym in self._meanings)

    def state(self) -> dict[str, Any]:
        """Return the definitions and undefined acronyms as JSON types.

        Pass the result to `from_state` to restore the collection.
        """
        content = {
            key: {
                sense: [
                    *(dict(meaning.long_forms), dict(meaning.acronyms), dict(meaning.folders)),
                    *(meaning.weight, dict(meaning.first), meaning.is_glossary),
                ]
                for sense, meaning in meanings.items()
            }
            for key, meanings in self._meanings.items()
        }
        return {"meanings": content, "used": list(self._used.values())}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "FolderDefinitions":
        """Restore a collection of definitions from its saved content.

        Args:
            state: The content, as returned by `state`. An empty mapping gives an empty collection.

        Returns:
            The restored collection.

        Raises:
            FormatError: If the saved content is invalid.
        """
        definitions = cls()
        if state == {}:
            return definitions
        try:
            definitions.use(state["used"])
            for key, meanings in state["meanings"].items():
                for sense, saved in meanings.items():
                    long_forms, acronyms, folders, weight, first, is_glossary = saved
                    meaning = definitions._meanings.setdefault(key, {}).setdefault(
                        sense, _Meaning()
                    )
                    meaning.weight = float(weight)
                    meaning.long_forms.update(long_forms)
                    meaning.acronyms.update(acronyms)
                    meaning.folders.update(folders)
                    meaning.first.update(first)
                    meaning.is_glossary = bool(is_glossary)
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise FormatError(
                f"The definitions that were saved with a linker are invalid ({error!r}). Save the "
                "pipeline again."
            ) from error
        return definitions


def _folder(document: str) -> str:
    return str(PurePath(document).parent)


@lru_cache(1 << 12)
def _parts(folder: str) -> tuple[str, ...]:
    """Return the parts of a folder's absolute path, such as ``("/", "home", "me")``."""
    return PurePath(os.path.normpath(Path(folder).absolute())).parts


def _distance(first: str, second: str) -> int:
    """Return the number of steps up and down the folder tree from one folder to another."""
    left, right = _parts(first), _parts(second)
    shared = 0
    while shared < min(len(left), len(right)) and left[shared] == right[shared]:
        shared += 1
    return len(left) + len(right) - 2 * shared


def _is_within(folder: str, other: str) -> bool:
    """Return whether a folder equals another folder or lies inside it."""
    return _parts(folder)[: len(_parts(other))] == _parts(other)
