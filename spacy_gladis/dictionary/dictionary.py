"""The dictionary, which combines a file of acronyms and long forms with the user's entries."""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from string import ascii_lowercase, digits
from typing import Any

from ..errors import InputError, check_names
from ..files import DATA
from ..text.english import word_rate
from ..text.spelling import same_key, spellings, variants
from .candidate import Candidate, Group, Row, SourceInfo, join_candidates, read_source_infos
from .importing import open_published
from .offensive import is_offensive
from .overlay import USER_SOURCE, Overlay
from .store import LongForms, Store

PACKAGED = DATA / "dictionary.sqlite"

ATTESTED = 20
"""Minimum count of a spelling with full stops, such as U.S., that is trusted to have only the
meanings listed for this spelling."""

_DOTTED = re.compile(r"(?=.*[A-Z])(?:[^\W\d_]{1,2}\.){2,5}")

LISTED = 100
"""Minimum count of an English word in capitals that may be an acronym."""

OFTEN = 500
"""Minimum count in texts from which any English word in capitals is an acronym, such as `WHO` or
`LED`."""


class Dictionary:
    """A dictionary of acronyms and their long forms, with counts for each source.

    Use `Dictionary.open` to open a dictionary. Entries are read from the file when they are looked
    up, so opening takes no time and processes share the file. Methods such as `add` and `remove`
    change this object, never the file. A dictionary is pickled as its path and the user's entries.

    Attributes:
        revision: Number of changes to the user's entries so far. A new revision invalidates caches
            of candidates.
    """

    def __init__(self, store: Store, path: Path | None = None) -> None:
        """Create a dictionary from an open file.

        Args:
            store: The open dictionary file.
            path: Path from which the dictionary is opened again when it is unpickled. None for the
                packaged dictionary.
        """
        self._store = store
        self._path = path
        self._overlay = Overlay()
        self._abbreviations: frozenset[str] | None = None
        self._user_acronyms: frozenset[str] | None = None
        self.revision = 0

    @classmethod
    def open(cls, path: str | Path | None = None) -> "Dictionary":
        """Open a dictionary file.

        Args:
            path: Path of a dictionary file, or of a JSON file in the published GLADIS format.
                Defaults to the packaged dictionary. JSON files are converted each time they are
                opened, so convert large files once with `spacy-gladis dictionary import`.

        Raises:
            InputError: If the file doesn't exist.
            FormatError: If the file is damaged or truncated, or if its format or version is not
                supported.
        """
        if path is None:
            return cls(Store(PACKAGED))
        path = Path(path).absolute()
        if path.suffix.lower() == ".json":
            return cls(open_published(path), path)
        return cls(Store(path), path)

    def candidates(self, acronym: str, sources: Collection[str] | None = None) -> list[Candidate]:
        """Return the candidates of an acronym in exactly this spelling.

        Use `lookup` to find the candidates of other spellings too.

        Args:
            acronym: The acronym in the spelling to look up.
            sources: Names of the sources whose counts are used. Candidates that only other sources
                have are left out, except user entries without a source. None to use all sources.

        Returns:
            The candidates, most frequent first. An empty list if there are none.

        Raises:
            InputError: If the dictionary doesn't have one of the sources.
        """
        candidates = self._store.candidates(acronym)
        if self._overlay.touches(acronym):
            candidates = self._overlay.apply(acronym, candidates)
        if sources is not None:
            candidates = self._restrict(candidates, sources)
        return candidates

    def count(self, acronym: str) -> int:
        """Return how often the dictionary's sources have an acronym in exactly this spelling.

        This is the sum of the counts of its candidates.

        Args:
            acronym: The acronym in the spelling to look up.
        """
        if self._overlay.touches(acronym):
            return sum(candidate.total for candidate in self.candidates(acronym))
        return self._store.count(acronym)

    def attests(self, word: str) -> bool:
        """Return whether an English word in capitals is an acronym, such as `WHO` but not `STOP`.

        Most words have a meaning in some source, so an entry alone is not enough. A word is an
        acronym if its count in text sources is at least its number of occurrences in a million
        words of English, or at least `OFTEN`. The user's entries are always acronyms. So are all
        entries of a file that doesn't describe its sources.

        Args:
            word: An English word in capitals.
        """
        if word in self.user_acronyms or not self.sources:
            return self.count(word) > 0
        counts = chain.from_iterable(
            candidate.counts.items() for candidate in self.candidates(word)
        )
        kinds = self.sources
        texts = sum(n for name, n in counts if name in kinds and kinds[name].kind == "text")
        return texts >= min(word_rate(word), OFTEN)

    def may_be_acronym(self, word: str) -> bool:
        """Return whether an English word in capitals may be an acronym, such as `GRADE`, not `NEW`.

        This check is weaker than `attests`. The word must be clearly more frequent in the sources
        than in English texts. A linker can still decide that the word is not an acronym in a text.

        Args:
            word: An English word in capitals.
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
        """Raise an error if the dictionary doesn't have all of the given sources.

        Args:
            names: Names of the sources to check.

        Raises:
            InputError: If the dictionary doesn't have one of the sources.
        """
        if isinstance(names, str):
            raise InputError(f"Expected a list of sources, got the string {names!r}.")
        listing = "spacy-gladis dictionary stats"
        check_names("source", names, [*self.source_names, USER_SOURCE], listing=listing)

    def lookup(
        self, acronym: str, sources: Collection[str] | None = None, *, offensive: bool = False
    ) -> list[Candidate]:
        """Find the candidates of an acronym in any of its spellings.

        The candidates of all spellings (plural, dots, hyphens) are combined. Spellings in another
        case are used only if there are no others.

        Args:
            acronym: The acronym as written in a text.
            sources: Names of the sources whose counts are used. None to use all sources.
            offensive: Whether to include offensive long forms. The user's entries are always
                included.

        Returns:
            The candidates, most frequent first. An empty list if there are none.

        Raises:
            InputError: If the dictionary doesn't have one of the sources.
        """
        by_spelling = self._find(acronym, sources, offensive)
        lists = list(by_spelling.values())
        candidates = lists[0] if len(lists) == 1 else join_candidates(lists)
        if len(lists) > 1 and _DOTTED.fullmatch(acronym):
            return self._of_dotted(candidates, by_spelling.get(acronym, []))
        return candidates

    def _of_dotted(self, candidates: list[Candidate], dotted: list[Candidate]) -> list[Candidate]:
        """Return the candidates of an acronym that is written with full stops.

        If the spelling with full stops is well attested, candidates that are listed only without
        full stops are left out. For example, "US" can be ultrasound, but "U.S." cannot. The user's
        entries are kept.
        """
        if sum(candidate.total for candidate in dotted) < ATTESTED:
            return candidates
        keys = {same_key(candidate.long_form) for candidate in dotted}
        users = self._overlay.sources
        return [
            candidate
            for candidate in candidates
            if same_key(candidate.long_form) in keys or not users.isdisjoint(candidate.counts)
        ]

    def matches(
        self, acronym: str, sources: Collection[str] | None = None, *, offensive: bool = False
    ) -> list[str]:
        """Return the spellings under which `lookup` finds candidates of an acronym.

        Args:
            acronym: The acronym as written in a text.
            sources: Names of the sources whose counts are used. None to use all sources.
            offensive: Whether to include offensive long forms.

        Returns:
            The spellings in the dictionary, closest first.
        """
        return list(self._find(acronym, sources, offensive))

    def _find(
        self, acronym: str, sources: Collection[str] | None, offensive: bool
    ) -> dict[str, list[Candidate]]:
        """Return the spellings under which an acronym is listed, each with its candidates."""
        same_case = spellings(acronym)
        by_spelling = {name: self._filter(name, sources, offensive) for name in same_case}
        if matches := {name: candidates for name, candidates in by_spelling.items() if candidates}:
            return matches
        tried = variants(acronym)
        for spelling in [*tried[len(same_case) :], *self._ignoring_case(tried)]:
            if candidates := self._filter(spelling, sources, offensive):
                return {spelling: candidates}
        return {}

    def _filter(
        self, acronym: str, sources: Collection[str] | None, offensive: bool
    ) -> list[Candidate]:
        """Return the candidates of an acronym in this spelling, with or without offensive ones."""
        user_sources = self._overlay.sources
        return [
            candidate
            for candidate in self.candidates(acronym, sources)
            if offensive
            or not is_offensive(candidate.long_form)
            or not user_sources.isdisjoint(candidate.counts)
        ]

    def _ignoring_case(self, spellings: list[str]) -> Iterator[str]:
        """Yield the acronyms that differ from the spellings only in case, most frequent first."""

        def total(acronym: str) -> int:
            return sum(candidate.total for candidate in self.candidates(acronym))

        for spelling in spellings:
            matches = self._store.ignoring_case(spelling)
            matches += self._overlay.acronyms_ignoring_case(spelling)
            yield from sorted(matches, key=lambda acronym: -total(acronym))

    def add(self, acronym: str, long_form: str, count: int = 1, source: str = USER_SOURCE) -> None:
        """Add a user entry to the dictionary.

        If the acronym already has the long form, in any spelling, the counts are added up.

        Args:
            acronym: The acronym to add.
            long_form: The long form of the acronym.
            count: Count of the entry. At least 1.
            source: Name of the entry's source. User entries without a source take precedence over
                other candidates during linking.

        Raises:
            InputError: If a value is invalid.
        """
        self._overlay.add(acronym, long_form, source, count)
        self._start_revision()

    def remove(self, acronym: str, long_form: str | None = None) -> bool:
        """Remove an acronym or one of its long forms from the dictionary.

        Args:
            acronym: The acronym, in the spelling to remove.
            long_form: The long form, which is removed in all its spellings. None to remove the
                acronym with all its long forms.

        Returns:
            True if something was removed.
        """
        before = self.candidates(acronym)
        if not before:
            return False
        self._overlay.remove(acronym, long_form)
        self._start_revision()
        return len(self.candidates(acronym)) < len(before)

    def ignore(self, word: str) -> None:
        """Mark a word that is not an acronym.

        The word gets no candidates, and detectors skip it. Adding an entry for the word undoes
        this.

        Args:
            word: The word to ignore.

        Raises:
            InputError: If the word is empty or too long.
        """
        self._overlay.ignore(word)
        self._start_revision()

    @property
    def ignored(self) -> frozenset[str]:
        """The words that were marked with `ignore`."""
        return frozenset(self._overlay.ignored)

    @property
    def user_acronyms(self) -> frozenset[str]:
        """The acronyms of the user's entries, as the user spelled them."""
        if self._user_acronyms is None:
            self._user_acronyms = _intern(frozenset(self._overlay.added))
        return self._user_acronyms

    @property
    def has_changes(self) -> bool:
        """Whether the user has added, removed or ignored any entry."""
        return bool(self._overlay)

    @property
    def abbreviations(self) -> frozenset[str]:
        """Abbreviations that may not look like acronyms, such as `c/o`, `abx` or `k8s`.

        These are the spellings in the list "known" of the file's metadata, and the acronyms of the
        user's entries. A text must contain them in exactly this spelling.
        """
        if self._abbreviations is None:
            overlay = self._overlay
            stored = frozenset(self._store.metadata.get("known", ()))
            removed = {acronym for acronym, keys in overlay.hidden.items() if keys is None}
            kept = stored - removed - overlay.ignored
            self._abbreviations = _intern(kept.union(overlay.added))
        return self._abbreviations

    @cached_property
    def words(self) -> frozenset[str]:
        """English words that are acronyms if they are in capitals, such as `age`.

        These are the words in the list "words" of the file's metadata, in lower case.
        """
        return frozenset(self._store.metadata.get("words", ()))

    def copy(self) -> "Dictionary":
        """Return a dictionary with the same file and a copy of the user's entries."""
        other = Dictionary(self._store, self._path)
        other._overlay = Overlay.from_state(self.overlay_state())
        return other

    def add_rows(self, rows: Iterable[Row]) -> int:
        """Add user entries to the dictionary.

        A row without a long form marks its acronym with `ignore`.

        Args:
            rows: Rows of acronym, long form, source and count.

        Returns:
            Number of rows that were added.

        Raises:
            InputError: If a value is invalid.
        """
        number = 0
        for row in rows:
            if row.long_form:
                self._overlay.add(*row)
            else:
                self._overlay.ignore(row.acronym)
            number += 1
        self._start_revision()
        return number

    def add_file(self, path: str | Path) -> int:
        """Add the entries of a glossary file, in any format that `read_glossary` supports.

        Args:
            path: Path of the glossary.

        Returns:
            Number of entries that were added.

        Raises:
            InputError: If the file doesn't exist, or its format is unknown.
            FormatError: If the file is damaged or has no valid entry.
        """
        from .user_entries import read_user_entries

        return self.add_rows(read_user_entries([path]))

    def _start_revision(self) -> None:
        self._abbreviations = self._user_acronyms = None
        self.revision += 1

    def __contains__(self, acronym: object) -> bool:
        """Return whether the dictionary has a long form for an acronym."""
        return isinstance(acronym, str) and bool(self.candidates(acronym))

    def __iter__(self) -> Iterator[str]:
        """Yield the acronyms of the file in sorted order, then those of the user's entries."""
        for acronym in self._store:
            if not self._overlay.touches(acronym) or acronym in self:
                yield acronym
        for acronym in self._overlay.added:
            if acronym not in self._store:
                yield acronym

    def __len__(self) -> int:
        """Return the number of acronyms that have a candidate."""
        changed = {*self._overlay.added, *self._overlay.hidden}
        return len(self._store) + sum(
            (acronym in self) - (acronym in self._store) for acronym in changed
        )

    def groups(self, sources: Collection[str] | None = None) -> Iterator[Group]:
        """Yield all acronyms with their long forms, for example to export the dictionary.

        Args:
            sources: Names of the sources whose counts are used. None to use all sources.

        Yields:
            Pairs of an acronym and a list of its long forms, each with its counts by source.
        """
        for acronym in self:
            if candidates := self.candidates(acronym, sources):
                yield acronym, [(candidate.long_form, candidate.counts) for candidate in candidates]

    @property
    def long_forms(self) -> LongForms:
        """The long forms of the file, indexed by `Candidate.index`, without the user's entries."""
        return self._store.long_forms

    @property
    def source_names(self) -> tuple[str, ...]:
        """The names of the file's sources, followed by those of the user's entries."""
        added = self._overlay.sources.difference(self._store.sources)
        return (*self._store.sources, *sorted(added))

    @property
    def user_sources(self) -> frozenset[str]:
        """The names of the sources of the user's entries."""
        return frozenset(self._overlay.sources)

    @property
    def metadata(self) -> dict[str, Any]:
        """The metadata of the file, such as its sources and their licences."""
        return dict(self._store.metadata)

    @cached_property
    def sources(self) -> Mapping[str, SourceInfo]:
        """A mapping from sources to their descriptions. Empty if the file has no descriptions."""
        return read_source_infos(self._store.metadata)

    @property
    def languages(self) -> frozenset[str] | None:
        """The codes of the languages that the dictionary covers, or None if they are unknown.

        They come from the list "languages" of the metadata. A file without this list is English if
        it has a list of English words, as the packaged dictionary does.
        """
        default = ["en"] if "words" in self._store.metadata else None
        languages = self._store.metadata.get("languages", default)
        return None if languages is None else frozenset(languages)

    @property
    def fingerprint(self) -> str:
        """A string that identifies the content, including the user's entries."""
        if not self._overlay:
            return self.file_fingerprint
        state = json.dumps(self.overlay_state(), sort_keys=True).encode()
        return f"{self.file_fingerprint}+{hashlib.sha256(state).hexdigest()[:8]}"

    @property
    def file_fingerprint(self) -> str:
        """A string that identifies the content of the file, without the user's entries."""
        return self._store.fingerprint

    def verify(self) -> None:
        """Read the whole file and compare it with its checksum.

        Raises:
            FormatError: If the file is damaged.
        """
        self._store.verify()

    def save(self, path: Path) -> None:
        """Save a copy of the dictionary file, without the user's entries.

        Args:
            path: Path of the copy.
        """
        self._store.save(path)

    def overlay_state(self) -> dict[str, Any]:
        """Return the user's entries as JSON types, which `from_overlay_state` can restore."""
        return self._overlay.state()

    @classmethod
    def from_overlay_state(
        cls, state: Mapping[str, Any], path: str | Path | None = None
    ) -> "Dictionary":
        """Open a dictionary and restore the user's entries.

        Args:
            state: The user's entries, as returned by `overlay_state`.
            path: Path of the dictionary file, as for `open`. Defaults to the packaged dictionary.

        Raises:
            InputError: If the file doesn't exist.
            FormatError: If the file or the state is invalid.
        """
        dictionary = cls.open(path)
        dictionary._overlay = Overlay.from_state(state)
        return dictionary

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the dictionary as its path and the user's entries."""
        return Dictionary.from_overlay_state, (self.overlay_state(), self._path)

    def __repr__(self) -> str:
        """Return a string with the path and the number of acronyms."""
        return f"<Dictionary {self._path or self._store.path}: {len(self):,} acronyms>"


@lru_cache(8)
def _intern(spellings: frozenset[str]) -> frozenset[str]:
    """Return an equal set that another dictionary already uses, so that caches can share it."""
    return spellings


_TYPED = ascii_lowercase + digits + "-./&"


def suggest(dictionary: Dictionary, acronym: str, limit: int = 5) -> list[str]:
    """Suggest acronyms from the dictionary that a mistyped acronym may stand for.

    A suggestion differs by one inserted, deleted or replaced character, or by two swapped
    characters. Case is ignored.

    Args:
        dictionary: The dictionary to search.
        acronym: The acronym that may be mistyped.
        limit: Maximum number of suggestions.

    Returns:
        Suggested acronyms, most frequent first.
    """
    near = {match for edit in _edits(acronym.casefold()) for match in dictionary.matches(edit)}
    frequency = {
        match: sum(candidate.total for candidate in dictionary.candidates(match)) for match in near
    }
    return sorted(near, key=lambda match: (-frequency[match], match))[:limit]


def _edits(word: str) -> set[str]:
    """Return the words at a Damerau-Levenshtein distance of 1."""
    parts = [(word[:index], word[index:]) for index in range(len(word) + 1)]
    deletions = [left + right[1:] for left, right in parts if right]
    swaps = [left + right[1] + right[0] + right[2:] for left, right in parts if right[1:]]
    replacements = [left + sign + right[1:] for left, right in parts if right for sign in _TYPED]
    insertions = [left + sign + right for left, right in parts for sign in _TYPED]
    return {*deletions, *swaps, *replacements, *insertions} - {word}
