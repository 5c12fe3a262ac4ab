"""What is made of the spellings of one long form: one entry, one candidate."""

from collections.abc import Callable, Iterable

from ..text.spelling import merge_key, same_key
from .candidate import Candidate, Entry, add_counts, total

Key = Callable[[str], str]

MERGING: dict[str, Key] = {"ours": same_key, "paper": merge_key}
"""Keys of long forms: ours, and the paper's, by stems without punctuation (GLADIS, section 3.1)."""


def merge_entries(entries: Iterable[Entry], key: Key = same_key) -> list[Entry]:
    """Join the long forms of one acronym that have the same key.

    The most frequent spelling, unprocessed, stands for all; of equally frequent ones the shortest,
    then the first in code point order. Counts are added by source. The result is sorted by
    frequency, most frequent first, and does not depend on the order of `entries`.
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
    """Join the candidates of one acronym's spellings by `same_key`, most frequent first.

    Of equal ones the most frequent stands for all, with the counts of all.
    """
    joined: dict[str, Candidate] = {}
    found = [candidate for candidates in lists for candidate in candidates]
    for candidate in sorted(found, key=lambda one: -one.total):
        first = joined.setdefault(same_key(candidate.long_form), candidate)
        if first is not candidate:
            counts = dict(first.counts)
            add_counts(counts, candidate.counts)
            key = same_key(candidate.long_form)
            gloss = first.gloss or candidate.gloss
            joined[key] = first._replace(counts=counts, total=sum(counts.values()), gloss=gloss)
    return sorted(joined.values(), key=lambda one: -one.total)
