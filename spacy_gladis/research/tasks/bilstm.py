"""What GAD, LSTM-CRF and MadDog share: a BiLSTM over words and tags, numbers of both, batches."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from ...arrays import Floats
from ...errors import InputError

if TYPE_CHECKING:
    from spacy.language import Language

PAD, UNKNOWN, FIRST = 0, 1, 2
"""The numbers of padding, of all that training did not show, and of the first word or tag."""

TAG = 20
"""Width of a tag's vector."""


class Tagged(Protocol):
    """A text's words and their part-of-speech tags."""

    @property
    def words(self) -> list[str]: ...
    @property
    def tags(self) -> list[str]: ...


class TaggedBatch(NamedTuple):
    """Padded texts: words, tags int64 [batch, tokens]; lengths int64 [batch]."""

    words: Tensor
    tags: Tensor
    lengths: Tensor


class Vocabulary:
    """The numbers of the words and of the tags that training shows."""

    def __init__(self, texts: Sequence[Tagged]) -> None:
        self.words = _number(word for text in texts for word in text.words)
        self.tags = _number(tag for text in texts for tag in text.tags)

    def batch(self, texts: Sequence[Tagged]) -> TaggedBatch:
        """Texts as numbers; a word or tag that training did not show is unknown."""
        lengths = np.array([len(text.words) for text in texts])
        shape = len(texts), int(lengths.max())
        word_ids, tag_ids = np.full(shape, PAD), np.full(shape, PAD)
        for row, text in enumerate(texts):
            word_ids[row, : lengths[row]] = [self.words.get(one, UNKNOWN) for one in text.words]
            tag_ids[row, : lengths[row]] = [self.tags.get(one, UNKNOWN) for one in text.tags]
        return TaggedBatch(*map(torch.from_numpy, (word_ids, tag_ids, lengths)))


def _number(strings: Iterable[str]) -> dict[str, int]:
    """A number from FIRST on for each string, the most frequent first."""
    ranked = Counter(strings).most_common()
    return {string: index for index, (string, _) in enumerate(ranked, FIRST)}


def epoch(texts: Sequence[Tagged], size: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Row numbers in batches of like length, rows and batches in random order."""
    shuffled = rng.permutation(len(texts)).tolist()
    order = sorted(shuffled, key=lambda row: len(texts[row].words))
    cut = [order[first : first + size] for first in range(0, len(order), size)]
    return (cut[index] for index in rng.permutation(len(cut)))


class BiLSTM(nn.Module):
    """A BiLSTM over vectors of words and of their tags.

    Args:
        tags: How many tags there are.
        width: Width of the words' vectors.
        hidden: Width in each direction.
        layers: Layers of the LSTM.
        dropout: Before the LSTM and between its layers.
    """

    def __init__(self, tags: int, width: int, hidden: int, layers: int, dropout: float) -> None:
        super().__init__()
        self.tags = nn.Embedding(tags + FIRST, TAG, padding_idx=PAD)
        shape: dict[str, Any] = {"batch_first": True, "bidirectional": True}
        shape["dropout"] = dropout if layers > 1 else 0.0
        self.lstm = nn.LSTM(width + TAG, hidden, layers, **shape)
        self.dropout = nn.Dropout(dropout)

    def forward(self, vectors: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        """States [texts, tokens, 2 * hidden]; vectors: of words, [texts, tokens, width]."""
        inputs = self.dropout(torch.cat([vectors, self.tags(tags)], -1))
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        states: Tensor = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0]
        return states


def pool(states: Tensor, places: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Return the state at a place of each text, and the maximum over its tokens."""
    beyond = torch.arange(states.shape[1]) >= lengths[:, None]
    maximum = states.masked_fill(beyond[..., None], -torch.inf).amax(1)
    return states[torch.arange(len(states)), places], maximum


def word_vectors(words: Sequence[str], width: int) -> Floats:
    """Vectors of words, float32 [words, width], of mean 0 and variance 1 over all of them.

    A word's vector is the mean of its pieces' in the input table of the packaged AcroBERT, reduced
    to the principal components of these words. They stand in for the vectors of BERT-base,
    which the paper starts from (Appendix B.1).
    """
    from ...encoder.weights import WORDS
    from ...linking import AcroBERT

    model = AcroBERT.load(None)
    table = model.weights[WORDS]
    pieces = [ids[1:-1] or [model.pieces.pad] for ids in model.pieces.encode_long_forms(words)]
    means = np.stack([table[ids].mean(0) for ids in pieces])
    means -= means.mean(0)
    _, _, axes = np.linalg.svd(means, full_matrices=False)
    reduced = means @ axes[:width].T
    vectors = np.zeros((len(words), width), dtype=np.float32)
    vectors[:, : reduced.shape[1]] = reduced / max(float(reduced.std()), 1e-6)
    return vectors


def advice(what: str) -> str:
    """Which pipeline to give for what is lacking."""
    return (
        f"Give a pipeline with a {what}: one that is installed, such as en_core_web_sm, or the "
        "folder that 'spacy project run parser' writes."
    )


def load_with(
    name: str, what: str, pipes: Collection[str], exclude: Collection[str] = ()
) -> "Language":
    """The spaCy pipeline of this name or folder, without the pipes to exclude.

    Raises InputError where there is none, or none of `pipes`, which are `what` is needed, is in it.
    """
    import spacy

    try:
        nlp = spacy.load(name, exclude=list(exclude))
    except OSError as error:
        raise InputError(f"There is no spaCy pipeline '{name}'. {advice(what)}") from error
    if not any(map(nlp.has_pipe, pipes)):
        parts = ", ".join(nlp.pipe_names) or "nothing"
        raise InputError(f"The pipeline '{name}' has {parts}, and no {what}. {advice(what)}")
    return nlp
