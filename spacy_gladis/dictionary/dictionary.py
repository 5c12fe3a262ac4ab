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
from ..text.spelling import same_key, spellings, variants
from ..text.tokens import word_rate
from .candidate import Candidate, Group, Row, SourceInfo, join_candidates, read_source_infos
from .importing import open_published
from .offensive import is_offensive
from .overlay import USER_SOURCE, Overlay
from .store import LongForms, Store

PACKAGED = DATA / "dictionary.sqlite"

ATTESTED = 20
"""Minimum count of a spelling with full stops, such as "U.S.". From this count on, the spelling has
only the meanings that are listed for it, and not those of "US"."""

_DOTTED = re.compile(r"(?=.*[A-Z])(?:[^\W\d_]{1,2}\.){2,5}")

LISTED = 100
"""Minimum count in all sources of an English word in capitals that may be an acronym (see
`Dictionary.may_be_acronym`)."""

OFTEN = 500
"""Count in text sources from which an English word in capitals is an acronym, such as `WHO` or
`LED`, however frequent the word is in English."""


class Dictionary:
    """A dictionary of acronyms and their long forms, with the counts of each long form by source.

    Use `Dictionary.open` to open a dictionary. Entries are read from the file when they are looked
    up, so opening takes no time and several processes can share the file. Methods such as `add` and
    `remove` change this object in memory, never the file. Pickling stores the path and the user's
    entries, so the file must exist where the dictionary is unpickled.

    Attributes:
        revision: Number of changes to the user's entries so far. Cached candidates are out of date
            if this number has changed.
    """

    def __init__(self, store: Store, path: Path | None = None) -> None:
        """Create a dictionary from an open file. Most programs call `Dictionary.open` instead.

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
        """Open a dictionary file, or the packaged dictionary.

        A JSON file is converted each time it is opened, which is slow for large files. Convert such
        files once with `spacy-gladis dictionary import`.

        Args:
            path: Path of a dictionary file, or of a JSON file in the published GLADIS format. None
                to open the dictionary that the package contains.

        Returns:
            A dictionary without user entries.

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
        """Return the long forms that are listed for an acronym in exactly this spelling.

        For example, the long forms of "CT" don't include those of "ct" or "CTs". Use `lookup` for
        an acronym as it is written in a text, which may differ from the spelling in the dictionary.

        Args:
            acronym: The acronym in the spelling to look up.
            sources: Names of the sources whose counts are used. Candidates without a count from one
                of these sources are left out. User entries without a source of their own are always
                included. None to use all sources.

        Returns:
            The candidates, sorted by descending count. Empty if there are none.

        Raises:
            InputError: If the dictionary has no source with one of the names.
        """
        candidates = self._store.candidates(acronym)
        if self._overlay.touches(acronym):
            candidates = self._overlay.apply(acronym, candidates)
        if sources is not None:
            candidates = self._restrict(candidates, sources)
        return candidates

    def count(self, acronym: str) -> int:
        """Return how often the dictionary's sources contain an acronym in exactly this spelling.

        Args:
            acronym: The acronym in the spelling to look up.

        Returns:
            The sum of the counts of all its long forms, including user entries. 0 if it is not
            listed.
        """
        if self._overlay.touches(acronym):
            return sum(candidate.total for candidate in self.candidates(acronym))
        return self._store.count(acronym)

    def attests(self, word: str) -> bool:
        """Return whether an English word in capitals is an acronym, such as `WHO` but not `STOP`.

        Most English words have an entry in some source, so an entry alone doesn't prove that the
        word is an acronym. A word counts as an acronym if its count in text sources is at least
        `OFTEN`, or at least the number of its occurrences in a million words of English. Words of
        the user's entries always count as acronyms, and so do all words in a dictionary whose file
        doesn't describe its sources.

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

        This check is weaker than `attests`. The count of the word in all sources must be at least
        `LISTED`, and at least 1.5 times the number of its occurrences in a million words of
        English. A linker can still decide that the word isn't an acronym in a particular text.

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
        """Raise an error if the dictionary doesn't have all sources with the given names.

        Call this to report a misspelled name before a long computation starts.

        Args:
            names: Names of the sources to check.

        Raises:
            InputError: If the dictionary has no source with one of the names, or if `names` is a
                single string instead of a list.
        """
        if isinstance(names, str):
            raise InputError(
                f"Expected a list of sources like [{names!r}], got the string {names!r}."
            )
        listing = "spacy-gladis dictionary stats"
        check_names("source", names, [*self.source_names, USER_SOURCE], listing=listing)

    def lookup(
        self, acronym: str, sources: Collection[str] | None = None, *, offensive: bool = False
    ) -> list[Candidate]:
        """Find the long forms that an acronym may stand for, whatever its spelling.

        The candidates of spellings with another plural ending, dots or hyphens are combined, so
        "CNNs" and "C.N.N." also find the long forms of "CNN". Spellings in another case are used
        only if there are no others. A spelling with full stops that is frequent in the sources,
        such as "U.S.", has only its own long forms and those of the user's entries.

        Args:
            acronym: The acronym as written in a text.
            sources: Names of the sources whose counts are used. None to use all sources.
            offensive: Whether to include offensive long forms. User entries are included in any
                case.

        Returns:
            The candidates, sorted by descending count. Empty if there are none.

        Raises:
            InputError: If the dictionary has no source with one of the names.
        """
        by_spelling = self._find(acronym, sources, offensive)
        lists = list(by_spelling.values())
        candidates = lists[0] if len(lists) == 1 else join_candidates(lists)
        if len(lists) > 1 and _DOTTED.fullmatch(acronym):
            return self._of_dotted(candidates, by_spelling.get(acronym, []))
        return candidates

    def _of_dotted(self, candidates: list[Candidate], dotted: list[Candidate]) -> list[Candidate]:
        """Return the candidates of an acronym that is written with full stops.

        If the spelling with full stops is frequent enough (`ATTESTED`), candidates that are listed
        only without full stops are left out. For example, "US" can mean "ultrasound", but "U.S."
        can't. The user's entries are kept.
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
        """Return the spellings under which `lookup` finds the long forms of an acronym.

        For example, the spelling of "CNNs" is "CNN" if the dictionary has no entry for "CNNs".

        Args:
            acronym: The acronym as written in a text.
            sources: Names of the sources whose counts are used. None to use all sources.
            offensive: Whether to include offensive long forms.

        Returns:
            The spellings as listed in the dictionary, with those that are closest to `acronym`
            first. Empty if the dictionary has no long form.
        """
        return list(self._find(acronym, sources, offensive))

    def _find(
        self, acronym: str, sources: Collection[str] | None, offensive: bool
    ) -> dict[str, list[Candidate]]:
        """Return the listed spellings of an acronym, each with its candidates."""
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
        """Return the candidates of an exact spelling, with or without offensive ones."""
        user_sources = self._overlay.sources
        return [
            candidate
            for candidate in self.candidates(acronym, sources)
            if offensive
            or not is_offensive(candidate.long_form)
            or not user_sources.isdisjoint(candidate.counts)
        ]

    def _ignoring_case(self, spellings: list[str]) -> Iterator[str]:
        """Yield acronyms that equal one of the spellings in another case, frequent ones first."""

        def total(acronym: str) -> int:
            return sum(candidate.total for candidate in self.candidates(acronym))

        for spelling in spellings:
            matches = self._store.ignoring_case(spelling)
            matches += self._overlay.acronyms_ignoring_case(spelling)
            yield from sorted(matches, key=lambda acronym: -total(acronym))

    def add(self, acronym: str, long_form: str, count: int = 1, source: str = USER_SOURCE) -> None:
        """Add a user entry, which gives an acronym a long form.

        If the acronym already has the long form, in any spelling, the counts are added up. The
        dictionary file is not changed.

        Args:
            acronym: The acronym to add.
            long_form: The long form of the acronym.
            count: Count of the entry, which is at least 1.
            source: Name of the entry's source. With the default source, the entry takes precedence
                over all other candidates of the acronym during linking.

        Raises:
            InputError: If the acronym or the long form is empty or too long, or if the count is
                invalid.
        """
        self._overlay.add(acronym, long_form, source, count)
        self._start_revision()

    def remove(self, acronym: str, long_form: str | None = None) -> bool:
        """Remove an acronym or one of its long forms, so that it is no longer a candidate.

        Entries of the dictionary file are hidden, and user entries are deleted. The dictionary file
        is not changed.

        Args:
            acronym: The acronym. Only this exact spelling is removed.
            long_form: The long form to remove, in all its spellings. None to remove the acronym
                with all its long forms.

        Returns:
            True if a long form was removed. False if the dictionary did not contain it.
        """
        before = self.candidates(acronym)
        if not before:
            return False
        self._overlay.remove(acronym, long_form)
        self._start_revision()
        return len(self.candidates(acronym)) < len(before)

    def ignore(self, word: str) -> None:
        """Mark a word as not being an acronym.

        The word has no candidates any more, and detectors skip it in texts. Adding an entry for the
        word removes the mark.

        Args:
            word: The word to ignore, in exactly the spelling of the texts.

        Raises:
            InputError: If the word is empty or too long.
        """
        self._overlay.ignore(word)
        self._start_revision()

    @property
    def ignored(self) -> frozenset[str]:
        """The words that were marked with `ignore` as not being acronyms."""
        return frozenset(self._overlay.ignored)

    @property
    def user_acronyms(self) -> frozenset[str]:
        """The acronyms for which the user has added entries, as the user spelled them."""
        if self._user_acronyms is None:
            self._user_acronyms = _intern(frozenset(self._overlay.added))
        return self._user_acronyms

    @property
    def has_changes(self) -> bool:
        """Whether the user has added, removed or ignored any entry of the dictionary."""
        return bool(self._overlay)

    @property
    def abbreviations(self) -> frozenset[str]:
        """Abbreviations that may not look like acronyms, such as `c/o`, `abx` or `k8s`.

        They come from the list "known" in the file's metadata and from the user's entries. A
        detector finds them in a text only in exactly these spellings.
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
        """English words that are acronyms if they are written in capitals, such as `age`.

        They come from the list "words" in the file's metadata, and are in lower case. The set is
        empty if the file has no such list.
        """
        return frozenset(self._store.metadata.get("words", ()))

    def copy(self) -> "Dictionary":
        """Return an independent dictionary with the same file and a copy of the user's entries.

        Changes to the copy don't affect the original. Both share the open file.
        """
        other = Dictionary(self._store, self._path)
        other._overlay = Overlay.from_state(self.overlay_state())
        return other

    def add_rows(self, rows: Iterable[Row]) -> int:
        """Add several user entries at once, such as the rows of a glossary.

        Args:
            rows: Rows of acronym, long form, source and count. A row without a long form marks its
                acronym as a word to `ignore`.

        Returns:
            The number of rows, including those that mark words to ignore.

        Raises:
            InputError: If an acronym or a long form is too long, or another value is invalid.
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
        """Add the entries of a glossary file as user entries.

        Args:
            path: Path of the glossary, in any format that `read_glossary` supports, such as CSV, a
                spreadsheet, JSON or Markdown.

        Returns:
            The number of entries in the file.

        Raises:
            InputError: If the file doesn't exist, or its format is unknown.
            FormatError: If the file is damaged, or none of its entries is valid.
        """
        from .user_entries import read_user_entries

        return self.add_rows(read_user_entries([path]))

    def _start_revision(self) -> None:
        self._abbreviations = self._user_acronyms = None
        self.revision += 1

    def __contains__(self, acronym: object) -> bool:
        """Return whether the dictionary has a long form for an acronym in this exact spelling."""
        return isinstance(acronym, str) and bool(self.candidates(acronym))

    def __iter__(self) -> Iterator[str]:
        """Yield the acronyms that have a long form.

        The acronyms of the file come first, sorted by code points. They are followed by acronyms
        that only the user's entries contain.
        """
        for acronym in self._store:
            if not self._overlay.touches(acronym) or acronym in self:
                yield acronym
        for acronym in self._overlay.added:
            if acronym not in self._store:
                yield acronym

    def __len__(self) -> int:
        """Return the number of acronyms that have at least one long form."""
        changed = {*self._overlay.added, *self._overlay.hidden}
        return len(self._store) + sum(
            (acronym in self) - (acronym in self._store) for acronym in changed
        )

    def groups(self, sources: Collection[str] | None = None) -> Iterator[Group]:
        """Yield each acronym of the dictionary with all its long forms, for example to export them.

        Args:
            sources: Names of the sources whose counts are used. Acronyms without a long form in
                these sources are left out. None to use all sources.

        Yields:
            Pairs of an acronym and the list of its long forms. Each long form is a pair of its text
            and its counts by source.
        """
        for acronym in self:
            if candidates := self.candidates(acronym, sources):
                yield acronym, [(candidate.long_form, candidate.counts) for candidate in candidates]

    @property
    def long_forms(self) -> LongForms:
        """The sequence of all long forms in the file, indexed by `Candidate.index`.

        It doesn't contain the long forms of user entries.
        """
        return self._store.long_forms

    @property
    def source_names(self) -> tuple[str, ...]:
        """The names of all sources.

        The sources of the file come first, followed by sources that only user entries have.
        """
        added = self._overlay.sources.difference(self._store.sources)
        return (*self._store.sources, *sorted(added))

    @property
    def user_sources(self) -> frozenset[str]:
        """The names of the sources that the user's own entries have."""
        return frozenset(self._overlay.sources)

    @property
    def metadata(self) -> dict[str, Any]:
        """The description of the dictionary in its file, such as its sources and their licences."""
        return dict(self._store.metadata)

    @cached_property
    def sources(self) -> Mapping[str, SourceInfo]:
        """A mapping from the names of the file's sources to their descriptions.

        It is empty if the file doesn't describe its sources.
        """
        return read_source_infos(self._store.metadata)

    @property
    def languages(self) -> frozenset[str] | None:
        """Codes of the languages that the dictionary covers, such as ``"en"``, or None if unknown.

        They come from the list "languages" in the file's metadata. Without this list, a file with a
        list of English words (`words`) counts as English. The packaged dictionary has such a list.
        """
        default = ["en"] if "words" in self._store.metadata else None
        languages = self._store.metadata.get("languages", default)
        return None if languages is None else frozenset(languages)

    @property
    def fingerprint(self) -> str:
        """A string that identifies the dictionary's content, including the user's entries.

        Two dictionaries with the same fingerprint give the same candidates.
        """
        if not self._overlay:
            return self.file_fingerprint
        state = json.dumps(self.overlay_state(), sort_keys=True).encode()
        return f"{self.file_fingerprint}+{hashlib.sha256(state).hexdigest()[:8]}"

    @property
    def file_fingerprint(self) -> str:
        """A string that identifies the content of the file, without the user's entries."""
        return self._store.fingerprint

    def verify(self) -> None:
        """Read the whole dictionary file and compare its content with the stored checksum.

        Opening a file checks only its header and its size. Call this method to find other damage.

        Raises:
            FormatError: If the file is damaged.
        """
        self._store.verify()

    def save(self, path: Path) -> None:
        """Copy the dictionary file to another path, without the user's entries.

        To store the user's entries too, save the result of `overlay_state`.

        Args:
            path: Path of the copy. An existing file is replaced.
        """
        self._store.save(path)

    def overlay_state(self) -> dict[str, Any]:
        """Return the user's added, removed and ignored entries as JSON types.

        Pass the result to `from_overlay_state` to restore them.
        """
        return self._overlay.state()

    @classmethod
    def from_overlay_state(
        cls, state: Mapping[str, Any], path: str | Path | None = None
    ) -> "Dictionary":
        """Open a dictionary file and restore the user's entries from an earlier session.

        Args:
            state: The user's entries, as returned by `overlay_state`.
            path: Path of the dictionary file or JSON file, as for `open`. None to open the packaged
                dictionary.

        Returns:
            The dictionary with the user's entries.

        Raises:
            InputError: If the file doesn't exist.
            FormatError: If the file or the saved state is invalid.
        """
        dictionary = cls.open(path)
        dictionary._overlay = Overlay.from_state(state)
        return dictionary

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the path of the dictionary file and the user's entries, not the file's content."""
        return Dictionary.from_overlay_state, (self.overlay_state(), self._path)

    def __repr__(self) -> str:
        """Return a short description with the path of the file and the number of acronyms."""
        return f"<Dictionary {self._path or self._store.path}: {len(self):,} acronyms>"


@lru_cache(8)
def _intern(spellings: frozenset[str]) -> frozenset[str]:
    """Return an equal set that another dictionary already uses, so that caches can share it."""
    return spellings


_TYPED = ascii_lowercase + digits + "-./&"


def suggest(dictionary: Dictionary, acronym: str, limit: int = 5) -> list[str]:
    """Suggest acronyms of the dictionary that the user may have meant by a mistyped acronym.

    A suggested acronym differs from the mistyped one by one inserted, deleted or replaced
    character, or by two swapped neighbours. Case is ignored. For example, "MIR" gives "MRI" among
    others.

    Args:
        dictionary: The dictionary to search.
        acronym: The acronym that may be mistyped.
        limit: Maximum number of suggestions.

    Returns:
        The suggested acronyms as listed in the dictionary, sorted by descending count. Empty if no
        acronym is similar enough.
    """
    near = {match for edit in _edits(acronym.casefold()) for match in dictionary.matches(edit)}
    frequency = {
        match: sum(candidate.total for candidate in dictionary.candidates(match)) for match in near
    }
    return sorted(near, key=lambda match: (-frequency[match], match))[:limit]


def _edits(word: str) -> set[str]:
    """Return all strings at a Damerau-Levenshtein distance of 1 from a word."""
    parts = [(word[:index], word[index:]) for index in range(len(word) + 1)]
    deletions = [left + right[1:] for left, right in parts if right]
    swaps = [left + right[1] + right[0] + right[2:] for left, right in parts if right[1:]]
    replacements = [left + sign + right[1:] for left, right in parts if right for sign in _TYPED]
    insertions = [left + sign + right for left, right in parts for sign in _TYPED]
    return {*deletions, *swaps, *replacements, *insertions} - {word}
