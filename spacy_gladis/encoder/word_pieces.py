"""Split contexts and long forms into word pieces, and combine them into batches."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from ..arrays import Floats, Ints
from ..errors import FormatError
from ..files import writing
from ..text import Mention

CHARACTERS_PER_PIECE = 12
"""Assumed maximum number of characters in a word piece. To save time, text is not tokenized if it
is farther from a mention than this number times the number of word pieces in the window."""

LONG_FORM_PIECES = 24
"""Maximum number of word pieces of a long form, including special tokens. 99.9 % of the mined long
forms are shorter."""

GLOSSED_PIECES = 40
"""Maximum number of word pieces of a long form with its gloss, including special tokens."""

SENSE_PIECES = 64
"""Maximum number of word pieces of a sense that may be a definition, including special tokens."""


ROUND = 8
"""The number of tokens in the rows of a batch is a multiple of this number. The CPU library
compiles and caches a matrix product for each width, so few different widths save time and
memory."""

SPECIAL = (("<s>", "</s>", "<pad>", "<mask>"), ("[CLS]", "[SEP]", "[PAD]", "[MASK]"))
"""Start, end, padding and mask tokens of MPNet and of BERT. MPNet comes first, because its
vocabulary also contains BERT's special tokens but doesn't use them."""

TokenIds = Sequence[int] | NDArray[Any]
"""Vocabulary ids of a sequence of tokens, as a list or an array."""


class Window(NamedTuple):
    """The word pieces of a mention and its context, which the encoder reads.

    Attributes:
        ids: Ids of the word pieces, including special tokens and markers.
        mention: Start and end (exclusive) of the mention in `ids`. It includes the markers around
            the mention.
    """

    ids: list[int]
    mention: tuple[int, int]


class WordPieces:
    """The tokenizer of a BERT or MPNet model, which can also mark mentions.

    If the vocabulary has the unused tokens of BERT, two of them are put around a mention: ``[CLS]
    left [unused1] mention [unused2] right [SEP]``. Use `without_markers` to prevent this.

    Attributes:
        tokenizer: Tokenizer of the `tokenizers` library that splits the texts.
        cls: Id of the start token.
        sep: Id of the end token.
        pad: Id of the padding token.
        mask: Id of the mask token. None if the vocabulary has no such token.
        markers: Ids of the two tokens before and after a mention. Empty if mentions are not marked.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Create a word-piece tokenizer from a tokenizer of the `tokenizers` library.

        Args:
            tokenizer: Tokenizer with the special tokens of BERT or MPNet. Its padding and
                truncation are turned off.

        Raises:
            FormatError: If the vocabulary has neither the special tokens of BERT nor those of
                MPNet.
        """
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self.tokenizer = tokenizer
        choices = [[tokenizer.token_to_id(name) for name in names] for names in SPECIAL]
        special_ids = next((ids for ids in choices if None not in ids[:3]), None)
        if special_ids is None:
            missing = [name for name in SPECIAL[1][:3] if tokenizer.token_to_id(name) is None]
            raise FormatError(
                f"The tokenizer has no {', '.join(missing)}. Use the tokenizer of a BERT or MPNet "
                "checkpoint."
            )
        self.cls, self.sep, self.pad = special_ids[:3]
        self.mask: int | None = special_ids[3]
        markers = [tokenizer.token_to_id(name) for name in ("[unused1]", "[unused2]")]
        self.markers: list[int] = [] if None in markers else markers

    @classmethod
    def load(cls, folder: Path) -> "WordPieces":
        """Load the tokenizer of a BERT or MPNet checkpoint from its folder.

        Args:
            folder: Folder with `tokenizer.json` or `vocab.txt`. From `vocab.txt`, the tokenizer
                converts texts to lower case if the vocabulary has no upper-case letters.

        Returns:
            The tokenizer.

        Raises:
            FormatError: If the folder has no tokenizer, or if the tokenizer is damaged or belongs
                to neither BERT nor MPNet.
        """
        path = folder / "tokenizer.json"
        if path.is_file():
            try:
                return cls(Tokenizer.from_file(str(path)))
            except FormatError:
                raise
            except Exception as error:  # the Rust library raises no other type
                raise FormatError(
                    f"{path} is not a file of the tokenizers library ({error}). Use the "
                    "tokenizer.json of a checkpoint."
                ) from None
        vocabulary = folder / "vocab.txt"
        if vocabulary.is_file():
            from tokenizers.implementations import BertWordPieceTokenizer

            cased = any(c.isupper() for c in vocabulary.read_text("utf8")[:200_000].split("]")[-1])
            return cls(BertWordPieceTokenizer(str(vocabulary), lowercase=not cased)._tokenizer)
        raise FormatError(
            f"{folder} has neither tokenizer.json nor vocab.txt. Use the folder of a checkpoint."
        )

    def without_markers(self) -> "WordPieces":
        """Return a tokenizer with the same vocabulary that doesn't put markers around mentions.

        Models that were not trained with markers need it.
        """
        plain = WordPieces(self.tokenizer)
        plain.markers = []
        return plain

    def save(self, folder: Path) -> None:
        """Write the tokenizer to the file `tokenizer.json` in a folder.

        Args:
            folder: Folder in which the file is written.
        """
        with writing(folder / "tokenizer.json") as temporary:
            self.tokenizer.save(str(temporary))

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Convert texts to the ids of their word pieces, without special tokens.

        Args:
            texts: The texts to tokenize.

        Returns:
            For each text, the list of its ids.
        """
        encodings = self.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    def encode_long_forms(
        self, texts: Sequence[str], longest: int = LONG_FORM_PIECES
    ) -> list[list[int]]:
        """Convert long forms to the ids of their word pieces, with special tokens around them.

        A long form is encoded as ``[CLS] long form [SEP]``.

        Args:
            texts: The long forms to tokenize.
            longest: Maximum number of word pieces of a long form, including special tokens. Word
                pieces beyond this limit are cut off.

        Returns:
            For each long form, the list of its ids.
        """
        budget = longest - 2
        return [[self.cls, *ids[:budget], self.sep] for ids in self.encode(texts)]

    def encode_windows(self, mentions: Sequence[Mention], size: int) -> list[Window]:
        """Convert each mention and the text around it to a window of word pieces.

        The mention is in the middle of its window. If the text on one side is too short, the other
        side gets more.

        Args:
            mentions: The mentions to tokenize, with their texts.
            size: Maximum number of word pieces in a window, including special tokens and markers.
                Word pieces at the end of a mention that fills more than half of the window are left
                out.

        Returns:
            The window of each mention, in the order of `mentions`.

        Raises:
            InputError: If the offsets of a mention lie outside its text.
        """
        reach = size * CHARACTERS_PER_PIECE
        ids = self.encode([part for mention in mentions for part in mention.within(reach)])
        return [
            self._make_window(ids[i], ids[i + 1], ids[i + 2], size) for i in range(0, len(ids), 3)
        ]

    def _make_window(
        self, left: list[int], mention: list[int], right: list[int], size: int
    ) -> Window:
        before, after = self.markers[:1], self.markers[1:]
        mention = [*before, *mention[: size // 2], *after]
        budget = size - 2 - len(mention)
        n_left = max(min(len(left), budget // 2), budget - len(right))
        left = left[len(left) - min(n_left, len(left)) :]
        ids = [self.cls, *left, *mention, *right[: budget - len(left)], self.sep]
        first = 1 + len(left)
        return Window(ids, (first, first + len(mention)))


def crop(ids: TokenIds, mention: TokenIds, size: int) -> Window:
    """Shorten the window around a mention, so that the mention stays in the middle.

    The special tokens at both ends of the window are kept. A window that is short enough is
    returned unchanged.

    Args:
        ids: Ids of the window's word pieces, including special tokens.
        mention: Start and end (exclusive) of the mention in `ids`.
        size: Maximum number of word pieces in the shortened window, including special tokens. If
            the mention and the special tokens alone exceed it, all context is removed.

    Returns:
        The shortened window.
    """
    first, last = int(mention[0]), int(mention[1])
    if len(ids) <= size:
        return Window([int(i) for i in ids], (first, last))
    budget = max(0, size - 2 - (last - first))
    before, after = first - 1, len(ids) - 1 - last
    left = max(min(before, budget // 2), min(before, budget - after))
    right = min(after, budget - left)
    cut = [ids[0], *ids[first - left : last + right], ids[-1]]
    return Window(cut, (1 + left, 1 + left + last - first))


def round_up(width: int) -> int:
    """Round the number of tokens in the rows of a batch up to a multiple of `ROUND`.

    Args:
        width: Number of tokens in the longest sequence of the batch.

    Returns:
        The smallest multiple of `ROUND` that is at least `width`, such as 16 for 9.
    """
    return -(-width // ROUND) * ROUND


def pad(sequences: Sequence[TokenIds], filler: int) -> Ints:
    """Pad sequences of word piece ids to the same length.

    Args:
        sequences: The sequences to pad, such as the ids of long forms.
        filler: Id that is appended to shorter sequences, usually that of the padding token.

    Returns:
        The padded sequences, int64 of shape (sequences, tokens). The number of tokens is a multiple
        of `ROUND`.
    """
    width = round_up(max(map(len, sequences), default=0))
    batch = np.full((len(sequences), width), filler, dtype=np.int64)
    for row, ids in zip(batch, sequences, strict=True):
        row[: len(ids)] = ids
    return batch


def batch_by_length(lengths: Sequence[int], budget: int) -> Iterable[list[int]]:
    """Group sequences of similar length into batches, so that little padding is needed.

    Args:
        lengths: Number of tokens in each sequence.
        budget: Maximum number of tokens in a batch, including padding. A longer sequence gets a
            batch to itself.

    Yields:
        The indices of the sequences in each batch. The batch with the shortest sequences comes
        first.
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[index] * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


ROW = 48
"""Maximum number of word pieces in a row that contains several long forms. Few long rows are faster
than many short rows."""


class Packed(NamedTuple):
    """A batch of long forms in which each row contains several of them, one after the other.

    This takes less padding than one long form per row.

    Attributes:
        ids: Ids of the word pieces, shape (rows, tokens).
        owner: Index of the long form that each token belongs to, counted over all rows, or -1 for
            padding, shape (rows, tokens).
    """

    ids: Ints
    owner: Ints

    def mean_pool(self, states: Floats) -> Floats:
        """Compute the mean of the states of each long form's tokens.

        Args:
            states: States of all tokens in the batch, float32 of shape (rows, tokens, hidden size).

        Returns:
            The mean for each long form, float32 of shape (long forms, hidden size).
        """
        mask = self.owner >= 0
        starts = np.unique(self.owner[mask], return_index=True)[1]
        if not starts.size:
            return np.zeros((0, states.shape[2]), np.float32)
        sums = np.add.reduceat(states[mask], starts, axis=0)
        means: Floats = sums / np.diff([*starts, mask.sum()]).astype(np.float32)[:, None]
        return means


def pack(rows: Sequence[Sequence[TokenIds]], pad_id: int) -> Packed:
    """Combine rows of long forms into a batch that an encoder can read.

    Args:
        rows: For each row, the word piece ids of its long forms, as yielded by `group_into_rows`.
        pad_id: Id of the padding token.

    Returns:
        The batch. The number of tokens in a row is a multiple of `ROUND`.
    """
    width = round_up(max((sum(map(len, row)) for row in rows), default=0))
    ids = np.full((len(rows), width), pad_id, dtype=np.int64)
    owner = np.full_like(ids, -1)
    number = 0
    for index, row in enumerate(rows):
        start = 0
        for pieces in row:
            end = start + len(pieces)
            ids[index, start:end] = pieces
            owner[index, start:end] = number
            start, number = end, number + 1
    return Packed(ids, owner)


def group_into_rows(sequences: Iterable[TokenIds]) -> Iterator[list[TokenIds]]:
    """Group consecutive long forms into rows of up to `ROW` word pieces.

    Pass the rows to `pack` to create a batch.

    Args:
        sequences: Word piece ids of each long form.

    Yields:
        For each row, the word piece ids of its long forms. A long form with more than `ROW` word
        pieces gets a row to itself.
    """
    row: list[TokenIds] = []
    length = 0
    for ids in sequences:
        if row and length + len(ids) > ROW:
            yield row
            row, length = [], 0
        row.append(ids)
        length += len(ids)
    if row:
        yield row
