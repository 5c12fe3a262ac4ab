"""Comparison of long forms by sense, with a list of pairs judged by people.

The metric must not depend on which long forms the library merges, because that is part of what is
measured. It shares only the merge key with the library.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from ...errors import FormatError

PACKAGED = Path(__file__).with_name("equal_wordings.tsv")
"""Two long forms per line, separated by a tab, in alphabetical order; `#` starts a comment.

Two wordings are equal if one is a variant of the other: British and American, singular and
plural, another inflection, hyphens, "and" or "&", an inserted "the" or "of", a fuller name of the
same thing. A kind of the thing, a part of it or a whole that contains it is another sense.
"""


class EqualWordings:
    """A function that returns whether two long forms have the same sense."""

    def __init__(self, key: Callable[[str], str], pairs: Iterable[tuple[str, str]]) -> None:
        """Create the function from pairs of equal wordings.

        Args:
            key: Function that maps a long form to a key shared by its spelling variants, such as
                `text.merge_key`.
            pairs: Pairs of wordings that are equal although their keys differ. Equality is not
                transitive, because people judged each pair separately.
        """
        self._key = lru_cache(maxsize=None)(key)  # the same candidates recur
        self._pairs = {frozenset((key(first), key(second))) for first, second in pairs}

    def __call__(self, first: str, other: str) -> bool:
        """Return whether two long forms have equal keys or are a listed pair.

        Args:
            first: A long form.
            other: Another long form.
        """
        keys = frozenset((self._key(first), self._key(other)))
        return len(keys) == 1 or keys in self._pairs


def read_equal_wordings(path: Path = PACKAGED) -> list[tuple[str, str]]:
    """Read the pairs of equal wordings from a file.

    Args:
        path: Path of a file with two tab-separated long forms per line. `#` starts a comment.

    Returns:
        The pairs, in file order.

    Raises:
        FormatError: If a line is not a pair. The message names the line.
    """
    pairs = []
    for number, line in enumerate(path.read_text("utf8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        wordings = line.split("\t")
        if len(wordings) != 2 or not all(wording.strip() for wording in wordings):
            raise FormatError(f"{path}:{number}: expected two long forms, separated by a tab.")
        pairs.append((wordings[0], wordings[1]))
    return pairs
