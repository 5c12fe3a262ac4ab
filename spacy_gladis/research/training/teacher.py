"""A larger encoder as a teacher: how it ranks long forms, beside the start, is what is learnt.

Both say how near each long form is to a context; a logit of the two, fitted on acronyms that no run
trains on, says how likely it is meant. The student learns these likelihoods over all long forms of
a batch, its hard candidates among them, where a label alone says which one is right.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...modeling.acrobert import AcroBERT
from ...modeling.calibration import Floats
from ...rules import Mention
from .dataset import TrainingSet, commonest
from .kept import kept
from .logit import fit_logit

if TYPE_CHECKING:
    from ..datasets.sample import Sample

CHUNK = 1000

RIDGE = 1e-4
"""Holds the weights of encoders that are always right."""

Vectors = NDArray[np.float16]


@dataclass(frozen=True)
class Views:
    """What one encoder says of a training set: unit vectors of its contexts [samples, width] and of
    its long forms [long forms, width]."""

    contexts: Vectors
    long_forms: Vectors

    def cosines(self, samples: Sequence[int], rows: NDArray[Any]) -> Floats:
        """Of contexts and long forms, [samples, rows]."""
        one, other = self.contexts[list(samples)], self.long_forms[rows]
        cosines: Floats = one.astype(np.float32) @ other.astype(np.float32).T
        return cosines


@dataclass(frozen=True)
class Ranking:
    """How likely each long form is, by several encoders. weights: what each one's cosines count."""

    views: Sequence[Views]
    weights: NDArray[np.float64]

    def logits(self, samples: Sequence[int], rows: NDArray[Any]) -> Floats:
        """Of contexts and long forms, float32 [samples, rows]."""
        total = np.zeros((len(samples), len(rows)), np.float32)
        for weight, view in zip(self.weights.tolist(), self.views, strict=True):
            total += weight * view.cosines(samples, rows)
        return total


def look(
    encoder: AcroBERT,
    samples: "Sequence[Sample]",
    made: TrainingSet,
    folder: Path,
    report: Callable[[int], None] = lambda done: None,
) -> Views:
    """Read a training set, made of these samples, with an encoder.

    folder: keeps what was read, as `kept` does. report: is told how many contexts are read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    spellings: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for row, sample in zip(made.positives.tolist(), samples, strict=True):
        spellings[row][sample.long_form] += 1
    names = [commonest(spellings[row]) for row in range(len(made.long_forms))]

    def encode(contexts: Sequence[Mention]) -> Floats:
        return encoder.encode_contexts(contexts).vectors

    contexts, long_forms = [], []
    for first in range(0, len(samples), CHUNK):
        chunk = [sample.mention for sample in samples[first : first + CHUNK]]
        contexts.append(kept(folder, encoder, chunk, encode))
        report(first + len(chunk))
    for first in range(0, len(names), CHUNK):
        some = names[first : first + CHUNK]
        long_forms.append(kept(folder, encoder, some, encoder.encode_long_forms))
    halves = (np.concatenate(one).astype(np.float16) for one in (contexts, long_forms))
    return Views(*halves)


def weigh(views: Sequence[Views], made: TrainingSet) -> NDArray[np.float64]:
    """What the cosines of each encoder count, by which meanings the samples' acronyms have.

    None is below zero. Raises InputError where no acronym has two meanings.
    """
    questions, right = [], []
    for sample, (acronym, meant) in enumerate(zip(made.acronyms, made.positives, strict=True)):
        rows = made.pools[acronym]
        alike = np.isin(rows, [meant, *made.spellings[meant]])
        if not alike.all():
            questions.append(np.stack([one.cosines([sample], rows)[0] for one in views], axis=1))
            right.append(np.flatnonzero(alike).tolist())
    if not questions:
        raise InputError(
            f"none of the {len(made.pools)} held-out acronyms has two meanings, by which the "
            "teacher could be weighed. Raise objective.share, or give more samples."
        )
    return fit_logit(questions, right, signed=[False] * len(views), penalty=RIDGE)


def ranking_of(
    encoders: Sequence[AcroBERT],
    training: "tuple[Sequence[Sample], TrainingSet]",
    held_out: "tuple[Sequence[Sample], TrainingSet]",
    folder: Path,
    report: Callable[[dict[str, Any]], None],
) -> Ranking:
    """What the encoders say of the training samples, weighed by the held-out ones.

    training, held_out: samples, and the set made of them. folder: see `look`.
    """

    def say(done: int) -> None:
        report({"texts read": done})

    weights = weigh([look(one, *held_out, folder, say) for one in encoders], held_out[1])
    report({"weights of the teachers": [round(weight, 2) for weight in weights.tolist()]})
    return Ranking([look(one, *training, folder, say) for one in encoders], weights)


def load_teacher(folder: Path, device: str) -> AcroBERT:
    """AcroBERT as it reads texts, or another encoder, to which markers of mentions say nothing."""
    encoder = AcroBERT.load(folder)
    if not (folder / "acrobert.json").is_file():
        encoder.pieces = encoder.pieces.unmarked()
    return encoder.to(device)
