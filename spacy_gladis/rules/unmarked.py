"""Long forms that stand before an acronym with no mark between: `neural networks NN`."""

from collections.abc import Iterable

from .acronym import read_acronym
from .definition import Definition
from .initials import initials_before

PATTERN = "long short"
_CONFIDENCE = 0.9


def find_unmarked(
    text: str, acronyms: Iterable[tuple[int, int]], definitions: Iterable[Definition] = ()
) -> list[Definition]:
    """Long forms that directly precede acronyms which none of `definitions` defines.

    `acronyms` are `(start, end)` offsets. Since no mark joins the two, each letter has to begin a
    word: four letters, or three and capitals throughout.
    """
    defined = {text[slice(*one.acronym)] for one in definitions}
    found = []
    for span in acronyms:
        written = text[slice(*span)]
        acronym = None if written in defined else read_acronym(written)
        if acronym is None:
            continue
        before = initials_before(text, span[0], acronym)
        if before is None:
            continue
        words = text[before.start : before.end].split()
        letters = before.steps.count("W") + before.steps.count("P")
        if letters > 3 or (letters == 3 and all(word[0].isupper() for word in words)):
            found.append(Definition(span, (before.start, before.end), PATTERN, _CONFIDENCE))
    return found
