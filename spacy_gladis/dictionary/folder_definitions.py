"""What documents define or spell out, as evidence for the documents beside them: nearest first."""

import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from ..errors import FormatError
from ..text import base_form, document_phrases
from ..text.spelling import same_key
from .candidate import clean_row

FARTHER = 0.5
"""What a meaning weighs beside those that nearer documents give."""

PHRASE = 0.6
"""What a phrase weighs, by how likely it is meant, beside a definition."""


class DefinitionEvidence(NamedTuple):
    """What other documents say of a long form.

    Attributes:
        weight: How much they say, 0 to 1.
        document: The path of the nearest document that says so.
        is_near: Whether that document lies in the asking one's folder or in a folder above it.
    """

    weight: float
    document: str = ""
    is_near: bool = True


class FolderEvidence(NamedTuple):
    """What other documents say.

    definitions: by document and acronym the long forms that they define.
    acronyms: those that they use and none of them defines; a document's own may be among them.
    """

    definitions: Mapping[tuple[int, str], Mapping[str, DefinitionEvidence]] = {}
    acronyms: Collection[str] = ()


NO_EVIDENCE = FolderEvidence()


class FolderEntry(NamedTuple):
    """An acronym and a long form as most documents write them, and how many define them so."""

    acronym: str
    long_form: str
    documents: int


class _Meaning:
    """A meaning of an acronym: how it and the acronym are written, its documents by folder.

    weight: 1 where a document defines it; less where a phrase has no more than its letters.
    first: of each folder the first document.
    """

    def __init__(self) -> None:
        self.weight = 0.0
        self.long_forms: Counter[str] = Counter()
        self.acronyms: Counter[str] = Counter()
        self.folders: Counter[str] = Counter()
        self.first: dict[str, str] = {}

    @property
    def long_form(self) -> str:
        return self.long_forms.most_common(1)[0][0]

    @property
    def documents(self) -> int:
        return self.folders.total()


class FolderDefinitions:
    """The definitions of documents. What is kept grows with their number, not with the texts.

    A document is known by its path; definitions without one are those of the current folder.
    Phrases speak for acronyms that no document defines, and these tell of topics.
    """

    def __init__(self) -> None:
        self._found: dict[str, dict[str, _Meaning]] = {}
        self._used: dict[str, str] = {}  # base form -> spelling

    def __bool__(self) -> bool:
        return bool(self._found or self._used)

    def use(self, acronyms: Iterable[str]) -> None:
        """Take the acronyms that a document uses and does not define itself."""
        for acronym in acronyms:
            self._used.setdefault(base_form(acronym), acronym)

    @property
    def undefined(self) -> list[str]:
        """The acronyms that documents use and none of them defines, one spelling of each."""
        return [spelt for key, spelt in self._used.items() if not self._definitions(key)]

    def add(self, pairs: Iterable[tuple[str, str]], document: str = "") -> None:
        """Take the definitions of one document: acronyms and long forms; what is none is left out.

        A pair that the document defines again counts once.
        """
        self._add(((acronym, long_form, 1.0) for acronym, long_form in pairs), document)

    def add_phrases(self, text: str, acronyms: Iterable[str], document: str = "") -> None:
        """Take the phrases of a document that have the letters of acronyms which none defines."""
        wanted = (one for one in acronyms if not self._definitions(base_form(one)))
        found = document_phrases(text, wanted)
        self._add(
            (
                (acronym, text[one.start : one.end], PHRASE * one.confidence)
                for acronym, phrases in found.items()
                for one in phrases
            ),
            document,
        )

    def _add(self, rows: Iterable[tuple[str, str, float]], document: str) -> None:
        seen = set()
        for acronym, long_form, weight in rows:
            try:
                row = clean_row(acronym, long_form, "folder")
            except ValueError:
                continue
            key, sense = base_form(row.acronym), same_key(row.long_form)
            meaning = self._found.setdefault(key, {}).setdefault(sense, _Meaning())
            meaning.weight = max(meaning.weight, weight)
            meaning.long_forms[row.long_form] += 1
            meaning.acronyms[row.acronym] += 1
            if (key, sense) not in seen:
                meaning.folders[_folder(document)] += 1
                meaning.first.setdefault(_folder(document), document)
            seen.add((key, sense))

    def update(self, other: "FolderDefinitions") -> None:
        """Take what another one learnt, too."""
        self.use(other._used.values())
        for key, meanings in other._found.items():
            for sense, there in meanings.items():
                here = self._found.setdefault(key, {}).setdefault(sense, _Meaning())
                here.weight = max(here.weight, there.weight)
                here.long_forms.update(there.long_forms)
                here.acronyms.update(there.acronyms)
                here.folders.update(there.folders)
                here.first = {**there.first, **here.first}

    def meanings(self, acronym: str, document: str = "") -> dict[str, DefinitionEvidence]:
        """The long forms of an acronym, and how much each weighs in a document.

        The only meaning of the nearest documents weighs 1. Where they give several each has its
        share of these documents; each step farther, what is only found there weighs half as much.
        Phrases weigh less, and nothing beside a definition.
        """
        key = base_form(acronym)
        found = self._definitions(key) or self._found.get(key, {}).values()
        folder = _folder(document)
        steps: defaultdict[int, list[tuple[_Meaning, list[str]]]] = defaultdict(list)
        for meaning in found:
            distances = {one: _distance(folder, one) for one in meaning.folders}
            nearest = min(distances.values())
            steps[nearest].append((meaning, [one for one, n in distances.items() if n == nearest]))
        said = {}
        for step, distance in enumerate(sorted(steps)):
            numbers = [sum(one.folders[name] for name in names) for one, names in steps[distance]]
            for (meaning, names), number in zip(steps[distance], numbers, strict=True):
                weight = meaning.weight * FARTHER**step * number / sum(numbers)
                above = [name for name in names if _is_within(folder, name)]
                first = meaning.first[(above or names)[0]]
                said[meaning.long_form] = DefinitionEvidence(weight, first, bool(above))
        return said

    def _definitions(self, key: str) -> list[_Meaning]:
        return [one for one in self._found.get(key, {}).values() if one.weight == 1]

    def entries(self) -> list[FolderEntry]:
        """The definitions, by acronym; of an acronym the meanings of most documents first."""
        entries = [
            FolderEntry(meaning.acronyms.most_common(1)[0][0], meaning.long_form, meaning.documents)
            for acronym in self._found
            for meaning in self._definitions(acronym)
        ]
        spelt = {base_form(one.acronym): one.acronym for one in reversed(entries)}
        return sorted(
            (one._replace(acronym=spelt[base_form(one.acronym)]) for one in entries),
            key=lambda one: (one.acronym.casefold(), one.acronym, -one.documents, one.long_form),
        )

    def __iter__(self) -> Iterator[FolderEntry]:
        return iter(self.entries())

    def __len__(self) -> int:
        return sum(len(self._definitions(acronym)) for acronym in self._found)

    def state(self) -> dict[str, Any]:
        """All of it as JSON types."""
        found = {
            key: {
                sense: [
                    *(dict(one.long_forms), dict(one.acronyms), dict(one.folders)),
                    *(one.weight, dict(one.first)),
                ]
                for sense, one in meanings.items()
            }
            for key, meanings in self._found.items()
        }
        return {"meanings": found, "used": list(self._used.values())}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "FolderDefinitions":
        """What `state` came from. Raises FormatError if it came from nothing such."""
        learnt = cls()
        if state == {}:
            return learnt
        try:
            learnt.use(state["used"])
            for key, meanings in state["meanings"].items():
                for sense, (long_forms, acronyms, folders, weight, first) in meanings.items():
                    meaning = learnt._found.setdefault(key, {}).setdefault(sense, _Meaning())
                    meaning.weight = float(weight)
                    meaning.long_forms.update(long_forms)
                    meaning.acronyms.update(acronyms)
                    meaning.folders.update(folders)
                    meaning.first.update(first)
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise FormatError(f"This is not what a linker learnt: {error!r}") from error
        return learnt


def _folder(document: str) -> str:
    return str(PurePath(document).parent)


@lru_cache(1 << 12)
def _parts(folder: str) -> tuple[str, ...]:
    """The names on the way to a folder, wherever its path begins."""
    return PurePath(os.path.normpath(Path(folder).absolute())).parts


def _distance(one: str, other: str) -> int:
    """How many steps up and down lead from one folder to the other."""
    left, right = _parts(one), _parts(other)
    shared = 0
    while shared < min(len(left), len(right)) and left[shared] == right[shared]:
        shared += 1
    return len(left) + len(right) - 2 * shared


def _is_within(folder: str, other: str) -> bool:
    """Whether a folder is another one or lies below it."""
    return _parts(folder)[: len(_parts(other))] == _parts(other)
