"""Windows of a text, each of which is encoded once for all mentions that it contains.

Mentions are not marked in the window, so the encoder's output can be used for every mention. A text
with many mentions therefore takes little more time than a text with few mentions.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import Flags, Floats, Ints
from ..text import Mention
from .word_pieces import CHARACTERS_PER_PIECE, Window, WordPieces, pad

REACH = 30
"""Number of word pieces on each side of a mention that count as its context. If one side has fewer,
the other side gets the rest."""

LONGEST = 190
"""Maximum number of word pieces in a window, without special tokens."""


class SharedWindow(NamedTuple):
    """A window of a text's word pieces, which contains one or more mentions.

    The encoder reads the window once. The vector of a mention is then computed from its span and
    the span of its context.

    Attributes:
        ids: Ids of the word pieces, including the start and end tokens.
        mentions: For each mention in the window, its index in the list of mentions that the windows
            were made for, shape (mentions,).
        mention_spans: Start and end (exclusive) of each mention in `ids`, shape (mentions, 2).
        context_spans: Start and end (exclusive) of each mention's context in `ids`, shape
            (mentions, 2). The context includes the mention itself.
    """

    ids: list[int]
    mentions: Ints
    mention_spans: Ints
    context_spans: Ints

    @classmethod
    def from_window(cls, window: Window, index: int = 0) -> "SharedWindow":
        """Convert a window with a single mention to a shared window.

        Args:
            window: The window. All its word pieces, including special tokens, become the context.
            index: Index of the mention in a list of mentions.

        Returns:
            A shared window with this mention alone.
        """
        context = np.array([[0, len(window.ids)]])
        return cls(window.ids, np.array([index]), np.array([window.mention]), context)


class WindowBatch(NamedTuple):
    """A batch of windows that are padded to the same length, with masks for their mentions.

    The first dimension of some arrays counts windows, and that of others counts the mentions in all
    windows.

    Attributes:
        ids: Ids of the word pieces, shape (windows, tokens).
        mask: True for word pieces and False for padding, shape (windows, tokens).
        mention_mask: True for the word pieces of each mention, shape (mentions, tokens).
        context_mask: True for the word pieces of each mention's context, shape (mentions, tokens).
        rows: Index of the window that contains each mention, shape (mentions,).
    """

    ids: Ints
    mask: Flags
    mention_mask: Flags
    context_mask: Flags
    rows: Ints

    @classmethod
    def from_windows(cls, windows: Sequence[SharedWindow], pad_id: int) -> "WindowBatch":
        """Combine windows into a padded batch.

        Args:
            windows: The windows to combine, at least one.
            pad_id: Id of the padding token.

        Returns:
            The batch. It lists the mentions of the first window, then those of the second, and so
            on.
        """
        ids = pad([window.ids for window in windows], pad_id)
        columns = np.arange(ids.shape[1])
        mask = columns < np.array([len(window.ids) for window in windows])[:, None]
        rows = np.repeat(np.arange(len(windows)), [len(window.mentions) for window in windows])
        mention_mask, context_mask = (
            (spans[:, :1] <= columns) & (columns < spans[:, 1:])
            for spans in (
                np.concatenate([window.mention_spans for window in windows]),
                np.concatenate([window.context_spans for window in windows]),
            )
        )
        return cls(ids, mask, mention_mask, context_mask, rows)

    def mean_pool(self, states: Floats, mask: Flags) -> Floats:
        """Compute the mean state of each mention's selected tokens, such as those of its context.

        Args:
            states: States of all tokens in the batch, float32 of shape (windows, tokens, hidden
                size).
            mask: True for the tokens to average, shape (mentions, tokens). Pass `mention_mask` or
                `context_mask`.

        Returns:
            The mean for each mention, float32 of shape (mentions, hidden size). It is zero for a
            mention without selected tokens.
        """
        # A single matrix product is much faster than a copy of the window for each mention.
        weights = np.zeros((len(mask), *self.ids.shape), np.float32)
        weights[np.arange(len(mask)), self.rows] = mask
        sums = weights.reshape(len(mask), -1) @ states.reshape(-1, states.shape[2])
        means: Floats = sums / np.maximum(mask.sum(1, keepdims=True), 1).astype(np.float32)
        return means


def shared_windows(
    pieces: WordPieces, mentions: Sequence[Mention], reach: int = REACH, longest: int = LONGEST
) -> list[SharedWindow]:
    """Cut windows out of texts, so that they contain all mentions with their contexts.

    Mentions that are close to each other in the same text share a window. Each window contains the
    whole context of each of its mentions.

    Args:
        pieces: Tokenizer that splits the texts into word pieces.
        mentions: The mentions, in any number of texts.
        reach: Number of word pieces on each side of a mention that count as its context.
        longest: Maximum number of word pieces in a window, without special tokens. Word pieces at
            the end of a very long mention are left out.

    Returns:
        The windows. Each mention belongs to exactly one of them.

    Raises:
        InputError: If the offsets of a mention lie outside its text.
    """
    runs = list(_group_mentions(mentions, reach * CHARACTERS_PER_PIECE))
    ids = iter(pieces.encode([part for run in runs for part in _split_text(mentions, run, reach)]))
    windows: list[SharedWindow] = []
    for run in runs:
        tokens = next(ids)
        spans = []
        for _ in run:
            mention_ids, following_ids = next(ids), next(ids)
            # A mention of unknown characters may have no word piece. A very long mention is cut.
            mention_ids = mention_ids[: longest - 2 * reach] or [pieces.pad]
            spans.append((len(tokens), len(tokens) + len(mention_ids)))
            tokens += [*mention_ids, *following_ids]
        windows += _split_run(pieces, tokens, np.array(run), np.array(spans), reach, longest)
    return windows


def _group_mentions(mentions: Sequence[Mention], reach: int) -> Iterator[list[int]]:
    """Group the indices of mentions that are close to each other in the same text.

    Neighbours in a group are at most twice `reach` characters apart. Overlapping mentions are put
    into different groups.
    """
    documents: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
    for index, mention in enumerate(mentions):
        mention.within(0)  # validates the offsets
        documents[mention.document, mention.text].append(index)
    for indices in documents.values():
        run: list[int] = []
        for index in sorted(indices, key=lambda index: mentions[index].start):
            if run and not 0 <= mentions[index].start - mentions[run[-1]].end <= 2 * reach:
                yield run
                run = []
            run.append(index)
        yield run


def _split_text(mentions: Sequence[Mention], run: Sequence[int], reach: int) -> Iterator[str]:
    """Yield the text before a group of mentions, then each mention and the text after it."""
    text = mentions[run[0]].text
    reach *= 2 * CHARACTERS_PER_PIECE
    yield text[max(0, mentions[run[0]].start - reach) : mentions[run[0]].start]
    ends = [mentions[index].start for index in run[1:]]
    for index, end in zip(run, [*ends, mentions[run[-1]].end + reach], strict=True):
        yield text[mentions[index].start : mentions[index].end]
        yield text[mentions[index].end : end]


def _split_run(
    pieces: WordPieces, tokens: list[int], run: Ints, spans: Ints, reach: int, longest: int
) -> Iterator[SharedWindow]:
    """Split the word pieces of a group of mentions into windows that contain whole contexts."""
    before, after = spans[:, 0], len(tokens) - spans[:, 1]
    left = np.minimum(before, np.maximum(reach, 2 * reach - after))
    right = np.minimum(after, 2 * reach - left)
    contexts = np.stack([spans[:, 0] - left, spans[:, 1] + right], axis=1)
    first = 0
    for index in range(1, len(run) + 1):
        if index == len(run) or contexts[index, 1] - contexts[first, 0] > longest:
            part = slice(first, index)
            start, end = int(contexts[part, 0].min()), int(contexts[part, 1].max())
            ids = [pieces.cls, *tokens[start:end], pieces.sep]
            # Positions move by one for the [CLS] token.
            yield SharedWindow(ids, run[part], spans[part] + 1 - start, contexts[part] + 1 - start)
            first = index
