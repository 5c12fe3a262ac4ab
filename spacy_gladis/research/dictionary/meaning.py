"""Long forms during a build of the dictionary, each with all its spellings and counts."""

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
    """A long form of an acronym, with all its spellings and how often each source has them.

    Attributes:
        key: Key that all spellings of the long form have in common, such as ``"heartrate"``.
        forms: A mapping from each spelling to its counts. The counts map names of sources to
            numbers.
        chosen: Spelling that the dictionary must use, because a common list has it or because
            truncated forms were merged into it. Empty if there is none.
        trusted: Whether a source that people wrote has the long form, as opposed to mined text.
    """

    key: str
    forms: dict[str, Counts] = field(default_factory=dict)
    chosen: str = ""
    trusted: bool = False

    @property
    def form(self) -> str:
        """Spelling of the long form that the dictionary uses.

        It is `chosen` or, if that is empty, the most frequent spelling. A spelling in all capitals
        is used only if there is no other.
        """
        return self.chosen or min(
            self.forms,
            key=lambda form: (form.isupper(), -sum(self.forms[form].values()), len(form), form),
        )

    @property
    def total(self) -> int:
        """Sum of the counts of all spellings in all sources."""
        return sum(sum(counts.values()) for counts in self.forms.values())

    @property
    def sources(self) -> set[str]:
        """Names of all sources that have the long form in any spelling."""
        return {source for counts in self.forms.values() for source in counts}

    def counts(self, highest: frozenset[str]) -> Counts:
        """Return how often each source has the long form, in any of its spellings.

        Args:
            highest: Names of sources whose counts are not numbers of documents. For these, the
                highest count of a spelling is used. For all others, the counts are added.

        Returns:
            A mapping from names of sources to counts.
        """
        together: Counts = {}
        for counts in self.forms.values():
            for source, number in counts.items():
                before = together.get(source, 0)
                together[source] = max(before, number) if source in highest else before + number
        return together

    def join(self, other: "Meaning") -> None:
        """Merge another long form into this one, with its spellings and counts.

        This long form keeps its key. If it has no chosen spelling, it takes that of the other.

        Args:
            other: Long form of the same acronym, such as a misspelling of this one. It is not
                changed.
        """
        for form, counts in other.forms.items():
            add_counts(self.forms.setdefault(form, {}), counts)
        self.chosen = self.chosen or other.chosen
        self.trusted = self.trusted or other.trusted


def group(forms: Iterable[tuple[str, Counts]], aliases: dict[str, str]) -> dict[str, Meaning]:
    """Group the spellings of an acronym's long forms, so that variants become one long form.

    Spellings such as "heart rate" and "Heart Rates" have the same key and are merged.

    Args:
        forms: Pairs of a spelling and its counts. The counts map names of sources to numbers.
        aliases: A mapping from the keys of spellings that a common list declares to be variants, to
            the key of the long form that they belong to.

    Returns:
        A mapping from keys to long forms, in the order in which the keys first occur.
    """
    meanings: dict[str, Meaning] = {}
    for form, counts in forms:
        key = same_key(form)
        key = aliases.get(key, key)
        add_counts(meanings.setdefault(key, Meaning(key)).forms.setdefault(form, {}), counts)
    return meanings


NO_FIT = 9.0
"""Cost per letter of a long form that the acronym's letters can't be aligned with."""

_LIMIT, _LIMIT_PER_LETTER = 1.5, 0.9

READ_SMALL = 0.5  # extra cost if function words provide letters

_PLURAL = re.compile(r"[A-Z0-9]{2,}s")


@lru_cache(1 << 16)
def letter_cost(acronym: str, long_form: str) -> float:
    """Compute how badly the letters of an acronym match a long form, as a cost per letter.

    The cost is 0.1 if each word begins with a letter of the acronym. It is higher if letters are
    inside words, and for each word that is skipped; see `text.alignment.COST`. Function words cost
    nothing to skip, but more if they provide a letter. "transient tachypnea of the newborn"
    therefore matches TTN better than "tachypnea of the newborn" does.

    Args:
        acronym: Acronym whose letters are compared, such as ``"CT"``.
        long_form: The long form to compare it with.

    Returns:
        The cost of the best alignment, divided by the number of letters. `NO_FIT` (9.0) if the
        letters don't match at all.
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
    """Return the lowest cost per letter of an alignment, or `NO_FIT` if there is none.

    Words before the first aligned one count as skipped.
    """
    count = len(acronym.letters)
    alignments = align(acronym, reversed(tokens), len(tokens), _LIMIT + _LIMIT_PER_LETTER * count)
    costs = [alignment.cost + tokens.index(alignment.first) * COST["w"] for alignment in alignments]
    return min(costs) / count if costs else NO_FIT


def singular(acronym: str, long_form: str) -> str:
    """Remove the plural "s" of an acronym whose long form is plural too.

    For example, "GPUs" becomes "GPU" if its long form is "graphics processing units".

    Args:
        acronym: Acronym as it was found in a text.
        long_form: Long form of the acronym.

    Returns:
        The acronym without the "s", or unchanged if one of the two is not plural.
    """
    last = long_form.rsplit(" ", 1)[-1].lower()
    if _PLURAL.fullmatch(acronym) and last.endswith("s") and not last.startswith("s"):
        return acronym[:-1]
    return acronym
