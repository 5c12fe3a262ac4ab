"""The user's changes to a dictionary: added entries, removed entries and ignored words."""

from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

from ..errors import FormatError
from ..text.spelling import merge_key
from .candidate import Candidate, add_counts, clean_row

USER_SOURCE = "user"
"""Name of the source of user entries that don't name one. These entries are candidates even if the
candidates are restricted to other sources."""


def is_own_entry(candidate: Candidate) -> bool:
    """Return whether a candidate is an entry from the user's own list.

    Args:
        candidate: Candidate long form of an acronym.
    """
    return USER_SOURCE in candidate.counts


class Overlay:
    """The user's changes to a dictionary, which are kept in memory and never written to its file.

    Users can add entries, remove acronyms or long forms, and mark words to ignore. A removal hides
    entries of the file and deletes entries that were added before. Entries that are added later
    stay visible. Ignoring a word also removes its entries. The mark lasts until an entry is added
    for the word.

    Attributes:
        added: Counts of the added entries, as ``{acronym: {long form: {source: count}}}``.
        hidden: A mapping from acronyms to their hidden long forms, as a set of merge keys. None
            instead of a set means that all long forms in the file are hidden.
        ignored: Words that the user marked as not being acronyms.
        sources: Names of the sources of all entries that were added.
    """

    def __init__(self) -> None:
        """Create an overlay that doesn't change the dictionary."""
        self.added: dict[str, dict[str, dict[str, int]]] = {}
        self.hidden: dict[str, set[str] | None] = {}
        self.ignored: set[str] = set()
        self.sources: set[str] = set()
        self._spellings: dict[str, dict[str, None]] | None = None  # folded -> added acronyms

    def __bool__(self) -> bool:
        """Return whether the user has added, removed or ignored anything."""
        return bool(self.added or self.hidden)

    def add(self, acronym: str, long_form: str, source: str = USER_SOURCE, count: int = 1) -> None:
        """Add an entry for an acronym, or increase the count of an existing entry.

        The acronym is normalised to Unicode's form NFC, so that accented letters also match if a
        text writes them as a letter and a separate accent.

        Args:
            acronym: The acronym to add.
            long_form: The long form of the acronym.
            source: Name of the entry's source.
            count: Number to add to the count of the entry, which is at least 1.

        Raises:
            InputError: If the acronym or the long form is empty or too long, or if the count is
                invalid.
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
        """Remove an acronym or one of its long forms from the dictionary.

        Entries of the file are hidden, and added entries are deleted.

        Args:
            acronym: The acronym. Only this exact spelling is removed.
            long_form: The long form to remove, in all its spellings. None to remove all long forms
                of the acronym.
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
        """Mark a word as not being an acronym, and remove its entries.

        Args:
            acronym: The word to ignore.

        Raises:
            InputError: If the word is empty or too long.
        """
        word = normalize("NFC", clean_row(acronym, "no acronym", USER_SOURCE).acronym)
        self.remove(word)
        self.ignored.add(word)

    def touches(self, acronym: str) -> bool:
        """Return whether the user's changes may affect the long forms of an acronym.

        If not, the entries of the dictionary file can be used as they are.

        Args:
            acronym: The acronym in the spelling to look up.
        """
        return acronym in self.added or acronym in self.hidden

    def acronyms_ignoring_case(self, acronym: str) -> list[str]:
        """Return the added acronyms that equal a given acronym if case is ignored.

        Args:
            acronym: The acronym to compare with, such as "Ct".

        Returns:
            The spellings under which the user added entries, such as "CT". They may include the
            given one.
        """
        if self._spellings is None:
            self._spellings = {}
            for spelling in self.added:
                self._spellings.setdefault(spelling.casefold(), {})[spelling] = None
        spellings = self._spellings.get(acronym.casefold(), ())
        return [spelling for spelling in spellings if spelling in self.added]

    def apply(self, acronym: str, stored: list[Candidate]) -> list[Candidate]:
        """Apply the user's changes to the candidates that the dictionary file lists for an acronym.

        Args:
            acronym: The acronym.
            stored: The candidates in the file. The list is not changed.

        Returns:
            The candidates without removed and with added long forms, sorted by descending count. If
            an added long form is a spelling of a stored one, that candidate gets its spelling
            (the first one, if the user listed several), and its count is added.
        """
        candidates = self._visible(acronym, stored)
        exact = {candidate.long_form: index for index, candidate in enumerate(candidates)}
        by_key = {merge_key(name): index for name, index in reversed(exact.items())}
        respelled: set[int] = set()
        for long_form, counts in self.added.get(acronym, {}).items():
            index = exact.get(long_form, by_key.setdefault(merge_key(long_form), len(candidates)))
            if index == len(candidates):
                candidates.append(Candidate(long_form, {}, 0, -1))
            merged = dict(candidates[index].counts)
            add_counts(merged, counts)
            spelling = candidates[index].long_form if index in respelled else long_form
            respelled.add(index)
            candidates[index] = candidates[index]._replace(
                long_form=spelling, counts=merged, total=sum(merged.values())
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
        """Return the user's changes as JSON types.

        Pass the result to `from_state` to restore them.
        """
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
        """Restore the user's changes to a dictionary from saved ones.

        Args:
            state: The changes, as returned by `state`.

        Returns:
            An overlay with these changes.

        Raises:
            FormatError: If the saved changes are invalid.
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
