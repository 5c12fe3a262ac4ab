"""Merge the spellings of one long form (GLADIS, section 3)."""

from collections.abc import Iterable

from ..rules.merge_key import merge_key
from .candidate import Entry, add_counts, total


def merge_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Join the long forms of one acronym that have the same merge key.

    The most frequent spelling, unprocessed, stands for all; of equally frequent ones the shortest,
    then the first in code point order. Counts are added by domain. The result is sorted by
    frequency, most frequent first, and does not depend on the order of `entries`.
    """
    spellings: dict[str, dict[str, dict[str, int]]] = {}
    for long_form, counts in entries:
        same = spellings.setdefault(merge_key(long_form), {})
        add_counts(same.setdefault(long_form, {}), counts)
    merged: list[Entry] = []
    for same in spellings.values():
        canonical, _ = min(same.items(), key=lambda entry: (-total(entry), len(entry[0]), entry[0]))
        counts = {}
        for more in same.values():
            add_counts(counts, more)
        merged.append((canonical, counts))
    return sorted(merged, key=lambda entry: (-total(entry), entry[0]))
