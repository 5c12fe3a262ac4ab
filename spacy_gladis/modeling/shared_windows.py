"""Shared windows of a text that are encoded once for all the mentions in them.

Mentions are not marked: a token's state does not depend on which of them is asked about, so that
dense text costs little more than thin text.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..rules import Mention
from .tokens import CHARACTERS_PER_PIECE, Window, WordPieces

REACH = 30
"""Word pieces to each side of a mention that its vector is the mean of; what one side does not
have, the other gives."""

LONGEST = 190
"""Word pieces of a window, without the special tokens: what several mentions may share."""


class Place(NamedTuple):
    """Where a mention stands in a window.

    context: its number. first, last: its pieces there. start, end: those that it is the mean of.
    """

    context: int
    first: int
    last: int
    start: int
    end: int

    def moved(self, by: int) -> "Place":
        """The same place, counted from elsewhere."""
        context, *ends = self
        return Place(context, *(end + by for end in ends))


class SharedWindow(NamedTuple):
    """Word pieces, special tokens included, and the mentions among them."""

    ids: list[int]
    places: list[Place]

    @classmethod
    def of(cls, window: Window, context: int = 0) -> "SharedWindow":
        """A window, which has one mention."""
        return cls(window.ids, [Place(context, *window.mention, 0, len(window.ids))])


def shared_windows(
    pieces: WordPieces, contexts: Sequence[Mention], reach: int = REACH, longest: int = LONGEST
) -> list[SharedWindow]:
    """Cover all mentions, those of one text together where they are near one another.

    Raises InputError when offsets lie outside their text.
    """
    runs = list(_runs(contexts, reach * CHARACTERS_PER_PIECE))
    ids = iter(pieces.encode([part for run in runs for part in _parts(contexts, run, reach)]))
    found: list[SharedWindow] = []
    for run in runs:
        tokens = next(ids)
        mentions = []
        for context in run:
            mention, behind = next(ids), next(ids)
            # A mention of nothing but odd characters may have no piece, one too long loses its end.
            mention = mention[: longest - 2 * reach] or [pieces.pad]
            mentions.append((context, len(tokens), len(tokens) + len(mention)))
            tokens += [*mention, *behind]
        places = [_place(*mention, len(tokens), reach) for mention in mentions]
        found += _cut(pieces, tokens, places, longest)
    return found


def _place(context: int, first: int, last: int, length: int, reach: int) -> Place:
    """Twice `reach` word pieces around a mention, of so many."""
    before, behind = first, length - last
    left = min(before, max(reach, 2 * reach - behind))
    return Place(context, first, last, first - left, min(length, last + 2 * reach - left))


def _runs(contexts: Sequence[Mention], reach: int) -> Iterator[list[int]]:
    """Numbers of mentions of one text, in order, none overlapping, no gap of two reaches."""
    documents: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for number, context in enumerate(contexts):
        context.within(0)  # raises where its offsets lie outside the text
        documents[context.document, context.text].append(number)
    for numbers in documents.values():
        run: list[int] = []
        for number in sorted(numbers, key=lambda number: contexts[number].start):
            if run and not 0 <= contexts[number].start - contexts[run[-1]].end <= 2 * reach:
                yield run
                run = []
            run.append(number)
        yield run


def _parts(contexts: Sequence[Mention], run: Sequence[int], reach: int) -> Iterator[str]:
    """The text before a run, then each mention and what follows it."""
    text = contexts[run[0]].text
    reach *= 2 * CHARACTERS_PER_PIECE
    yield text[max(0, contexts[run[0]].start - reach) : contexts[run[0]].start]
    ends = [contexts[number].start for number in run[1:]]
    for number, end in zip(run, [*ends, contexts[run[-1]].end + reach], strict=True):
        yield text[contexts[number].start : contexts[number].end]
        yield text[contexts[number].end : end]


def _cut(
    pieces: WordPieces, tokens: list[int], places: Sequence[Place], longest: int
) -> Iterator[SharedWindow]:
    """Shared windows of a run's word pieces, of whole places."""
    here: list[Place] = []
    for place in places:
        if here and place.end - here[0].start > longest:
            yield _window(pieces, tokens, here)
            here = []
        here.append(place)
    yield _window(pieces, tokens, here)


def _window(pieces: WordPieces, tokens: list[int], places: Sequence[Place]) -> SharedWindow:
    start, end = min(one.start for one in places), max(one.end for one in places)
    ids = [pieces.cls, *tokens[start:end], pieces.sep]
    return SharedWindow(ids, [place.moved(1 - start) for place in places])
