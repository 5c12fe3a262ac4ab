"""Contexts and long forms as word pieces: windows centred on the mention, padded batches."""

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
"""Text further from a mention than this times the window is never tokenised."""

LONG_FORM_PIECES = 24
"""Longest long form in word pieces; 99.9 % of the mined ones are shorter."""

GLOSSED_PIECES = 40
"""Longest long form with its gloss."""

SENSE_PIECES = 64
"""Longest sense: definitions are longer than long forms."""


ROUND = 8
"""Batches are this many tokens wide or a multiple: the processor's library compiles and keeps a
product for each width, so few widths save time and memory."""

SPECIAL = (("<s>", "</s>", "<pad>", "<mask>"), ("[CLS]", "[SEP]", "[PAD]", "[MASK]"))
"""Begin, end, padding and mask: MPNet's, which are looked for first, as its vocabulary has BERT's
too and means nothing by them; then BERT's."""

TokenIds = Sequence[int] | NDArray[Any]
"""Integers, in a list or an array."""


class Window(NamedTuple):
    """The word pieces around one mention, special tokens included."""

    ids: list[int]
    mention: tuple[int, int]


class WordPieces:
    """The tokenizer of a BERT or MPNet (`tokenizer.json` or `vocab.txt`) that marks mentions.

    The mention stands between two marker tokens, taken from the vocabulary's unused ones where
    there are any: `[CLS] left [unused1] mention [unused2] right [SEP]`. See `unmarked`.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self.tokenizer = tokenizer
        kinds = [[tokenizer.token_to_id(name) for name in names] for names in SPECIAL]
        known = next((numbers for numbers in kinds if None not in numbers[:3]), None)
        if known is None:
            missing = [name for name in SPECIAL[1][:3] if tokenizer.token_to_id(name) is None]
            raise FormatError(f"the tokenizer has no {', '.join(missing)}: not a BERT vocabulary")
        self.cls, self.sep, self.pad = known[:3]
        self.mask: int | None = known[3]
        markers = [tokenizer.token_to_id(name) for name in ("[unused1]", "[unused2]")]
        self.markers: list[int] = [] if None in markers else markers

    @classmethod
    def load(cls, folder: Path) -> "WordPieces":
        """Read the tokenizer of a checkpoint folder; raises FormatError when there is none."""
        path = folder / "tokenizer.json"
        if path.is_file():
            try:
                return cls(Tokenizer.from_file(str(path)))
            except FormatError:
                raise
            except Exception as error:  # the Rust library raises bare Exception
                raise FormatError(f"{path}: not a tokenizer ({error})") from None
        vocabulary = folder / "vocab.txt"
        if vocabulary.is_file():
            from tokenizers.implementations import BertWordPieceTokenizer

            cased = any(c.isupper() for c in vocabulary.read_text("utf8")[:200_000].split("]")[-1])
            return cls(BertWordPieceTokenizer(str(vocabulary), lowercase=not cased)._tokenizer)
        raise FormatError(
            f"{folder}: no tokenizer.json and no vocab.txt. Give a checkpoint folder."
        )

    def unmarked(self) -> "WordPieces":
        """The same tokenizer, for models that read mentions without markers."""
        plain = WordPieces(self.tokenizer)
        plain.markers = []
        return plain

    def save(self, folder: Path) -> None:
        """Write `tokenizer.json`."""
        with writing(folder / "tokenizer.json") as temporary:
            self.tokenizer.save(str(temporary))

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """The word pieces of each text, without special tokens."""
        encodings = self.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    def long_forms(self, texts: Sequence[str], longest: int = LONG_FORM_PIECES) -> list[list[int]]:
        """`[CLS] long form [SEP]`, cut at `longest` pieces."""
        budget = longest - 2
        return [[self.cls, *ids[:budget], self.sep] for ids in self.encode(texts)]

    def windows(self, contexts: Sequence[Mention], size: int) -> list[Window]:
        """The `size` word pieces around each mention, as many before it as after it.

        What one side does not use, the other gets. Raises InputError when offsets lie outside
        their text.
        """
        reach = size * CHARACTERS_PER_PIECE
        ids = self.encode([part for one in contexts for part in one.within(reach)])
        return [self._window(ids[i], ids[i + 1], ids[i + 2], size) for i in range(0, len(ids), 3)]

    def _window(self, left: list[int], mention: list[int], right: list[int], size: int) -> Window:
        before, after = self.markers[:1], self.markers[1:]
        mention = [*before, *mention[: size // 2], *after]
        budget = size - 2 - len(mention)
        n_left = max(min(len(left), budget // 2), budget - len(right))
        left = left[len(left) - min(n_left, len(left)) :]
        ids = [self.cls, *left, *mention, *right[: budget - len(left)], self.sep]
        first = 1 + len(left)
        return Window(ids, (first, first + len(mention)))


def crop(ids: TokenIds, mention: TokenIds, size: int) -> Window:
    """A window cut down to `size` word pieces, its mention still in the middle."""
    first, last = int(mention[0]), int(mention[1])
    if len(ids) <= size:
        return Window([int(i) for i in ids], (first, last))
    budget = max(0, size - 2 - (last - first))
    before, after = first - 1, len(ids) - 1 - last
    left = max(min(before, budget // 2), min(before, budget - after))
    right = min(after, budget - left)
    cut = [ids[0], *ids[first - left : last + right], ids[-1]]
    return Window(cut, (1 + left, 1 + left + last - first))


def rounded(width: int) -> int:
    """`width` up to a multiple of ROUND."""
    return -(-width // ROUND) * ROUND


def pad(sequences: Sequence[TokenIds], filler: int) -> Ints:
    """Integers [sequences, width], filled up with `filler`."""
    width = rounded(max(map(len, sequences), default=0))
    batch = np.full((len(sequences), width), filler, dtype=np.int64)
    for row, ids in zip(batch, sequences, strict=True):
        row[: len(ids)] = ids
    return batch


def length_buckets(lengths: Sequence[int], budget: int) -> Iterable[list[int]]:
    """Split indices into batches of similar length, each of at most `budget` padded tokens.

    A sequence longer than the budget gets a batch of its own.
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
"""Word pieces of long forms in one row: few long rows are faster than many short ones."""


class Packed(NamedTuple):
    """Long forms in rows.

    ids: [rows, tokens]. owner: [rows, tokens], the number of the long form that a token belongs
    to, counted over all rows; -1 where there is none.
    """

    ids: Ints
    owner: Ints

    def means(self, states: Floats) -> Floats:
        """Means over each long form's tokens, [long forms, hidden]; states: of all tokens."""
        there = self.owner >= 0
        begins = np.unique(self.owner[there], return_index=True)[1]
        if not begins.size:
            return np.zeros((0, states.shape[2]), np.float32)
        sums = np.add.reduceat(states[there], begins, axis=0)
        means: Floats = sums / np.diff([*begins, there.sum()]).astype(np.float32)[:, None]
        return means


def pack(rows: Sequence[Sequence[TokenIds]], pad_id: int) -> Packed:
    """Pack the long forms (word pieces) of each row; long forms are numbered through the rows."""
    width = rounded(max((sum(map(len, row)) for row in rows), default=0))
    ids = np.full((len(rows), width), pad_id, dtype=np.int64)
    owner = np.full_like(ids, -1)
    number = 0
    for line, row in enumerate(rows):
        at = 0
        for pieces in row:
            end = at + len(pieces)
            ids[line, at:end] = pieces
            owner[line, at:end] = number
            at, number = end, number + 1
    return Packed(ids, owner)


def in_rows(pieces: Iterable[TokenIds]) -> Iterator[list[TokenIds]]:
    """Long forms one after another, in rows of about ROW word pieces."""
    row: list[TokenIds] = []
    length = 0
    for one in pieces:
        if row and length + len(one) > ROW:
            yield row
            row, length = [], 0
        row.append(one)
        length += len(one)
    if row:
        yield row
