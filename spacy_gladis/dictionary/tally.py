"""Measure how ambiguous and how noisy the entries of a dictionary are."""

from collections import Counter
from heapq import heappop, heappush
from typing import Any

from .noise import noise

MOST_AMBIGUOUS = 25
"""Number of acronyms that are listed as the most ambiguous ones."""


class Tally:
    """Counts the acronyms, long forms and noise of a dictionary (GLADIS, Table 4).

    Call `add` for each acronym of the dictionary, then `to_json` to get the statistics.

    Attributes:
        acronyms: Number of acronyms.
        ambiguous: Number of acronyms with more than one long form.
        long_forms: Number of long forms. A long form counts once for each of its acronyms.
        occurrences: Sum of the counts of all long forms.
        sizes: A mapping from a number of long forms to the number of acronyms with as many long
            forms.
        noisy: A mapping from each reason that `noise.noise` returns to the number of long forms
            that look like noise for this reason.
        noisy_occurrences: A mapping from each of these reasons to the sum of the long forms'
            counts.
    """

    def __init__(self) -> None:
        """Create a tally in which all counts are 0."""
        self.acronyms = self.ambiguous = self.long_forms = self.occurrences = 0
        self.sizes: Counter[int] = Counter()
        self.noisy: Counter[str] = Counter()
        self.noisy_occurrences: Counter[str] = Counter()
        self._most: list[tuple[int, str, list[str]]] = []  # a heap, the least ambiguous first

    def add(self, acronym: str, long_forms: list[tuple[str, int]]) -> None:
        """Count an acronym, its long forms, and those of them that look like noise.

        Args:
            acronym: The acronym to count.
            long_forms: Pairs of a long form and its count, sorted by descending count.
        """
        size = len(long_forms)
        self.acronyms += 1
        self.ambiguous += size > 1
        self.long_forms += size
        self.sizes[size] += 1
        for long_form, frequency in long_forms:
            self.occurrences += frequency
            if reason := noise(long_form):
                self.noisy[reason] += 1
                self.noisy_occurrences[reason] += frequency
        heappush(self._most, (size, acronym, [long_form for long_form, _ in long_forms[:3]]))
        if len(self._most) > MOST_AMBIGUOUS:
            heappop(self._most)

    def to_json(self) -> dict[str, Any]:
        """Return the statistics of the dictionary as JSON types.

        Returns:
            A dictionary with the numbers of acronyms, ambiguous acronyms, long forms and
            occurrences, the noise, and the most ambiguous acronyms with their three most frequent
            long forms. The noise has the key ``share`` for its share of all long forms, and
            ``share_by_frequency`` for its share of all occurrences, both from 0 to 1.
        """
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
                for size, acronym, most in sorted(self._most, key=lambda item: (-item[0], item[1]))
            ],
        }
