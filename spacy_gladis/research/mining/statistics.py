"""What a mined corpus holds: the figures of GLADIS's Tables 2 and 4, and the noise in it."""

import json
from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import InputError
from .engine.workspace import Workspace
from .noise import noise
from .stages.count import Count, read_counts

MOST_AMBIGUOUS = 25
SUMMED = ("million_characters", "documents", "definitions", "samples")


class LongForms(NamedTuple):
    """An acronym and its long forms with their counts, most frequent first."""

    acronym: str
    long_forms: list[tuple[str, int]]


class Tally:
    """Counts a dictionary's acronyms and long forms: the paper's Table 4, and their noise."""

    def __init__(self) -> None:
        self.acronyms = self.ambiguous = self.long_forms = self.occurrences = 0
        self.sizes: Counter[int] = Counter()  # long forms of an acronym -> acronyms
        self.noisy: Counter[str] = Counter()  # reason -> long forms
        self.noisy_occurrences: Counter[str] = Counter()
        self._most: list[tuple[int, str, list[str]]] = []  # a heap, the least ambiguous first

    def add(self, entry: LongForms) -> None:
        size = len(entry.long_forms)
        self.acronyms += 1
        self.ambiguous += size > 1
        self.long_forms += size
        self.sizes[size] += 1
        for long_form, frequency in entry.long_forms:
            self.occurrences += frequency
            if reason := noise(long_form):
                self.noisy[reason] += 1
                self.noisy_occurrences[reason] += frequency
        heappush(self._most, (size, entry.acronym, [one for one, _ in entry.long_forms[:3]]))
        if len(self._most) > MOST_AMBIGUOUS:
            heappop(self._most)

    def to_json(self) -> dict[str, Any]:
        """The figures; shares are of all long forms, or of all their occurrences."""
        return {
            "acronyms": self.acronyms,
            "long_forms": self.long_forms,
            "long_forms_per_acronym": self.long_forms / max(1, self.acronyms),
            "ambiguous_acronyms": self.ambiguous,
            "occurrences": self.occurrences,
            "noise": {
                "share": self.noisy.total() / max(1, self.long_forms),
                "share_by_frequency": self.noisy_occurrences.total() / max(1, self.occurrences),
                "long_forms": dict(self.noisy.most_common()),
                "occurrences": dict(self.noisy_occurrences.most_common()),
            },
            "acronyms_by_long_forms": {str(size): self.sizes[size] for size in sorted(self.sizes)},
            "most_ambiguous": [
                {"acronym": acronym, "long_forms": size, "most_frequent": most}
                for size, acronym, most in sorted(self._most, key=lambda one: (-one[0], one[1]))
            ],
        }


def corpus_statistics(workspace: Workspace) -> dict[str, Any]:
    """A mined corpus by source (the paper's Table 2), as a dictionary (Table 4), and its problems.

    Pairs are of acronym and merge key. Raises InputError
    where the folder is not a workspace or its mining is not finished.
    """
    pairs: Counter[str] = Counter()
    tally = Tally()
    for _, rows in groupby(read_workspace_counts(workspace), key=attrgetter("acronym")):
        counts = list(rows)
        pairs.update(domain for domain, _ in {(one.domain, one.merge_key) for one in counts})
        tally.add(merge_spellings(counts))
    report = json.loads((workspace.root / "report.json").read_text(encoding="utf-8"))
    sources = [
        {
            "domain": domain,
            "million_characters": counted["characters"] / 1e6,
            "documents": counted["documents"],
            "definitions": counted["definitions"],
            "samples": counted["samples"],
            "pairs": pairs[domain],
        }
        for domain, counted in report["domains"].items()
    ]
    total = {name: sum(one[name] for one in sources) for name in SUMMED}
    return {
        "sources": sorted(sources, key=lambda one: -one["million_characters"]),
        "total": {**total, "pairs": tally.long_forms},
        "dictionary": tally.to_json(),
        "problems": report["problems"],
    }


def merge_spellings(counts: list[Count]) -> LongForms:
    """An acronym's long forms out of its counts: spellings with one merge key are one.

    The most frequent spelling stands for all; of equally frequent ones the shortest, then the
    first in code point order (GLADIS, section 3).
    """
    merged: dict[str, Counter[str]] = {}
    for count in counts:
        merged.setdefault(count.merge_key, Counter())[count.long_form] += count.frequency
    long_forms = [
        (min(spellings, key=lambda one: (-spellings[one], len(one), one)), spellings.total())
        for spellings in merged.values()
    ]
    return LongForms(counts[0].acronym, sorted(long_forms, key=lambda one: (-one[1], one[0])))


def read_workspace_counts(workspace: Workspace) -> Iterator[Count]:
    """Yield all counts of a workspace, bucket by bucket, an acronym's together."""
    for path in count_files(workspace):
        yield from read_counts(path)


def count_files(workspace: Workspace) -> list[Path]:
    """The files of a workspace's counts, a bucket each.

    Raises InputError where the mining is not finished or counts were lost.
    """
    buckets = workspace.manifest()["settings"]["buckets"]
    paths = [workspace.root / f"counts/{bucket:03}.parquet" for bucket in range(buckets)]
    missing = [path for path in paths if not path.is_file()]
    if missing:
        raise InputError(
            f"The counts of {workspace.root} are not finished or were lost: {missing[0].name} is "
            "missing. Give the 'spacy-gladis corpus extract' command again: it goes on from there."
        )
    return paths
