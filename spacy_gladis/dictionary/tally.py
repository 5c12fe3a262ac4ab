"""Measure how ambiguous and how noisy a dictionary is."""

from collections import Counter
from heapq import heappop, heappush
from typing import Any

from .noise import noise

MOST_AMBIGUOUS = 25


class Tally:
    """Counts the acronyms, long forms and noise in a dictionary (GLADIS, Table 4).

    Attributes:
        acronyms: Number of acronyms.
        ambiguous: Number of acronyms with more than one long form.
        long_forms: Number of long forms.
        occurrences: Sum of the counts of all long forms.
        sizes: A mapping from a number of long forms to the number of acronyms that have so many.
        noisy: A mapping from each reason of `noise.noise` to the number of long forms that look
            like noise for this reason.
        noisy_occurrences: A mapping from each reason to the sum of these long forms' counts.
    """

    def __init__(self) -> None:
        """Create a tally in which all counts are 0."""
        self.acronyms = self.ambiguous = self.long_forms = self.occurrences = 0
        self.sizes: Counter[int] = Counter()
        self.noisy: Counter[str] = Counter()
        self.noisy_occurrences: Counter[str] = Counter()
        self._most: list[tuple[int, str, list[str]]] = []  # a heap, the least ambiguous first

    def add(self, acronym: str, long_forms: list[tuple[str, int]]) -> None:
        """Count an acronym with its long forms.

        Args:
            acronym: The acronym to count.
            long_forms: Pairs of a long form and its count, most frequent first.
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
        """Return the statistics as JSON types, with shares of all long forms or occurrences."""
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
