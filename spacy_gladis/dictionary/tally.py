"""Statistics of a dictionary's ambiguity and noise."""

from collections import Counter
from heapq import heappop, heappush
from typing import Any

from .noise import noise

MOST_AMBIGUOUS = 25


class Tally:
    """Counts of a dictionary's acronyms and long forms (GLADIS, Table 4), and of their noise.

    Attributes:
        acronyms: Number of acronyms.
        ambiguous: Number of acronyms with several long forms.
        long_forms: Number of long forms.
        occurrences: Sum of the frequencies of the long forms.
        sizes: Number of acronyms by their number of long forms.
        noisy: Number of long forms that look like noise, by reason (see `noise.noise`).
        noisy_occurrences: Sum of their frequencies, by reason.
    """

    def __init__(self) -> None:
        """Start with all counts at 0."""
        self.acronyms = self.ambiguous = self.long_forms = self.occurrences = 0
        self.sizes: Counter[int] = Counter()
        self.noisy: Counter[str] = Counter()
        self.noisy_occurrences: Counter[str] = Counter()
        self._most: list[tuple[int, str, list[str]]] = []  # a heap, the least ambiguous first

    def add(self, acronym: str, long_forms: list[tuple[str, int]]) -> None:
        """Add an acronym.

        Args:
            acronym: The acronym.
            long_forms: Its long forms with their frequencies, most frequent first.
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
        """Return the figures as JSON types. Shares refer to all long forms or all occurrences."""
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
