"""MadDog: a BiLSTM for each chunk of acronyms (Pouran Ben Veyseh et al., EACL 2021)."""

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
"""Number of words to read on either side of the acronym."""

READ_AT_ONCE = 256
"""Number of contexts in a batch at inference."""

WORD, LSTM, DROPOUT = 100, 100, 0.3
"""Widths of a word's vector and of the LSTM in each direction."""

HIDDEN_WORDS = 0.1
"""Share of the words that are masked in training, so that the vector of unknown words is
trained."""

T = TypeVar("T")


class Context(NamedTuple):
    """The words around an acronym, with one tag for the acronym and one for all others.

    Attributes:
        words: Lower-case words, with the acronym among them.
        tags: The tag of each word.
        mention: The index of the acronym.
    """

    words: list[str]
    tags: list[str]
    mention: int

    @classmethod
    def of(cls, sample: Sample) -> "Context":
        """Read the words of a sample near its acronym.

        Args:
            sample: The sample.

        Returns:
            Up to `WINDOW` words on either side, and the acronym.
        """
        before = words(sample.text[: sample.start])[-WINDOW:]
        after = words(sample.text[sample.end :])[:WINDOW]
        tags = ["-"] * len(before) + ["acronym"] + ["-"] * len(after)
        return cls([*before, sample.acronym.lower(), *after], tags, len(before))


@SYSTEMS.register("maddog", "A BiLSTM for each chunk of acronyms.", "GLADIS, A.3")
@dataclass
class MadDog(DisambiguationSystem):
    """Classifies contexts into long forms, with one network for each chunk of acronyms.

    Reimplemented from the description (GLADIS, A.3). All samples of an acronym are in one chunk.
    Each chunk has a BiLSTM, whose state at the acronym and maximum over the sentence go to a
    feed-forward classifier. MadDog's training samples are mined from raw text, as `corpus extract`
    does, so that no labels are needed. A long form without samples scores 0.

    Attributes:
        samples: File or folder of mined samples. None for the labelled samples of the set.
        chunk: Number of acronyms in a chunk.
        each: Maximum number of samples of a long form.
        epochs: Number of passes over a chunk's samples.
        batch: Number of samples in a training step.
        learning_rate: Learning rate of the Adam optimizer.
        seed: Random seed of the         eights and batches.
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
        """Train a network for each chunk of the set's acronyms.

        Args:
            training: The acronyms, and labelled samples unless `samples` is set.

        Raises:
            InputError: If there are no labelled samples.
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
        """Compute the probabilities of each mention's candidates.

        Args:
            questions: Mentions to disambiguate, with their candidates.

        Returns:
            For each mention, float64 [candidates]. 0 for candidates without training samples.
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
    """The network of a chunk: a classifier over the long forms of its acronyms.

    Attributes:
        contexts: Contexts of the training samples. Empty after training.
        numbers: A mapping from the merge key of each long form to its class.
        targets: The class of each sample, int64 [samples].
        vocabulary: Ids of the words and tags.
    """

    def __init__(self, samples: Sequence[Sample]) -> None:
        """Create the network for the acronyms of some samples.

        Args:
            samples: The training samples of the chunk's acronyms.
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
        """Compute the logits of the chunk's long forms.

        Args:
            contexts: The contexts.
            rng: Random generator that chooses the words to mask in training. None at inference.

        Returns:
            Logits, [contexts, long forms].
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
        """Train the network on the chunk's samples, then release them.

        Args:
            settings: Epochs, batch size and learning rate.
            rng: Random generator that shuffles batches and masks words.
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
        """Compute the probabilities of all long forms of the chunk.

        Args:
            samples: The samples to classify.

        Yields:
            For each sample, a mapping from the merge key of each long form to its probability.
        """
        with torch.inference_mode():
            for part in _cut(samples, READ_AT_ONCE):
                contexts = [Context.of(sample) for sample in part]
                for row in torch.softmax(self(contexts, None), -1).tolist():
                    yield dict(zip(self.numbers, row, strict=True))


def _cut(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[first : first + size] for first in range(0, len(items), size))
