"""A user's own entries: what is added to a dictionary and what is hidden of it."""

from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

from ..errors import FormatError
from ..text.spelling import merge_key
from .candidate import Candidate, add_counts, clean_row

USER_SOURCE = "user"
"""The source of entries added without one; no restriction to sources leaves them out."""


class Overlay:
    """Additions and removals on top of a store; in memory, JSON-able.

    A removal hides stored entries and drops added ones; what is added after it stands. An ignored
    acronym is removed, and none at all until something is added to it.
    """

    def __init__(self) -> None:
        self.added: dict[str, dict[str, dict[str, int]]] = {}
        self.hidden: dict[str, set[str] | None] = {}  # acronym -> merge keys, None for all
        self.ignored: set[str] = set()
        self.sources: set[str] = set()
        self._spellings: dict[str, dict[str, None]] | None = None  # without case -> acronyms added

    def __bool__(self) -> bool:
        return bool(self.added or self.hidden)

    def add(self, acronym: str, long_form: str, source: str = USER_SOURCE, count: int = 1) -> None:
        """Add an entry; its count is added to what is there. `InputError` for a bad one.

        Accents are characters of their own no more: a text is found in either form.
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
        """Hide an acronym, or one of its long forms in all its spellings."""
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
        """Take a word for no acronym. `InputError` where it is empty or too long."""
        word = normalize("NFC", clean_row(acronym, "no acronym", USER_SOURCE).acronym)
        self.remove(word)
        self.ignored.add(word)

    def touches(self, acronym: str) -> bool:
        """Whether the acronym's candidates may differ from those stored."""
        return acronym in self.added or acronym in self.hidden

    def acronyms_ignoring_case(self, acronym: str) -> list[str]:
        """The added acronyms that differ from this one in case alone."""
        if self._spellings is None:
            self._spellings = {}
            for one in self.added:
                self._spellings.setdefault(one.casefold(), {})[one] = None
        return [
            found for found in self._spellings.get(acronym.casefold(), ()) if found in self.added
        ]

    def apply(self, acronym: str, stored: list[Candidate]) -> list[Candidate]:
        """An acronym's candidates: those stored, without the hidden, with the added."""
        found = self._visible(acronym, stored)
        exact = {candidate.long_form: index for index, candidate in enumerate(found)}
        alike = {merge_key(form): index for form, index in reversed(exact.items())}
        for long_form, counts in self.added.get(acronym, {}).items():
            index = exact.get(long_form, alike.setdefault(merge_key(long_form), len(found)))
            if index == len(found):
                found.append(Candidate(long_form, {}, 0, -1))
            together = dict(found[index].counts)
            add_counts(together, counts)
            found[index] = found[index]._replace(counts=together, total=sum(together.values()))
        return sorted(found, key=lambda candidate: -candidate.total)

    def _visible(self, acronym: str, stored: list[Candidate]) -> list[Candidate]:
        if acronym not in self.hidden:
            return list(stored)
        hidden = self.hidden[acronym]
        if hidden is None:
            return []
        return [found for found in stored if merge_key(found.long_form) not in hidden]

    def state(self) -> dict[str, Any]:
        """All of it as JSON types."""
        state: dict[str, Any] = {
            "added": {acronym: dict(entries) for acronym, entries in self.added.items()},
            "removed": {
                acronym: None if keys is None else sorted(keys)
                for acronym, keys in self.hidden.items()
            },
        }
        if self.ignored:  # absent from states, and fingerprints, that were saved without any
            state["ignored"] = sorted(self.ignored)
        return state

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "Overlay":
        """The overlay that `state` came from; `FormatError` if it came from none."""
        overlay = cls()
        try:
            for acronym, entries in state["added"].items():
                own = overlay.added[acronym] = {one: dict(of) for one, of in entries.items()}
                for counts in own.values():  # what `add` has checked is not checked again
                    overlay.sources.update(counts)
                    if not counts or not all(
                        type(one) is int and one > 0 for one in counts.values()
                    ):
                        raise ValueError(f"the counts of {acronym!r} are {counts!r}")
            for acronym, keys in state["removed"].items():
                overlay.hidden[acronym] = None if keys is None else set(keys)
            overlay.ignored.update(state.get("ignored", ()))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise FormatError(
                "This is not the state of a dictionary's own entries: expected "
                '{"added": {acronym: {long form: {source: count}}}, '
                f'"removed": {{acronym: null or [merge key]}}}}; {error!r}'
            ) from error
        return overlay
