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
"""Words on either side of the acronym that are read."""

READ_AT_ONCE = 256

WORD, LSTM, DROPOUT = 100, 100, 0.3
"""Widths of a word's vector and of the LSTM in each direction."""

HIDDEN_WORDS = 0.1
"""Share of the words that training hides, so that the unknown word is learnt, too."""

T = TypeVar("T")


class Context(NamedTuple):
    """The words around an acronym, with one tag for the acronym and one for all others."""

    words: list[str]
    tags: list[str]
    mention: int

    @classmethod
    def of(cls, sample: Sample) -> "Context":
        """Read the words of a sample near its acronym."""
        before = words(sample.text[: sample.start])[-WINDOW:]
        after = words(sample.text[sample.end :])[:WINDOW]
        tags = ["-"] * len(before) + ["acronym"] + ["-"] * len(after)
        return cls([*before, sample.acronym.lower(), *after], tags, len(before))


@SYSTEMS.register("maddog", "A BiLSTM for each chunk of acronyms.", "GLADIS, A.3")
@dataclass
class MadDog(DisambiguationSystem):
    """Classify contexts into long forms, with one network for each chunk of acronyms.

    Reimplemented from the description. All samples of an acronym are in the same chunk. Each chunk
    has a BiLSTM of its own, whose state at the acronym and maximum over the sentence go to a
    feed-forward classifier. MadDog's training samples are those that rules find in raw text, so
    that no label is needed: `corpus extract` makes them. A long form that no sample shows scores 0.

    Attributes:
        samples: Mined samples; None for the labelled ones of the set.
        chunk: Acronyms in a chunk.
        each: Samples of a long form, at most.
        epochs: Passes over a chunk's samples.
        batch: Samples a step.
        learning_rate: Of Adam.
        seed: Of the weights and batches.
    """

    samples: Annotated[
        Path | None, typer.Option(help="Mined samples: a file, or a folder of 'corpus extract'.")
    ] = None
    chunk: int = 100
    each: int = 50
    epochs: int = 5
    batch: int = 32
    learning_rate: float = 2e-3
    seed: int = 0
    _chunks: dict[str, "Chunk"] = field(default_factory=dict, init=False, repr=False)

    def fit(self, training: Training) -> None:
        """Train a network for each chunk of the set's acronyms."""
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
        """The probabilities of the candidates that samples show; 0 of all others."""
        scores = [np.zeros(len(question.candidates)) for question in questions]
        by_chunk: dict[int, list[int]] = {}
        for row, question in enumerate(questions):
            if chunk := self._chunks.get(question.sample.acronym):
                by_chunk.setdefault(id(chunk), []).append(row)
        for rows in by_chunk.values():
            chunk = self._chunks[questions[rows[0]].sample.acronym]
            read = chunk.probabilities([questions[row].sample for row in rows])
            for row, found in zip(rows, read, strict=True):
                pairs = enumerate(questions[row].candidates)
                for at, candidate in pairs:
                    scores[row][at] = found.get(merge_key(candidate.long_form), 0.0)
        return scores


class Chunk(nn.Module):
    """The network of a chunk, a classifier over the long forms of its acronyms."""

    def __init__(self, samples: Sequence[Sample]) -> None:
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
        """Logits [contexts, long forms]; with `rng`, some words are hidden."""
        batch = self.vocabulary.batch(contexts)
        if rng:
            hidden = torch.from_numpy(rng.random(batch.words.shape) < HIDDEN_WORDS)
            batch.words[hidden & (batch.words != PAD)] = UNKNOWN
        states = self.bilstm(self.words(batch.words), batch.tags, batch.lengths)
        places = torch.tensor([context.mention for context in contexts])
        logits: Tensor = self.classifier(torch.cat(pool(states, places, batch.lengths), -1))
        return logits

    def train_on(self, settings: MadDog, rng: np.random.Generator) -> None:
        """Train on the chunk's samples, then drop them."""
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
        """Yield the probability of each long form, by its merge key."""
        with torch.inference_mode():
            for part in _cut(samples, READ_AT_ONCE):
                contexts = [Context.of(sample) for sample in part]
                for row in torch.softmax(self(contexts, None), -1).tolist():
                    yield dict(zip(self.numbers, row, strict=True))


def _cut(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[first : first + size] for first in range(0, len(items), size))
