"""Which long forms an acronym may have: a store and a user's own entries on top of it."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from string import ascii_lowercase, digits
from typing import Any

from ..errors import InputError, check_names
from ..text.english import word_rate
from ..text.spelling import spellings, variants
from .candidate import Candidate, Group, Row, SourceInfo, read_source_infos
from .importing import open_published
from .merging import join_candidates
from .offensive import is_offensive
from .overlay import USER_SOURCE, Overlay
from .store import LongForms, Store

PACKAGED = Path(__file__).parents[1] / "data" / "dictionary.sqlite"

LISTED = 100
"""Times that sources give what may be an acronym though it is a word."""

OFTEN = 500
"""Definitions in texts that make an acronym of any word: `WHO`, `LED`."""


class Dictionary:
    """Acronyms and their long forms, with counts for each source.

    The entries stay in a file of which only what is asked for is read: opening is immediate, and
    processes share it. `add` and `remove` change this object alone. A dictionary pickles as its
    path and its own entries.
    """

    def __init__(self, store: Store, path: Path | None = None) -> None:
        """Use `Dictionary.open`. `path` is where to open the store again, None the packaged one."""
        self._store = store
        self._path = path
        self._overlay = Overlay()
        self._known: frozenset[str] | None = None
        self._own: frozenset[str] | None = None
        self.revision = 0
        """How often own entries were changed: what is kept of candidates holds for one of them."""

    @classmethod
    def open(cls, path: str | Path | None = None) -> "Dictionary":
        """Open a dictionary file, a JSON file in the published format, or the packaged dictionary.

        A JSON file is converted first, which takes time: import a large one once
        (`spacy-gladis dictionary import`). Raises `InputError` where there is no such file and
        `FormatError` where it is foreign, truncated, damaged or of another version.
        """
        if path is None:
            return cls(Store(PACKAGED))
        path = Path(path).absolute()
        if path.suffix.lower() == ".json":
            return cls(open_published(path), path)
        return cls(Store(path), path)

    def candidates(self, acronym: str, sources: Collection[str] | None = None) -> list[Candidate]:
        """The candidates of exactly this acronym, the most frequent first; none is an empty list.

        With `sources`, only those that one of them gives, by their counts there; entries added
        without a source stay. Raises `InputError` for a source that the dictionary does not know.
        """
        found = self._store.candidates(acronym)
        if self._overlay.touches(acronym):
            found = self._overlay.apply(acronym, found)
        if sources is not None:
            found = self._restrict(found, sources)
        return found

    def count(self, acronym: str) -> int:
        """How often the sources give exactly this acronym, whatever it means; 0: never."""
        if self._overlay.touches(acronym):
            return sum(one.total for one in self.candidates(acronym))
        return self._store.count(acronym)

    def attests(self, word: str) -> bool:
        """Return whether an English word in capitals is an acronym: `WHO`, but not `STOP`.

        For most words some source has a meaning. An acronym is one that the texts among the
        sources define as often as a million words of English have the word, or 500 times. Own
        entries always count, and so does any entry of a file that doesn't describe its sources.
        """
        if word in self.own or not self.sources:
            return self.count(word) > 0
        counts = chain.from_iterable(one.counts.items() for one in self.candidates(word))
        kinds = self.sources
        texts = sum(n for name, n in counts if name in kinds and kinds[name].kind == "text")
        return texts >= min(word_rate(word), OFTEN)

    def lists(self, word: str) -> bool:
        """Return whether an English word in capitals may be an acronym: `GRADE`, `WHO`, not `NEW`.

        This asks for less than `attests`: that the sources give it clearly more often than English
        texts write the word. A linker can still find that it means none of its long forms.
        """
        least = max(LISTED, word_rate(word) * 1.5)
        return self.attests(word) or self.count(word) >= least

    def _restrict(self, candidates: list[Candidate], sources: Collection[str]) -> list[Candidate]:
        self.check_sources(sources)
        kept = []
        for candidate in candidates:
            counts = {
                source: count
                for source, count in candidate.counts.items()
                if source in sources or source == USER_SOURCE
            }
            if counts:
                kept.append(candidate._replace(counts=counts, total=sum(counts.values())))
        return sorted(kept, key=lambda candidate: -candidate.total)

    def check_sources(self, names: Collection[str]) -> None:
        """Raise `InputError` unless the dictionary has all of these sources."""
        if isinstance(names, str):
            raise InputError(f"Expected a list of sources, got the string {names!r}.")
        listing = "spacy-gladis dictionary stats"
        check_names("source", names, [*self.source_names, USER_SOURCE], listing=listing)

    def lookup(
        self, acronym: str, sources: Collection[str] | None = None, *, offensive: bool = False
    ) -> list[Candidate]:
        """Return the candidates of an acronym as a text spells it, the most frequent first.

        Those of all its spellings (plural, dots, hyphens) are joined, equal long forms into one
        with the counts of both. Where there are none, spellings in another case are tried.

        Args:
            acronym: The acronym.
            sources: Names of sources whose counts are used; None: of all.
            offensive: Also return offensive long forms that are no own entries.

        Raises:
            InputError: For a source that the dictionary does not have.
        """
        found = list(self._found(acronym, sources, offensive).values())
        return found[0] if len(found) == 1 else join_candidates(found)

    def matches(
        self, acronym: str, sources: Collection[str] | None = None, *, offensive: bool = False
    ) -> list[str]:
        """Return the spellings under which `lookup` finds an acronym, the most faithful first."""
        return list(self._found(acronym, sources, offensive))

    def _found(
        self, acronym: str, sources: Collection[str] | None, offensive: bool
    ) -> dict[str, list[Candidate]]:
        """Those spellings, each with its candidates."""
        same = spellings(acronym)
        if found := {one: of for one in same if (of := self._shown(one, sources, offensive))}:
            return found
        tried = variants(acronym)
        for spelling in [*tried[len(same) :], *self._ignoring_case(tried)]:
            if of := self._shown(spelling, sources, offensive):
                return {spelling: of}
        return {}

    def _shown(
        self, acronym: str, sources: Collection[str] | None, offensive: bool
    ) -> list[Candidate]:
        """The candidates of exactly this acronym, without offensive ones unless they are wanted."""
        found = self.candidates(acronym, sources)
        own = self._overlay.sources
        return [
            one
            for one in found
            if offensive or not is_offensive(one.long_form) or not own.isdisjoint(one.counts)
        ]

    def _ignoring_case(self, spellings: list[str]) -> Iterator[str]:
        """The acronyms that differ from these in case alone, the most frequent first."""
        for spelling in spellings:
            alike = self._store.ignoring_case(spelling)
            alike += self._overlay.acronyms_ignoring_case(spelling)
            yield from sorted(alike, key=lambda one: -sum(c.total for c in self.candidates(one)))

    def add(self, acronym: str, long_form: str, count: int = 1, source: str = USER_SOURCE) -> None:
        """Add a long form, or add to the counts of one that is there in any spelling."""
        self._overlay.add(acronym, long_form, source, count)
        self._changed()

    def remove(self, acronym: str, long_form: str | None = None) -> bool:
        """Remove an acronym, or one of its long forms in all spellings; whether it was there."""
        before = self.candidates(acronym)
        if not before:
            return False
        self._overlay.remove(acronym, long_form)
        self._changed()
        return len(self.candidates(acronym)) < len(before)

    def ignore(self, word: str) -> None:
        """Say that a word is not an acronym: it has no candidates, and a detector passes it over.

        An entry that is added later takes it back. Raises `InputError` for an empty word.
        """
        self._overlay.ignore(word)
        self._changed()

    @property
    def ignored(self) -> frozenset[str]:
        """The words that `ignore` was told of."""
        return frozenset(self._overlay.ignored)

    @property
    def own(self) -> frozenset[str]:
        """The acronyms that have own entries, as they were typed."""
        if self._own is None:
            self._own = _one(frozenset(self._overlay.added))
        return self._own

    @property
    def changed(self) -> bool:
        """Whether it has own entries, or hides or ignores some."""
        return bool(self._overlay)

    @property
    def known(self) -> frozenset[str]:
        """What is an acronym in the very spelling given, whatever its shape: `c/o`, `abx`, `k8s`.

        Those that the file lists as "known" in its metadata, and all own entries.
        """
        if self._known is None:
            own = self._overlay
            stored = frozenset(self._store.metadata.get("known", ()))
            gone = {one for one, keys in own.hidden.items() if keys is None} | own.ignored
            self._known = _one((stored - gone).union(own.added))
        return self._known

    @cached_property
    def words(self) -> frozenset[str]:
        """Words that are acronyms in capitals, and in small letters are in general use: `age`.

        Those that the file lists as "words" in its metadata.
        """
        return frozenset(self._store.metadata.get("words", ()))

    def copy(self) -> "Dictionary":
        """A dictionary over the same open file whose own entries change apart from these."""
        made = Dictionary(self._store, self._path)
        made._overlay = Overlay.from_state(self.overlay_state())
        return made

    def add_rows(self, rows: Iterable[Row]) -> int:
        """Add entries; one without a long form is a word to ignore. How many they were."""
        number = 0
        for row in rows:
            if row.long_form:
                self._overlay.add(*row)
            else:
                self._overlay.ignore(row.acronym)
            number += 1
        self._changed()
        return number

    def add_file(self, path: str | Path) -> int:
        """Add the entries of a glossary, as `read_user_entries` reads it. How many they were."""
        from .user_entries import read_user_entries

        return self.add_rows(read_user_entries([path]))

    def _changed(self) -> None:
        self._known = self._own = None
        self.revision += 1

    def __contains__(self, acronym: object) -> bool:
        return isinstance(acronym, str) and bool(self.candidates(acronym))

    def __iter__(self) -> Iterator[str]:
        """The acronyms: those of the file, sorted, then those added."""
        for acronym in self._store:
            if not self._overlay.touches(acronym) or acronym in self:
                yield acronym
        for acronym in self._overlay.added:
            if acronym not in self._store:
                yield acronym

    def __len__(self) -> int:
        """How many acronyms have a candidate."""
        touched = {*self._overlay.added, *self._overlay.hidden}
        return len(self._store) + sum(
            (acronym in self) - (acronym in self._store) for acronym in touched
        )

    def groups(self, sources: Collection[str] | None = None) -> Iterator[Group]:
        """All acronyms with their long forms and counts by source, for an export or a new build."""
        for acronym in self:
            if found := self.candidates(acronym, sources):
                yield acronym, [(candidate.long_form, candidate.counts) for candidate in found]

    @property
    def long_forms(self) -> LongForms:
        """The stored long forms by `Candidate.index`; added ones have none."""
        return self._store.long_forms

    @property
    def source_names(self) -> tuple[str, ...]:
        """The names of the sources, those of added entries last."""
        own = self._overlay.sources.difference(self._store.sources)
        return (*self._store.sources, *sorted(own))

    @property
    def user_sources(self) -> frozenset[str]:
        """The sources of the own entries."""
        return frozenset(self._overlay.sources)

    @property
    def metadata(self) -> dict[str, Any]:
        """What the file says of itself: its sources and their licences."""
        return dict(self._store.metadata)

    @cached_property
    def sources(self) -> Mapping[str, SourceInfo]:
        """What the file says of its sources, by name; empty where it says nothing of them."""
        return read_source_infos(self._store.metadata)

    @property
    def languages(self) -> frozenset[str] | None:
        """The codes of the languages it has, its metadata's "languages"; None: not known.

        A file that lists English words, as the packaged one does, is an English one.
        """
        english = ["en"] if "words" in self._store.metadata else None
        said = self._store.metadata.get("languages", english)
        return None if said is None else frozenset(said)

    @property
    def fingerprint(self) -> str:
        """A string that identifies the content, own entries included."""
        if not self._overlay:
            return self.file_fingerprint
        state = json.dumps(self.overlay_state(), sort_keys=True).encode()
        return f"{self.file_fingerprint}+{hashlib.sha256(state).hexdigest()[:8]}"

    @property
    def file_fingerprint(self) -> str:
        """A string that identifies the file's content, whatever the own entries."""
        return self._store.fingerprint

    def verify(self) -> None:
        """Compare the whole file with its checksum; `FormatError` if it is damaged."""
        self._store.verify()

    def save(self, path: Path) -> None:
        """Write the dictionary's file to another place, without the own entries."""
        self._store.save(path)

    def overlay_state(self) -> dict[str, Any]:
        """The own entries as JSON types, for `from_overlay_state`."""
        return self._overlay.state()

    @classmethod
    def from_overlay_state(
        cls, state: Mapping[str, Any], path: str | Path | None = None
    ) -> "Dictionary":
        """The dictionary at `path` with the own entries that `overlay_state` gave."""
        dictionary = cls.open(path)
        dictionary._overlay = Overlay.from_state(state)
        return dictionary

    def __reduce__(self) -> tuple[Any, ...]:
        return Dictionary.from_overlay_state, (self.overlay_state(), self._path)

    def __repr__(self) -> str:
        return f"<Dictionary {self._path or self._store.path}: {len(self):,} acronyms>"


@lru_cache(8)
def _one(known: frozenset[str]) -> frozenset[str]:
    """The set, or an equal one of another dictionary: what is kept by it is found at once."""
    return known


_TYPED = ascii_lowercase + digits + "-./&"


def suggest(dictionary: Dictionary, acronym: str, limit: int = 5) -> list[str]:
    """The acronyms one slip of the hand from this one, case apart, the most frequent first."""
    found = {known for near in _slips(acronym.casefold()) for known in dictionary.matches(near)}
    frequency = {near: sum(c.total for c in dictionary.candidates(near)) for near in found}
    return sorted(found, key=lambda near: (-frequency[near], near))[:limit]


def _slips(word: str) -> set[str]:
    """A word with one character more, less or another one, or with two exchanged."""
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    less = [left + right[1:] for left, right in parts if right]
    exchanged = [left + right[1] + right[0] + right[2:] for left, right in parts if right[1:]]
    other = [left + one + right[1:] for left, right in parts if right for one in _TYPED]
    more = [left + one + right for left, right in parts for one in _TYPED]
    return {*less, *exchanged, *other, *more} - {word}
