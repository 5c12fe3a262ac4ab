"""A larger encoder as a teacher: how it ranks long forms, beside the start, is what is learnt.

Both say how near each long form is to a context; a logit of the two, fitted on acronyms that no run
trains on, says how likely it is meant. The student learns these likelihoods over all long forms of
a batch, its hard candidates among them, where a label alone says which one is right.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...files import reading_tensors, write_arrays
from ...modeling.acrobert import AcroBERT
from ...rules import Mention
from ..datasets.sample import Sample
from .dataset import ADVICE, TrainingSet
from .logit import fit_logit

CHUNK = 1000

Vectors = NDArray[np.float16]


@dataclass(frozen=True)
class Views:
    """What one encoder says of a training set: unit vectors of its contexts [samples, width] and of
    its long forms [long forms, width]."""

    contexts: Vectors
    long_forms: Vectors

    def cosines(self, samples: Sequence[int], rows: NDArray[Any]) -> NDArray[np.float32]:
        """Of contexts and long forms, [samples, rows]."""
        one, other = self.contexts[list(samples)], self.long_forms[rows]
        cosines: NDArray[np.float32] = one.astype(np.float32) @ other.astype(np.float32).T
        return cosines


@dataclass(frozen=True)
class Ranking:
    """How likely each long form is, by several encoders. weights: what each one's cosines count."""

    views: Sequence[Views]
    weights: NDArray[np.float64]

    def logits(self, samples: Sequence[int], rows: NDArray[Any]) -> NDArray[np.float32]:
        """Of contexts and long forms, [samples, rows]."""
        return sum(
            float(weight) * view.cosines(samples, rows)
            for weight, view in zip(self.weights, self.views, strict=True)
        )  # type: ignore[return-value]


def look(
    encoder: AcroBERT,
    samples: Sequence[Sample],
    made: TrainingSet,
    folder: Path,
    report: Callable[[int], None] = lambda done: None,
) -> Views:
    """Read a training set, made of these samples, with an encoder.

    folder: keeps what was read, a file for every CHUNK texts that their fingerprint names; an
    interrupted run goes on from them. report: is given how many contexts are read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = dict(zip(made.positives.tolist(), (one.long_form for one in samples), strict=True))
    long_forms = [names[row] for row in range(len(made.long_forms))]

    def contexts(chunk: Sequence[Mention]) -> NDArray[np.float32]:
        return encoder.encode_contexts(chunk).vectors

    mark = encoder.fingerprint()
    read = _kept(contexts, [one.mention for one in samples], mark, folder, report)
    named = _kept(encoder.encode_long_forms, long_forms, mark, folder)
    return Views(np.concatenate([*read]), np.concatenate([*named]))


def _kept(
    encode: Callable[[Any], NDArray[np.float32]],
    texts: Sequence[Any],
    mark: str,
    folder: Path,
    report: Callable[[int], None] = lambda done: None,
) -> Iterator[Vectors]:
    for start in range(0, len(texts), CHUNK):
        chunk = texts[start : start + CHUNK]
        name = hashlib.sha256(repr((mark, chunk)).encode()).hexdigest()[:16]
        path = folder / f"{name}.safetensors"
        if not path.is_file():
            write_arrays(path, {"vectors": encode(chunk).astype(np.float16)}, {})
        with reading_tensors(path, "no vectors of a teacher", ADVICE) as file:
            yield file.get_tensor("vectors")
        report(start + len(chunk))


def weigh(views: Sequence[Views], made: TrainingSet) -> NDArray[np.float64]:
    """What the cosines of each encoder count, by which meanings the samples' acronyms have."""
    questions, right = [], []
    for sample, (acronym, meant) in enumerate(zip(made.acronyms, made.positives, strict=True)):
        rows = made.pools[acronym]
        if len(rows) > 1:
            questions.append(np.stack([one.cosines([sample], rows)[0] for one in views], axis=1))
            alike = [meant, *made.spellings[meant]]
            right.append(np.flatnonzero(np.isin(rows, alike)).tolist())
    if not questions:
        raise InputError("no held-out acronym has two meanings: give more samples")
    return fit_logit(questions, right)


def _encoder(folder: Path) -> AcroBERT:
    """AcroBERT as it reads texts, or another encoder, to which markers of mentions say nothing."""
    encoder = AcroBERT.load(folder)
    if not (folder / "acrobert.json").is_file():
        encoder.pieces = encoder.pieces.unmarked()
    return encoder


def ranking_of(
    teachers: Sequence[Path],
    training: tuple[Sequence[Sample], TrainingSet],
    held_out: tuple[Sequence[Sample], TrainingSet],
    folder: Path,
    report: Callable[[dict[str, Any]], None],
) -> Ranking:
    """What the teachers say of the training samples, weighed by the held-out ones.

    training, held_out: samples, and the set made of them. folder: see `look`.
    """
    encoders = [_encoder(one) for one in teachers]

    def say(done: int) -> None:
        report({"texts read": done})

    weights = weigh([look(one, *held_out, folder, say) for one in encoders], held_out[1])
    report({"weights of the teachers": [round(weight, 2) for weight in weights.tolist()]})
    return Ranking([look(one, *training, folder, say) for one in encoders], weights)
