"""An acronym's long forms in the making: each with all its spellings."""

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


NO_FIT = 9.0
"""The cost of a long form that lacks the acronym's letters."""

_LIMIT, _LIMIT_PER_LETTER = 1.5, 0.9

READ_SMALL = 0.5  # cost of function words that give letters

_PLURAL = re.compile(r"[A-Z0-9]{2,}s")


@lru_cache(1 << 16)
def letter_cost(acronym: str, long_form: str) -> float:
    """What a letter of the acronym costs on average, words left out included, 0.1 to `NO_FIT`.

    0.1 where each word begins with a letter; see `rules.alignment.COST`. Function words are dear
    to read and free to leave out: "transient tachypnea of the newborn" fits TTN better than
    "tachypnea of the newborn" does.
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
    """What a letter costs, words before the alignment's first included."""
    count = len(acronym.letters)
    found = align(acronym, reversed(tokens), len(tokens), _LIMIT + _LIMIT_PER_LETTER * count)
    costs = [one.cost + tokens.index(one.first) * COST["w"] for one in found]
    return min(costs) / count if costs else NO_FIT


def singular(acronym: str, long_form: str) -> str:
    """The acronym without the plural's "s" that its long form has, too: "GPUs" as "GPU"."""
    last = long_form.rsplit(" ", 1)[-1].lower()
    if _PLURAL.fullmatch(acronym) and last.endswith("s") and not last.startswith("s"):
        return acronym[:-1]
    return acronym
