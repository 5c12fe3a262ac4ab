"""Windows of a text that are encoded once for all the mentions in them.

Mentions are not marked: a token's state does not depend on which of them is asked about, so that
dense text costs little more than thin text.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import Flags, Floats, Ints
from ..text import Mention
from .word_pieces import CHARACTERS_PER_PIECE, Window, WordPieces, pad

REACH = 30
"""Word pieces to each side of a mention that its vector is the mean of; what one side does not
have, the other gives."""

LONGEST = 190
"""Word pieces of a window, without the special tokens: what several mentions may share."""


class SharedWindow(NamedTuple):
    """Word pieces, special tokens included, and the mentions among them.

    contexts: the mentions' numbers [mentions]. own: where the pieces of each begin and end, near:
    where those begin and end that its vector is the mean of, [mentions, 2].
    """

    ids: list[int]
    contexts: Ints
    own: Ints
    near: Ints

    @classmethod
    def of(cls, window: Window, context: int = 0) -> "SharedWindow":
        """A window, which has one mention."""
        whole = np.array([[0, len(window.ids)]])
        return cls(window.ids, np.array([context]), np.array([window.mention]), whole)


class WindowBatch(NamedTuple):
    """Windows that are read at once.

    ids: [windows, tokens]. mask: [windows, tokens], False where a row is filled up. own, near: of
    each mention its own pieces, and those that its vector is the mean of, [mentions, tokens].
    rows: of each mention its window, [mentions].
    """

    ids: Ints
    mask: Flags
    own: Flags
    near: Flags
    rows: Ints

    @classmethod
    def of(cls, read: Sequence[SharedWindow], filler: int) -> "WindowBatch":
        """The windows, filled up with a piece that means nothing."""
        ids = pad([window.ids for window in read], filler)
        at = np.arange(ids.shape[1])
        mask = at < np.array([len(window.ids) for window in read])[:, None]
        rows = np.repeat(np.arange(len(read)), [len(window.contexts) for window in read])
        own, near = (
            (spans[:, :1] <= at) & (at < spans[:, 1:])
            for spans in (
                np.concatenate([window.own for window in read]),
                np.concatenate([window.near for window in read]),
            )
        )
        return cls(ids, mask, own, near, rows)

    def means(self, states: Floats, kept: Flags) -> Floats:
        """Means over the tokens of its window that `kept` has of each mention, [mentions, hidden].

        states: [windows, tokens, hidden]. One product of all mentions and all tokens takes a
        fraction of the time of copying each mention its window.
        """
        weights = np.zeros((len(kept), *self.ids.shape), np.float32)
        weights[np.arange(len(kept)), self.rows] = kept
        sums = weights.reshape(len(kept), -1) @ states.reshape(-1, states.shape[2])
        means: Floats = sums / np.maximum(kept.sum(1, keepdims=True), 1).astype(np.float32)
        return means


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
        own = []
        for _ in run:
            mention, behind = next(ids), next(ids)
            # A mention of nothing but odd characters may have no piece, one too long loses its end.
            mention = mention[: longest - 2 * reach] or [pieces.pad]
            own.append((len(tokens), len(tokens) + len(mention)))
            tokens += [*mention, *behind]
        found += _cut(pieces, tokens, np.array(run), np.array(own), reach, longest)
    return found


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
    pieces: WordPieces, tokens: list[int], run: Ints, own: Ints, reach: int, longest: int
) -> Iterator[SharedWindow]:
    """Shared windows of a run's word pieces, of whole surroundings of its mentions."""
    before, behind = own[:, 0], len(tokens) - own[:, 1]
    left = np.minimum(before, np.maximum(reach, 2 * reach - behind))
    right = np.minimum(behind, 2 * reach - left)
    near = np.stack([own[:, 0] - left, own[:, 1] + right], axis=1)
    first = 0
    for number in range(1, len(run) + 1):
        if number == len(run) or near[number, 1] - near[first, 0] > longest:
            part = slice(first, number)
            start, end = int(near[part, 0].min()), int(near[part, 1].max())
            ids = [pieces.cls, *tokens[start:end], pieces.sep]
            yield SharedWindow(ids, run[part], own[part] + 1 - start, near[part] + 1 - start)
            first = number
