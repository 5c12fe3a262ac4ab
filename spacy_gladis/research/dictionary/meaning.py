"""The long forms of an acronym during a build, with all their spellings."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from ...dictionary.candidate import add_counts
from ...dictionary.noise import FUNCTION_WORDS
from ...text.acronym import Acronym, read_acronym
from ...text.alignment import COST, align
from ...text.spelling import same_key
from ...text.tokens import Token, tokens_of

Counts = dict[str, int]


@dataclass(slots=True)
class Meaning:
    """A long form with all its spellings and their counts by source.

    Attributes:
        key: The key that all its spellings share.
        forms: A mapping from each spelling to its counts by source.
        chosen: Preferred spelling, from a common list or from a merge with truncated forms. May be
            empty.
        trusted: Whether a list written by people has the long form.
    """

    key: str
    forms: dict[str, Counts] = field(default_factory=dict)
    chosen: str = ""
    trusted: bool = False

    @property
    def form(self) -> str:
        """The spelling to use: `chosen`, or the most frequent spelling if that is empty.

        A spelling in all capitals is used only if there is no other.
        """
        return self.chosen or min(
            self.forms,
            key=lambda form: (form.isupper(), -sum(self.forms[form].values()), len(form), form),
        )

    @property
    def total(self) -> int:
        """The sum of all counts."""
        return sum(sum(counts.values()) for counts in self.forms.values())

    @property
    def sources(self) -> set[str]:
        """The names of all sources."""
        return {source for counts in self.forms.values() for source in counts}

    def counts(self, highest: frozenset[str]) -> Counts:
        """Return the counts of the long form by source.

        Args:
            highest: Sources for which the highest count of a spelling is used instead of the sum.
        """
        together: Counts = {}
        for counts in self.forms.values():
            for source, number in counts.items():
                before = together.get(source, 0)
                together[source] = max(before, number) if source in highest else before + number
        return together

    def join(self, other: "Meaning") -> None:
        """Add the spellings of another long form.

        Args:
            other: The other long form.
        """
        for form, counts in other.forms.items():
            add_counts(self.forms.setdefault(form, {}), counts)
        self.chosen = self.chosen or other.chosen
        self.trusted = self.trusted or other.trusted


def group(forms: Iterable[tuple[str, Counts]], aliases: dict[str, str]) -> dict[str, Meaning]:
    """Group the spellings of an acronym's long forms by key.

    Args:
        forms: The spellings with their counts.
        aliases: A mapping from keys to the keys that a list declares equal.

    Returns:
        A mapping from keys to long forms.
    """
    meanings: dict[str, Meaning] = {}
    for form, counts in forms:
        key = same_key(form)
        key = aliases.get(key, key)
        add_counts(meanings.setdefault(key, Meaning(key)).forms.setdefault(form, {}), counts)
    return meanings


NO_FIT = 9.0
"""Cost of a long form that does not contain the acronym's letters."""

_LIMIT, _LIMIT_PER_LETTER = 1.5, 0.9

READ_SMALL = 0.5  # extra cost if function words provide letters

_PLURAL = re.compile(r"[A-Z0-9]{2,}s")


@lru_cache(1 << 16)
def letter_cost(acronym: str, long_form: str) -> float:
    """Return the average alignment cost per letter of the acronym, including skipped words.

    It is 0.1 if each word begins with a letter of the acronym; see `text.alignment.COST`. Function
    words are expensive to align and free to skip: "transient tachypnea of the newborn" fits TTN
    better than "tachypnea of the newborn" does.

    Args:
        acronym: The acronym.
        long_form: The long form.

    Returns:
        The cost, from 0.1 to `NO_FIT`.
    """
    read = read_acronym(acronym.rstrip("."))
    if read is None:
        return NO_FIT
    words = tokens_of(long_form, 0)
    content = [token for token in words if token.text not in FUNCTION_WORDS]
    best = NO_FIT
    for form in (read, read.rotate()) if read.subscript else (read,):
        cost = _cost(form, content)
        if len(content) < len(words):
            cost = min(cost, _cost(form, words) + READ_SMALL / len(form.letters))
        best = min(best, cost)
    return best


def _cost(acronym: Acronym, tokens: list[Token]) -> float:
    """Return the cost per letter, including words before the alignment's first."""
    count = len(acronym.letters)
    alignments = align(acronym, reversed(tokens), len(tokens), _LIMIT + _LIMIT_PER_LETTER * count)
    costs = [alignment.cost + tokens.index(alignment.first) * COST["w"] for alignment in alignments]
    return min(costs) / count if costs else NO_FIT


def singular(acronym: str, long_form: str) -> str:
    """Remove the plural "s" from an acronym if its long form is plural too: "GPUs" to "GPU".

    Args:
        acronym: The acronym.
        long_form: Long form of the acronym.
    """
    last = long_form.rsplit(" ", 1)[-1].lower()
    if _PLURAL.fullmatch(acronym) and last.endswith("s") and not last.startswith("s"):
        return acronym[:-1]
    return acronym
