"""The BiLSTM, vocabulary and batches that GAD, LSTM-CRF and MadDog share."""

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
"""Ids of the padding token and of unknown words and tags, and the first id of a known word or
tag."""

TAG = 20
"""Number of dimensions of a part-of-speech tag's vector."""


class Tagged(Protocol):
    """A text as words and their part-of-speech tags."""

    @property
    def words(self) -> list[str]:
        """The words, [tokens]."""

    @property
    def tags(self) -> list[str]:
        """Their part-of-speech tags, [tokens]."""


class TaggedBatch(NamedTuple):
    """A batch of texts as padded arrays of word and tag ids.

    Attributes:
        words: Word ids, int64 [texts, tokens].
        tags: Ids of the part-of-speech tags, int64 [texts, tokens].
        lengths: Number of tokens of each text, int64 [texts].
    """

    words: Tensor
    tags: Tensor
    lengths: Tensor


class Vocabulary:
    """The ids of the words and part-of-speech tags that occur in the training texts.

    Attributes:
        words: A mapping from each word to its id. Ids start at `FIRST`.
        tags: A mapping from each tag to its id. Ids start at `FIRST`.
    """

    def __init__(self, texts: Sequence[Tagged]) -> None:
        """Assign an id to every word and tag of the training texts.

        Args:
            texts: The training texts.
        """
        self.words = _number(word for text in texts for word in text.words)
        self.tags = _number(tag for text in texts for tag in text.tags)

    def batch(self, texts: Sequence[Tagged]) -> TaggedBatch:
        """Convert texts to padded arrays of ids.

        Words and tags that are not in the training texts get the id `UNKNOWN`.

        Args:
            texts: At least one text.

        Returns:
            The padded texts.
        """
        lengths = np.array([len(text.words) for text in texts])
        shape = len(texts), int(lengths.max())
        word_ids, tag_ids = np.full(shape, PAD), np.full(shape, PAD)
        for row, text in enumerate(texts):
            word_ids[row, : lengths[row]] = [self.words.get(word, UNKNOWN) for word in text.words]
            tag_ids[row, : lengths[row]] = [self.tags.get(tag, UNKNOWN) for tag in text.tags]
        return TaggedBatch(*map(torch.from_numpy, (word_ids, tag_ids, lengths)))


def _number(strings: Iterable[str]) -> dict[str, int]:
    """Assign ids to strings in order of falling frequency, starting at FIRST."""
    ranked = Counter(strings).most_common()
    return {string: index for index, (string, _) in enumerate(ranked, FIRST)}


def epoch(texts: Sequence[Tagged], size: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Divide texts into batches of texts of similar length, in random order.

    Args:
        texts: The texts to divide.
        size: Number of texts in a batch.
        rng: Random generator that shuffles texts and batches.

    Returns:
        An iterator over batches, each an array of indices of texts.
    """
    shuffled = rng.permutation(len(texts)).tolist()
    order = sorted(shuffled, key=lambda row: len(texts[row].words))
    cut = [order[first : first + size] for first in range(0, len(order), size)]
    return (cut[index] for index in rng.permutation(len(cut)))


class BiLSTM(nn.Module):
    """A bidirectional LSTM over the vectors of words and of their part-of-speech tags."""

    def __init__(self, tags: int, width: int, hidden: int, layers: int, dropout: float) -> None:
        """Create the layers of the network.

        Args:
            tags: The number of tags.
            width: Width of the word vectors.
            hidden: Width of the hidden states in each direction.
            layers: Number of layers of the LSTM.
            dropout: Dropout probability before the LSTM and between its layers.
        """
        super().__init__()
        self.tags = nn.Embedding(tags + FIRST, TAG, padding_idx=PAD)
        shape: dict[str, Any] = {"batch_first": True, "bidirectional": True}
        shape["dropout"] = dropout if layers > 1 else 0.0
        self.lstm = nn.LSTM(width + TAG, hidden, layers, **shape)
        self.dropout = nn.Dropout(dropout)

    def forward(self, vectors: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        """Compute the hidden states of all tokens of texts.

        Args:
            vectors: Word vectors, [texts, tokens, width].
            tags: Ids of the part-of-speech tags, int64 [texts, tokens].
            lengths: Number of tokens of each text, int64 [texts].

        Returns:
            Hidden states, [texts, tokens, 2 * hidden].
        """
        inputs = self.dropout(torch.cat([vectors, self.tags(tags)], -1))
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        states: Tensor = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0]
        return states


def pool(states: Tensor, places: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Reduce the hidden states of each text to one token's state and the maximum over all tokens.

    Args:
        states: States, [texts, tokens, width].
        places: The index of a token in each text, int64 [texts].
        lengths: Number of tokens of each text, int64 [texts].

    Returns:
        The state of the token, and the maximum over the text's tokens, each [texts, width].
    """
    beyond = torch.arange(states.shape[1]) >= lengths[:, None]
    maximum = states.masked_fill(beyond[..., None], -torch.inf).amax(1)
    return states[torch.arange(len(states)), places], maximum


def word_vectors(words: Sequence[str], width: int) -> Floats:
    """Compute word vectors from the input table of the packaged AcroBERT.

    A word's vector is the mean of its word pieces, reduced to the principal components of these
    words. They stand in for the vectors of BERT-base that the paper starts from (SciAI/SciAD,
    Appendix B.1).

    Args:
        words: Words to look up.
        width: Number of dimensions of a vector.

    Returns:
        Vectors, float32 [words, width], with mean 0 and variance 1 over all of them.
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
    """Return a sentence for error messages that names pipelines with a missing component.

    Args:
        what: The component that is missing, such as "parser".

    Returns:
        The sentence for an error message.
    """
    return (
        f"Give a pipeline with a {what}: one that is installed, such as en_core_web_sm, or the "
        "folder that 'spacy project run parser' writes."
    )


def load_with(
    name: str, what: str, pipes: Collection[str], exclude: Collection[str] = ()
) -> "Language":
    """Load a spaCy pipeline and check that it has at least one of the given components.

    Args:
        name: The pipeline's name or folder.
        what: The kind of component needed, for error messages.
        pipes: Names of components. The pipeline must have one of them.
        exclude: Names of components that are not loaded.

    Returns:
        The pipeline.

    Raises:
        InputError: If there is no such pipeline, or it has none of the components.
    """
    import spacy

    try:
        nlp = spacy.load(name, exclude=list(exclude))
    except OSError as error:
        raise InputError(f"There is no spaCy pipeline '{name}'. {advice(what)}") from error
    if not any(map(nlp.has_pipe, pipes)):
        parts = ", ".join(nlp.pipe_names) or "nothing"
        raise InputError(f"The pipeline '{name}' has no {what}, only {parts}. {advice(what)}")
    return nlp
