"""What each source domain gives to a dictionary."""

from collections import Counter
from typing import Any

from .candidate import Entry


class DomainTally:
    """Counts long forms and their occurrences by domain."""

    def __init__(self) -> None:
        self.long_forms: Counter[str] = Counter()
        self.exclusive: Counter[str] = Counter()
        self.occurrences: Counter[str] = Counter()

    def add(self, entries: list[Entry]) -> None:
        """Take the long forms of one acronym in."""
        for _, counts in entries:
            self.long_forms.update(counts.keys())
            self.occurrences.update(counts)
            if len(counts) == 1:
                self.exclusive.update(counts.keys())

    def to_json(self) -> list[dict[str, Any]]:
        """The figures of each domain, the one with the most long forms first."""
        return [
            {
                "domain": domain,
                "long_forms": number,
                "in_no_other": self.exclusive[domain],
                "occurrences": self.occurrences[domain],
            }
            for domain, number in sorted(self.long_forms.items(), key=lambda one: (-one[1], one[0]))
        ]
