"""Which long forms say the same in other words: a list that people judged, pair by pair.

A metric needs its own view of this. What a library merges is a part of what is measured, so that
nothing here depends on it but the key under which spellings fall together.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from ...errors import FormatError

PACKAGED = Path(__file__).with_name("equal_wordings.tsv")
"""Two long forms a line, separated by a tab, in alphabetical order; `#` begins a remark.

Two wordings are equal where one is a variant of the other: British and American, singular and
plural, another inflection, hyphens, "and" or "&", an inserted "the" or "of", a fuller name of the
same thing. A kind of the thing, a part of it or what it belongs to is another sense.
"""


class EqualWordings:
    """Says whether two long forms are the same sense.

    key: maps a long form to what is equal for its spellings, such as `rules.merge_key`.
    pairs: the wordings that are equal though their keys differ. Equality does not carry over from
        pair to pair: each was judged by itself.
    """

    def __init__(self, key: Callable[[str], str], pairs: Iterable[tuple[str, str]]) -> None:
        self._key = lru_cache(maxsize=None)(key)  # one acronym's candidates come again and again
        self._pairs = {frozenset((key(one), key(other))) for one, other in pairs}

    def __call__(self, one: str, other: str) -> bool:
        """Whether these two long forms have equal keys, or are a pair of the list."""
        keys = frozenset((self._key(one), self._key(other)))
        return len(keys) == 1 or keys in self._pairs


def read_equal_wordings(path: Path = PACKAGED) -> list[tuple[str, str]]:
    """The pairs of a list; raises FormatError, naming the line, for what is not a pair."""
    pairs = []
    for number, line in enumerate(path.read_text("utf8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        wordings = line.split("\t")
        if len(wordings) != 2 or not all(one.strip() for one in wordings):
            raise FormatError(f"{path}:{number}: expected two long forms, separated by a tab.")
        pairs.append((wordings[0], wordings[1]))
    return pairs
