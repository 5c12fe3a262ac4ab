"""Merging of the spellings of long forms, for entries and for candidates."""

from collections.abc import Callable, Iterable

from ..text.spelling import merge_key, same_key
from .candidate import Candidate, Entry, add_counts, total

Key = Callable[[str], str]

MERGING: dict[str, Key] = {"ours": same_key, "paper": merge_key}
"""Keys of long forms: ours, and the paper's, by stems without punctuation (GLADIS, section 3.1)."""


def merge_entries(entries: Iterable[Entry], key: Key = same_key) -> list[Entry]:
    """Merge the spellings of an acronym's long forms, which have the same key.

    The most frequent spelling represents its group. Ties are broken by length, shortest first, then
    by code points. Counts are added by source.

    Args:
        entries: Long forms with their counts by source, in any order.
        key: The key of a long form.

    Returns:
        Merged entries, most frequent first.
    """
    spellings: dict[str, dict[str, dict[str, int]]] = {}
    for long_form, counts in entries:
        same = spellings.setdefault(key(long_form), {})
        add_counts(same.setdefault(long_form, {}), counts)
    merged: list[Entry] = []
    for same in spellings.values():
        canonical, _ = min(same.items(), key=lambda entry: (-total(entry), len(entry[0]), entry[0]))
        counts = {}
        for more in same.values():
            add_counts(counts, more)
        merged.append((canonical, counts))
    return sorted(merged, key=lambda entry: (-total(entry), entry[0]))


def join_candidates(lists: Iterable[list[Candidate]]) -> list[Candidate]:
    """Join the candidates of several spellings of an acronym.

    Candidates with the same `same_key` are joined. The most frequent of them represents the group,
    with the counts of all.

    Args:
        lists: Candidates of each spelling.

    Returns:
        Joined candidates, most frequent first.
    """
    joined: dict[str, Candidate] = {}
    flat = [candidate for candidates in lists for candidate in candidates]
    for candidate in sorted(flat, key=lambda candidate: -candidate.total):
        first = joined.setdefault(same_key(candidate.long_form), candidate)
        if first is not candidate:
            counts = dict(first.counts)
            add_counts(counts, candidate.counts)
            key = same_key(candidate.long_form)
            gloss = first.gloss or candidate.gloss
            joined[key] = first._replace(counts=counts, total=sum(counts.values()), gloss=gloss)
    return sorted(joined.values(), key=lambda candidate: -candidate.total)
