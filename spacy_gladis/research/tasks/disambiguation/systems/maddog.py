"""The system `maddog`: a BiLSTM classifier for every hundred acronyms.

Pouran Ben Veyseh et al. (EACL 2021) describe the original.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, NamedTuple, TypeVar

import numpy as np
import torch
import typer
from torch import Tensor, nn

from .....arrays import Doubles
from .....text import merge_key
from ....datasets.sample import Sample, read_samples
from ...bilstm import FIRST, PAD, UNKNOWN, BiLSTM, Vocabulary, epoch, pool, word_vectors
from ..data import Question, Training
from ..system import SYSTEMS, DisambiguationSystem
from ..words import words

WINDOW = 20
"""Number of words that are read on either side of the acronym."""

READ_AT_ONCE = 256
"""Number of contexts that are classified in one batch."""

WORD, LSTM, DROPOUT = 100, 100, 0.3
"""Dimensions of word vectors and of the LSTM's states in each direction, and dropout
probability."""

HIDDEN_WORDS = 0.1
"""Share of the words that are replaced by the unknown word in training. This trains the vector that
stands for all unknown words."""

T = TypeVar("T")


class Context(NamedTuple):
    """The words around a mention of an acronym, with tags that mark the mention.

    Attributes:
        words: Lower-case words in text order, including the acronym.
        tags: Tag of each word: "acronym" for the mention, and "-" for all other words.
        mention: Index of the mention in `words`.
    """

    words: list[str]
    tags: list[str]
    mention: int

    @classmethod
    def of(cls, sample: Sample) -> "Context":
        """Create the context of a sample from the words around its mention.

        Args:
            sample: The mention in its text.

        Returns:
            The acronym with up to `WINDOW` words before and after it.
        """
        before = words(sample.text[: sample.start])[-WINDOW:]
        after = words(sample.text[sample.end :])[:WINDOW]
        tags = ["-"] * len(before) + ["acronym"] + ["-"] * len(after)
        return cls([*before, sample.acronym.lower(), *after], tags, len(before))


@SYSTEMS.register("maddog", "A BiLSTM for each chunk of acronyms.", "GLADIS, A.3")
@dataclass
class MadDog(DisambiguationSystem):
    """Classifies mentions into long forms, with a separate network for each chunk of acronyms.

    This is a reimplementation from the description (GLADIS, A.3). The acronyms are divided into
    chunks, and each chunk has its own BiLSTM. A feed-forward classifier reads the BiLSTM's state at
    the acronym and the maximum of its states. The classes are the long forms of the chunk's
    samples, and any other candidate gets the score 0. The word vectors start from AcroBERT's
    word-piece embeddings; see `word_vectors`.

    The original is trained on samples that were mined from raw text, which need no labels. The
    command `corpus extract` creates such samples.

    Attributes:
        samples: File or folder of mined training samples. None to train on the labelled samples of
            the data set.
        chunk: Number of acronyms in a chunk.
        each: Maximum number of training samples for each long form of an acronym.
        epochs: Number of passes over the training samples of a chunk.
        batch: Number of samples in a training step.
        learning_rate: Learning rate of the Adam optimizer.
        seed: Random seed of the weights and of the batches.
    """

    samples: Annotated[
        Path | None,
        typer.Option(help="Mined samples, as a file or a folder that 'corpus extract' wrote."),
    ] = None
    chunk: int = 100
    each: int = 50
    epochs: int = 5
    batch: int = 32
    learning_rate: float = 2e-3
    seed: int = 0
    _chunks: dict[str, "Chunk"] = field(default_factory=dict, init=False, repr=False)

    def fit(self, training: Training) -> None:
        """Train a network for each chunk of the data set's acronyms.

        Args:
            training: Training data, of which the acronyms are used, and the labelled training
                samples unless `samples` is set.

        Raises:
            InputError: If `samples` is not set and there are no labelled samples.
        """
        rows = read_samples(self.samples) if self.samples else iter(training.labelled())
        groups: dict[str, list[Sample]] = {}
        taken: Counter[tuple[str, str]] = Counter()
        for sample in rows:
            pair = sample.acronym, merge_key(sample.long_form)
            if sample.acronym in training.table and sample.end and taken[pair] < self.each:
                taken[pair] += 1
                groups.setdefault(sample.acronym, []).append(sample)
        torch.manual_seed(self.seed)
        rng = np.random.default_rng(self.seed)
        for acronyms in _cut(sorted(groups), self.chunk):
            chunk = Chunk([sample for name in acronyms for sample in groups[name]])
            chunk.train_on(self, rng)
            self._chunks |= dict.fromkeys(acronyms, chunk)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Compute the probabilities of the candidate long forms of each mention.

        Args:
            questions: Mentions of acronyms, each with its candidate long forms.

        Returns:
            The probabilities for each mention, float64 [candidates], in the order of the questions.
            A candidate without training samples has the probability 0.
        """
        scores = [np.zeros(len(question.candidates)) for question in questions]
        by_chunk: dict[int, list[int]] = {}
        for row, question in enumerate(questions):
            if chunk := self._chunks.get(question.sample.acronym):
                by_chunk.setdefault(id(chunk), []).append(row)
        for rows in by_chunk.values():
            chunk = self._chunks[questions[rows[0]].sample.acronym]
            probabilities = chunk.probabilities([questions[row].sample for row in rows])
            for row, by_key in zip(rows, probabilities, strict=True):
                pairs = enumerate(questions[row].candidates)
                for index, candidate in pairs:
                    scores[row][index] = by_key.get(merge_key(candidate.long_form), 0.0)
        return scores


class Chunk(nn.Module):
    """Network that classifies the mentions of a chunk of acronyms into their long forms.

    Attributes:
        contexts: Contexts of the training samples. Empty after training.
        numbers: A mapping from the merge key of each long form, which ignores small differences of
            spelling, to the number of its class.
        targets: Number of the right class of each training sample, int64 [samples].
        vocabulary: Ids of the words and tags in the training samples.
    """

    def __init__(self, samples: Sequence[Sample]) -> None:
        """Create the network for the acronyms of the given samples.

        Args:
            samples: Training samples of all acronyms in the chunk.
        """
        super().__init__()
        self.contexts = [Context.of(sample) for sample in samples]
        keys = [merge_key(sample.long_form) for sample in samples]
        self.numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self.targets = torch.tensor([self.numbers[key] for key in keys])
        self.vocabulary = Vocabulary(self.contexts)
        names = list(self.vocabulary.words)
        self.words = nn.Embedding(len(names) + FIRST, WORD, padding_idx=PAD)
        with torch.no_grad():
            self.words.weight[FIRST:] = torch.from_numpy(word_vectors(names, WORD))
        self.bilstm = BiLSTM(len(self.vocabulary.tags), WORD, LSTM, 1, DROPOUT)
        self.classifier = nn.Sequential(
            nn.Linear(4 * LSTM, LSTM), nn.ReLU(), nn.Linear(LSTM, len(self.numbers))
        )

    def forward(self, contexts: Sequence[Context], rng: np.random.Generator | None) -> Tensor:
        """Compute the logits of all long forms of the chunk for a batch of contexts.

        Args:
            contexts: Contexts of the mentions to classify.
            rng: Random generator that chooses the words to mask in training. None to mask no words.

        Returns:
            The logits, [contexts, long forms].
        """
        batch = self.vocabulary.batch(contexts)
        if rng:
            hidden = torch.from_numpy(rng.random(batch.words.shape) < HIDDEN_WORDS)
            batch.words[hidden & (batch.words != PAD)] = UNKNOWN
        states = self.bilstm(self.words(batch.words), batch.tags, batch.lengths)
        places = torch.tensor([context.mention for context in contexts])
        logits: Tensor = self.classifier(torch.cat(pool(states, places, batch.lengths), -1))
        return logits

    def train_on(self, settings: MadDog, rng: np.random.Generator) -> None:
        """Train the network on the samples of the chunk, then delete their contexts.

        Args:
            settings: The system, which has the number of epochs, the batch size and the learning
                rate.
            rng: Random generator that shuffles the batches and masks words.
        """
        optimizer = torch.optim.Adam(self.parameters(), lr=settings.learning_rate)
        for _ in range(settings.epochs):
            for rows in epoch(self.contexts, settings.batch, rng):
                optimizer.zero_grad()
                logits = self([self.contexts[row] for row in rows], rng)
                nn.functional.cross_entropy(logits, self.targets[rows]).backward()
                optimizer.step()
        self.contexts = []
        self.eval()

    def probabilities(self, samples: Sequence[Sample]) -> Iterator[Mapping[str, float]]:
        """Compute the probabilities of all long forms of the chunk for each sample.

        Args:
            samples: Mentions of acronyms in this chunk.

        Yields:
            A mapping for each sample, in order, from the merge key of each long form to its
            probability.
        """
        with torch.inference_mode():
            for part in _cut(samples, READ_AT_ONCE):
                contexts = [Context.of(sample) for sample in part]
                for row in torch.softmax(self(contexts, None), -1).tolist():
                    yield dict(zip(self.numbers, row, strict=True))


def _cut(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[first : first + size] for first in range(0, len(items), size))
