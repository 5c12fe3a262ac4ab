"""The user's changes to a dictionary: added entries, removed entries and ignored words."""

from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

from ..errors import FormatError
from ..text.spelling import merge_key
from .candidate import Candidate, add_counts, clean_row

USER_SOURCE = "user"
"""Source of the user's entries without a source. Such entries are candidates even if candidates are
restricted to other sources."""


class Overlay:
    """Additions and removals on top of a dictionary file, in memory.

    A removal hides entries of the file and deletes added ones. Entries that are added later are
    kept. An ignored word is removed and marked until an entry is added to it.

    Attributes:
        added: Counts of the added entries by acronym, long form and source.
        hidden: Merge keys of the hidden long forms by acronym; None if all are hidden.
        ignored: Words that are not acronyms.
        sources: Names of the sources of added entries.
    """

    def __init__(self) -> None:
        """Start with no entries."""
        self.added: dict[str, dict[str, dict[str, int]]] = {}
        self.hidden: dict[str, set[str] | None] = {}
        self.ignored: set[str] = set()
        self.sources: set[str] = set()
        self._spellings: dict[str, dict[str, None]] | None = None  # folded -> added acronyms

    def __bool__(self) -> bool:
        """Return whether there is any addition or removal."""
        return bool(self.added or self.hidden)

    def add(self, acronym: str, long_form: str, source: str = USER_SOURCE, count: int = 1) -> None:
        """Add an entry. Its count is added to that of an existing entry.

        The acronym is normalised to NFC, so that it matches texts with composed and with decomposed
        accents.

        Args:
            acronym: The acronym.
            long_form: The long form.
            source: Name of the source.
            count: Count of the entry, at least 1.

        Raises:
            InputError: If a value is invalid.
        """
        row = clean_row(acronym, long_form, source, count)
        acronym = normalize("NFC", row.acronym)
        entries = self.added.setdefault(acronym, {})
        add_counts(entries.setdefault(row.long_form, {}), {row.source: row.count})
        self.sources.add(row.source)
        self.ignored.discard(acronym)
        if self._spellings is not None:
            self._spellings.setdefault(acronym.casefold(), {})[acronym] = None

    def remove(self, acronym: str, long_form: str | None = None) -> None:
        """Remove an acronym, or one of its long forms in all spellings.

        Args:
            acronym: The acronym.
            long_form: The long form; None for all.
        """
        if long_form is None:
            self.added.pop(acronym, None)
            self.hidden[acronym] = None
            return
        key = merge_key(long_form)
        entries = self.added.get(acronym, {})
        for spelling in [form for form in entries if merge_key(form) == key]:
            del entries[spelling]
        if not entries:
            self.added.pop(acronym, None)
        hidden = self.hidden.setdefault(acronym, set())
        if hidden is not None:
            hidden.add(key)

    def ignore(self, acronym: str) -> None:
        """Mark a word as not being an acronym.

        Args:
            acronym: The word.

        Raises:
            InputError: If the word is empty or too long.
        """
        word = normalize("NFC", clean_row(acronym, "no acronym", USER_SOURCE).acronym)
        self.remove(word)
        self.ignored.add(word)

    def touches(self, acronym: str) -> bool:
        """Return whether the candidates of an acronym may differ from those in the file.

        Args:
            acronym: The acronym.
        """
        return acronym in self.added or acronym in self.hidden

    def acronyms_ignoring_case(self, acronym: str) -> list[str]:
        """Return the added acronyms that differ from an acronym in case only.

        Args:
            acronym: The acronym.
        """
        if self._spellings is None:
            self._spellings = {}
            for spelling in self.added:
                self._spellings.setdefault(spelling.casefold(), {})[spelling] = None
        spellings = self._spellings.get(acronym.casefold(), ())
        return [spelling for spelling in spellings if spelling in self.added]

    def apply(self, acronym: str, stored: list[Candidate]) -> list[Candidate]:
        """Apply the changes to the candidates of an acronym.

        Args:
            acronym: The acronym.
            stored: Its candidates in the file.

        Returns:
            The candidates without the hidden ones and with the added ones, most frequent first.
        """
        candidates = self._visible(acronym, stored)
        exact = {candidate.long_form: index for index, candidate in enumerate(candidates)}
        by_key = {merge_key(name): index for name, index in reversed(exact.items())}
        for long_form, counts in self.added.get(acronym, {}).items():
            index = exact.get(long_form, by_key.setdefault(merge_key(long_form), len(candidates)))
            if index == len(candidates):
                candidates.append(Candidate(long_form, {}, 0, -1))
            merged = dict(candidates[index].counts)
            add_counts(merged, counts)
            candidates[index] = candidates[index]._replace(
                counts=merged, total=sum(merged.values())
            )
        return sorted(candidates, key=lambda candidate: -candidate.total)

    def _visible(self, acronym: str, stored: list[Candidate]) -> list[Candidate]:
        if acronym not in self.hidden:
            return list(stored)
        hidden = self.hidden[acronym]
        if hidden is None:
            return []
        return [candidate for candidate in stored if merge_key(candidate.long_form) not in hidden]

    def state(self) -> dict[str, Any]:
        """Return the changes as JSON types, for `from_state`."""
        state: dict[str, Any] = {
            "added": {acronym: dict(entries) for acronym, entries in self.added.items()},
            "removed": {
                acronym: None if keys is None else sorted(keys)
                for acronym, keys in self.hidden.items()
            },
        }
        if self.ignored:  # left out if empty, to keep the fingerprints of older states
            state["ignored"] = sorted(self.ignored)
        return state

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "Overlay":
        """Restore an overlay.

        Args:
            state: The changes as `state` returned them.

        Raises:
            FormatError: If the state is invalid.
        """
        overlay = cls()
        try:
            for acronym, entries in state["added"].items():
                copied = {long_form: dict(counts) for long_form, counts in entries.items()}
                overlay.added[acronym] = copied
                for counts in copied.values():  # `add` has checked the other values
                    overlay.sources.update(counts)
                    if not counts or not all(
                        type(count) is int and count > 0 for count in counts.values()
                    ):
                        raise ValueError(f"the counts of {acronym!r} are {counts!r}")
            for acronym, keys in state["removed"].items():
                overlay.hidden[acronym] = None if keys is None else set(keys)
            overlay.ignored.update(state.get("ignored", ()))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise FormatError(
                f"The saved user entries of a dictionary are invalid ({error!r}). Expected "
                '{"added": {acronym: {long form: {source: count}}}, '
                '"removed": {acronym: null or [merge key]}}.'
            ) from error
        return overlay
