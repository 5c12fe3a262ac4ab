"""A BiLSTM over words and part-of-speech tags, with its vocabulary and batches.

The systems GAD, LSTM-CRF and MadDog share these parts.
"""

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
"""Ids in a `Vocabulary`: 0 pads short texts, 1 stands for all unknown words and tags, and the known
words and tags are numbered from 2."""

TAG = 20
"""Number of dimensions of the vector that represents a part-of-speech tag. The SciAI/SciAD paper
does not state it."""


class Tagged(Protocol):
    """Protocol for texts that are split into words and have a part-of-speech tag for each word."""

    @property
    def words(self) -> list[str]:
        """The words of the text, in text order."""

    @property
    def tags(self) -> list[str]:
        """The part-of-speech tag of each word, such as ``"NOUN"``, in the order of the words."""


class TaggedBatch(NamedTuple):
    """A batch of texts, converted to arrays of word ids and tag ids.

    The arrays are as wide as the longest text. Shorter texts are filled up with the id `PAD`.

    Attributes:
        words: Ids of the words, int64 [texts, tokens].
        tags: Ids of the part-of-speech tags, int64 [texts, tokens].
        lengths: Number of tokens of each text without padding, int64 [texts].
    """

    words: Tensor
    tags: Tensor
    lengths: Tensor


class Vocabulary:
    """Ids of the words and part-of-speech tags that occur in the training texts.

    Words and tags are numbered separately. The most frequent word and the most frequent tag have
    the id `FIRST`.

    Attributes:
        words: A mapping from each word to its id.
        tags: A mapping from each part-of-speech tag to its id.
    """

    def __init__(self, texts: Sequence[Tagged]) -> None:
        """Assign an id to every word and every part-of-speech tag of the training texts.

        Args:
            texts: Tagged training texts. Words and tags that do not occur in them share the id
                `UNKNOWN`.
        """
        self.words = _number(word for text in texts for word in text.words)
        self.tags = _number(tag for text in texts for tag in text.tags)

    def batch(self, texts: Sequence[Tagged]) -> TaggedBatch:
        """Convert tagged texts to padded arrays of word ids and tag ids.

        Words and tags that do not occur in the training texts get the id `UNKNOWN`.

        Args:
            texts: Texts with their part-of-speech tags. There must be at least one text.

        Returns:
            Arrays with one row for each text, in the order of `texts`.
        """
        lengths = np.array([len(text.words) for text in texts])
        shape = len(texts), int(lengths.max())
        word_ids, tag_ids = np.full(shape, PAD), np.full(shape, PAD)
        for row, text in enumerate(texts):
            word_ids[row, : lengths[row]] = [self.words.get(word, UNKNOWN) for word in text.words]
            tag_ids[row, : lengths[row]] = [self.tags.get(tag, UNKNOWN) for tag in text.tags]
        return TaggedBatch(*map(torch.from_numpy, (word_ids, tag_ids, lengths)))


def _number(strings: Iterable[str]) -> dict[str, int]:
    """Number the distinct strings by their frequency. The most frequent one gets the id FIRST."""
    ranked = Counter(strings).most_common()
    return {string: index for index, (string, _) in enumerate(ranked, FIRST)}


def epoch(texts: Sequence[Tagged], size: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Divide the training texts of an epoch into batches of texts of similar length.

    Texts of similar length need little padding. The batches come in random order.

    Args:
        texts: The training texts.
        size: Number of texts in a batch. The last batch to be cut may be smaller.
        rng: Random generator that shuffles the batches, and the order of texts of equal length.

    Returns:
        An iterator over the batches. A batch is a list of indices into `texts`.
    """
    shuffled = rng.permutation(len(texts)).tolist()
    order = sorted(shuffled, key=lambda row: len(texts[row].words))
    cut = [order[first : first + size] for first in range(0, len(order), size)]
    return (cut[index] for index in rng.permutation(len(cut)))


class BiLSTM(nn.Module):
    """A bidirectional LSTM that reads word vectors together with part-of-speech tags.

    The network learns the vectors of the tags. The word vectors are an input.
    """

    def __init__(self, tags: int, width: int, hidden: int, layers: int, dropout: float) -> None:
        """Create the layers of the network with random weights.

        Args:
            tags: Number of part-of-speech tags in the vocabulary.
            width: Number of dimensions of the word vectors.
            hidden: Number of dimensions of the hidden states in each direction.
            layers: Number of layers of the LSTM.
            dropout: Dropout probability, 0..1, of the inputs and between the layers of the LSTM.
        """
        super().__init__()
        self.tags = nn.Embedding(tags + FIRST, TAG, padding_idx=PAD)
        shape: dict[str, Any] = {"batch_first": True, "bidirectional": True}
        shape["dropout"] = dropout if layers > 1 else 0.0
        self.lstm = nn.LSTM(width + TAG, hidden, layers, **shape)
        self.dropout = nn.Dropout(dropout)

    def forward(self, vectors: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        """Compute the hidden state of every token in a batch of texts.

        Args:
            vectors: Word vectors of the tokens, [texts, tokens, width].
            tags: Ids of the part-of-speech tags, int64 [texts, tokens].
            lengths: Number of tokens of each text without padding, int64 [texts].

        Returns:
            The states of both directions, joined, [texts, tokens, 2 * hidden].
        """
        inputs = self.dropout(torch.cat([vectors, self.tags(tags)], -1))
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        states: Tensor = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0]
        return states


def pool(states: Tensor, places: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Reduce the hidden states of each text to two vectors: one token's state and the maximum.

    The maximum is taken over all tokens of the text, separately in each dimension.

    Args:
        states: Hidden states of a batch of texts, [texts, tokens, width].
        places: Index of the token to select in each text, int64 [texts].
        lengths: Number of tokens of each text without padding, int64 [texts].

    Returns:
        The states of the selected tokens and the maxima, each [texts, width].
    """
    beyond = torch.arange(states.shape[1]) >= lengths[:, None]
    maximum = states.masked_fill(beyond[..., None], -torch.inf).amax(1)
    return states[torch.arange(len(states)), places], maximum


def word_vectors(words: Sequence[str], width: int) -> Floats:
    """Compute word vectors from the word-piece embeddings of the packaged AcroBERT.

    A word's vector is the mean of the embeddings of its word pieces. A principal component analysis
    of all the words reduces the vectors to `width` dimensions. The SciAI/SciAD paper starts from
    the vectors of BERT-base instead (Appendix B.1).

    Args:
        words: The words whose vectors are needed.
        width: Number of dimensions of a vector. If there are fewer principal components, the
            remaining dimensions are 0.

    Returns:
        The vectors in the order of `words`, float32 [words, width]. They are scaled so that all
        their values together have mean 0 and variance 1.
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
    """Return a sentence for error messages that tells which spaCy pipelines have a component.

    Args:
        what: Name of the missing component, such as "parser".

    Returns:
        A sentence that starts with "Give a pipeline with a".
    """
    return (
        f"Give a pipeline with a {what}: one that is installed, such as en_core_web_sm, or the "
        "folder that 'spacy project run parser' writes."
    )


def load_with(
    name: str, what: str, pipes: Collection[str], exclude: Collection[str] = ()
) -> "Language":
    """Load a spaCy pipeline and check that it has a required component.

    Several components can fulfil the same need. For example, `tagger` and `morphologizer` both
    assign part-of-speech tags.

    Args:
        name: Name of an installed pipeline, or path of a pipeline's folder.
        what: The kind of component needed, such as "parser". Used in error messages.
        pipes: Names of components, of which the pipeline must have at least one.
        exclude: Names of components that are not loaded.

    Returns:
        The loaded pipeline.

    Raises:
        InputError: If there is no such pipeline, or if it has none of the components.
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
