"""Where many terms are written in a text, found in one pass over it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

RUN = re.compile(r"[^\W_]+")
"""Letters and digits that stand together."""


def find_terms(
    text: str, terms: Iterable[str], run: re.Pattern[str], any_case: bool = False
) -> Iterator[tuple[str, int, int]]:
    """Find terms as whole runs of what `run` matches; any white space may stand for a blank.

    Yields each term with its offsets, in the text's order; they may overlap. any_case: the terms
    are in small letters. Time grows with the text's length, not with the number of terms.
    """
    # By a term's first run: how many runs it has. By its runs: what may stand on either side.
    counts: dict[str, set[int]] = defaultdict(set)
    sides: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for term in terms:
        if runs := list(run.finditer(term)):
            counts[runs[0][0]].add(len(runs))
            start, end = runs[0].start(), runs[-1].end()
            sides[term[start:end]].add((term[:start], term[end:]))
    places = [one.span() for one in run.finditer(text)] if counts else []
    for number, (start, end) in enumerate(places):
        first = text[start:end]
        for count in counts.get(first.lower() if any_case else first, ()):
            stop = places[min(number + count, len(places)) - 1][1]
            words = " ".join(text[start:stop].split())
            words = words.lower() if any_case else words
            for before, after in sides.get(words, ()):
                begin, behind = start - len(before), stop + len(after)
                if text[max(0, begin) : start] == before and text[stop:behind] == after:
                    yield before + words + after, begin, behind
