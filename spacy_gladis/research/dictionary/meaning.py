"""An acronym's long forms in the making: each with all its spellings."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...dictionary.candidate import add_counts
from ...dictionary.same_key import same_key

Counts = dict[str, int]


@dataclass(slots=True)
class Meaning:
    """The spellings of one long form, each with its counts by source."""

    key: str
    forms: dict[str, Counts] = field(default_factory=dict)
    chosen: str = ""
    """The spelling that stands for all: a common list's, or one that was kept over its cuts."""
    trusted: bool = False
    """Whether a list that people wrote has it."""

    @property
    def form(self) -> str:
        """The spelling that stands for all: a common list's, else the most frequent.

        Capitals throughout stand only where there is no other spelling.
        """
        return self.chosen or min(
            self.forms,
            key=lambda form: (form.isupper(), -sum(self.forms[form].values()), len(form), form),
        )

    @property
    def total(self) -> int:
        """How often it was seen."""
        return sum(sum(counts.values()) for counts in self.forms.values())

    @property
    def sources(self) -> set[str]:
        return {source for counts in self.forms.values() for source in counts}

    def counts(self, highest: frozenset[str]) -> Counts:
        """The counts by source: the sum over spellings, for sources in `highest` the greatest."""
        together: Counts = {}
        for counts in self.forms.values():
            for source, number in counts.items():
                before = together.get(source, 0)
                together[source] = max(before, number) if source in highest else before + number
        return together

    def join(self, other: "Meaning") -> None:
        """Take another one's spellings in."""
        for form, counts in other.forms.items():
            add_counts(self.forms.setdefault(form, {}), counts)
        self.chosen = self.chosen or other.chosen
        self.trusted = self.trusted or other.trusted


def group(forms: Iterable[tuple[str, Counts]], aliases: dict[str, str]) -> dict[str, Meaning]:
    """An acronym's long forms by key; `aliases` are keys that a list says to be another's."""
    found: dict[str, Meaning] = {}
    for form, counts in forms:
        key = same_key(form)
        key = aliases.get(key, key)
        add_counts(found.setdefault(key, Meaning(key)).forms.setdefault(form, {}), counts)
    return found
