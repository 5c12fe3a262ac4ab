"""Comparison of two long forms by their sense, with a list of pairs that people judged as equal.

Metrics use it to accept an answer that is worded differently from the gold long form, such as
"tumor necrosis factor" and "tumour necrosis factor". It must not depend on which long forms the
library merges, because that is part of what is measured. It shares only the function that computes
merge keys with the library.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from ...errors import FormatError

PACKAGED = Path(__file__).with_name("equal_wordings.tsv")
"""File with pairs of long forms that have the same sense, in alphabetical order.

Each line has two long forms, separated by a tab. A line that starts with `#` is a comment. Two
wordings are equal if one is a variant of the other: British or American spelling, singular or
plural, another inflection, hyphens, "and" or "&", an inserted "the" or "of", or a longer name of
the same thing. They differ if one names a kind or a part of the other.
"""


class EqualWordings:
    """Decides whether two long forms have the same sense.

    Two long forms are equal if they are spelling variants, or if a list contains the pair. Equality
    is not transitive: if the list has the pairs (a, b) and (b, c), a and c can still differ.
    """

    def __init__(self, key: Callable[[str], str], pairs: Iterable[tuple[str, str]]) -> None:
        """Create a comparison of long forms from a list of equal pairs.

        Args:
            key: Function that maps all spelling variants of a long form to the same key, such as
                `text.merge_key`.
            pairs: Pairs of long forms that have the same sense although their keys differ, such as
                those of `read_equal_wordings`.
        """
        self._key = lru_cache(maxsize=None)(key)  # the same candidates recur
        self._pairs = {frozenset((key(first), key(second))) for first, second in pairs}

    def __call__(self, first: str, other: str) -> bool:
        """Return whether two long forms have the same sense. The order of the two does not matter.

        Args:
            first: A long form, such as a system's answer.
            other: The long form to compare it with, such as the gold one.

        Returns:
            True if the keys of the long forms are equal or the list contains the pair.
        """
        keys = frozenset((self._key(first), self._key(other)))
        return len(keys) == 1 or keys in self._pairs


def read_equal_wordings(path: Path = PACKAGED) -> list[tuple[str, str]]:
    """Read the pairs of long forms that people judged to have the same sense.

    Args:
        path: Path of a file with two long forms per line, separated by a tab. Empty lines and lines
            that start with `#` are skipped. Defaults to the packaged list.

    Returns:
        A list of pairs of long forms, in file order.

    Raises:
        FormatError: If a line does not have exactly two long forms. The message names the line.
    """
    pairs = []
    for number, line in enumerate(path.read_text("utf8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        wordings = line.split("\t")
        if len(wordings) != 2 or not all(wording.strip() for wording in wordings):
            raise FormatError(
                f"{path}:{number}: the line {line!r} is not a pair. Write two long forms with a "
                "tab between them."
            )
        pairs.append((wordings[0], wordings[1]))
    return pairs
