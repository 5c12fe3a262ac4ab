"""The user's changes to a dictionary: added entries, removed entries and ignored words."""

from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

from ..errors import FormatError
from ..text.spelling import merge_key
from .candidate import Candidate, add_counts, clean_row

USER_SOURCE = "user"
"""Name of the source of user entries that don't name one. These entries are always candidates, even
if the candidates are restricted to other sources."""


class Overlay:
    """The user's changes to a dictionary, which are kept in memory and never written to its file.

    Removing an acronym hides its entries in the file and deletes its added entries. Entries that
    are added afterwards are kept. Ignoring a word removes its entries and marks the word until an
    entry is added for it.

    Attributes:
        added: Counts of the added entries, by acronym, long form and source.
        hidden: A mapping from acronyms to the merge keys of their hidden long forms. None if all
            long forms of the acronym are hidden.
        ignored: Words that are marked as not being acronyms.
        sources: Names of the sources of added entries.
    """

    def __init__(self) -> None:
        """Create an overlay without changes."""
        self.added: dict[str, dict[str, dict[str, int]]] = {}
        self.hidden: dict[str, set[str] | None] = {}
        self.ignored: set[str] = set()
        self.sources: set[str] = set()
        self._spellings: dict[str, dict[str, None]] | None = None  # folded -> added acronyms

    def __bool__(self) -> bool:
        """Return whether there is any change."""
        return bool(self.added or self.hidden)

    def add(self, acronym: str, long_form: str, source: str = USER_SOURCE, count: int = 1) -> None:
        """Add an entry, or increase the count of an existing entry.

        The acronym is normalised to NFC, so that it matches texts with composed and with decomposed
        accents.

        Args:
            acronym: The acronym to add.
            long_form: The long form of the acronym.
            source: Name of the entry's source.
            count: Count of the entry. At least 1.

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
        """Remove an acronym or one of its long forms.

        Args:
            acronym: The acronym, in the spelling to remove.
            long_form: The long form, which is removed in all its spellings. None to remove all
                long forms.
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
        """Mark a word that is not an acronym, and remove its entries.

        Args:
            acronym: The word to ignore.

        Raises:
            InputError: If the word is empty or too long.
        """
        word = normalize("NFC", clean_row(acronym, "no acronym", USER_SOURCE).acronym)
        self.remove(word)
        self.ignored.add(word)

    def touches(self, acronym: str) -> bool:
        """Return whether the changes may affect the candidates of an acronym.

        Args:
            acronym: The acronym, in the spelling to look up.
        """
        return acronym in self.added or acronym in self.hidden

    def acronyms_ignoring_case(self, acronym: str) -> list[str]:
        """Return the added acronyms that differ from an acronym only in case.

        Args:
            acronym: The acronym to compare with.
        """
        if self._spellings is None:
            self._spellings = {}
            for spelling in self.added:
                self._spellings.setdefault(spelling.casefold(), {})[spelling] = None
        spellings = self._spellings.get(acronym.casefold(), ())
        return [spelling for spelling in spellings if spelling in self.added]

    def apply(self, acronym: str, stored: list[Candidate]) -> list[Candidate]:
        """Apply the user's changes to the candidates that the dictionary file has for an acronym.

        Args:
            acronym: The acronym.
            stored: The acronym's candidates in the file.

        Returns:
            The candidates after additions and removals, most frequent first.
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
        """Return the changes as JSON types, which `from_state` can restore."""
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
        """Restore an overlay from its saved changes.

        Args:
            state: The changes, as returned by `state`.

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
