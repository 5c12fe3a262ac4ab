"""Train a student to read a text once for all mentions, with the marked windows of a teacher.

The teacher marks each mention and encodes a window around it in a pass of its own. The student
encodes a window once for all mentions in it (`encoder/shared_windows.py`) and learns to reproduce
the teacher's vectors. Vectors of long forms are kept, so the teacher's centroids, topics and stored
vectors stay valid.
"""

import re
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ...dictionary import Dictionary
from ...encoder.shared_windows import SharedWindow, WindowBatch, shared_windows
from ...encoder.word_pieces import group_into_rows
from ...errors import InputError
from ...linking.acrobert import AcroBERT
from ...linking.model_folder import is_acrobert
from ...text import Mention
from ..datasets.sample import Sample, read_samples
from .centroids import kept_vectors
from .network import AcroNetwork, pack
from .order import equal_parts
from .recipes import Recipe, RunSettings

CHUNK = 1000

CUT = 0.25
"""Share of the texts that are shortened to the sample's sentence, so that the model also learns
from short texts."""

LONGEST = 12
"""Maximum number of characters of the other acronyms in a text that are trained on."""

_WORD = re.compile(r"(?<!\w)[A-Za-z0-9][\w&/-]*\w")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")


@dataclass(frozen=True)
class Lesson:
    """A text with the teacher's vectors of its mentions.

    Attributes:
        text: The text.
        spans: Start and end of each mention, in characters.
        vectors: Vectors of the mentions, float16 [mentions, width].
    """

    text: str
    spans: list[tuple[int, int]]
    vectors: NDArray[np.float16]

    def mentions(self, document: int) -> list[Mention]:
        """Return the mentions of a document.

        Args:
            document: Number to give the document.

        Returns:
            One mention per span.
        """
        return [Mention(self.text, start, end, document) for start, end in self.spans]


def lessons(
    teacher: AcroBERT,
    samples: Iterable[Sample],
    acronyms: Container[str],
    folder: Path,
    rng: np.random.Generator,
    report: Callable[[int], None] = lambda done: None,
) -> list[Lesson]:
    """Encode the mentions of the samples' texts with the teacher.

    Args:
        teacher: Model that reads each mention by itself.
        samples: Samples whose texts are read.
        acronyms: Acronyms to encode wherever they occur in the texts, such as those of a
            dictionary.
        folder: Cache folder; see `kept_vectors`.
        rng: Random generator that chooses the texts to shorten.
        report: Called with the number of texts read so far.

    Returns:
        One lesson for each sample.
    """
    marked = (_mark(sample, acronyms, cut=rng.random() < CUT) for sample in samples)
    results: list[Lesson] = []
    while chunk := list(islice(marked, CHUNK)):
        mentions = [Mention(text, *at) for text, spans in chunk for at in spans]
        vectors = kept_vectors(folder, teacher, mentions).astype(np.float16)
        ends = np.cumsum([len(spans) for _, spans in chunk])[:-1]
        parts = np.split(vectors, ends)
        results += [Lesson(*text, part) for text, part in zip(chunk, parts, strict=True)]
        report(len(results))
    return results


def _mark(
    sample: Sample, acronyms: Container[str], *, cut: bool
) -> tuple[str, list[tuple[int, int]]]:
    """Return the sample's text, or its mention's sentence, and the offsets of its acronyms."""
    text, (start, end) = sample.text, (sample.start, sample.end)
    if cut:
        begin = max((match.end() for match in _SENTENCE.finditer(text, 0, start + 1)), default=0)
        behind = _SENTENCE.search(text, end)
        text = text[begin : behind.start() if behind else len(text)]
        start, end = start - begin, end - begin
    other_spans = (
        match.span()
        for match in _WORD.finditer(text)
        if (match.end() <= start or end <= match.start())
        and len(match[0]) <= LONGEST
        and sum(map(str.isupper, match[0])) > 1
        and match[0] in acronyms
    )
    return text, sorted([(start, end), *other_spans])


FEW = 0.7
"""Each mention's loss is divided by its text's number of mentions to this power."""

LONG_FORMS = 48
"""Number of long forms per step whose vectors are compared with the teacher's."""

LONG_FORM_WEIGHT = 0.5
"""Weight of the loss of the long forms. The loss of the mentions has weight 1."""

TOKENS = 2048
"""Approximate number of tokens in each pass. Windows of similar length are batched together to save
padding."""


class DistilledObjective:
    """A training objective that makes the student's vectors equal to the teacher's.

    The loss is the weighted mean of one minus the cosine of both vectors.
    """

    def __init__(
        self,
        student: AcroBERT,
        teacher: AcroBERT,
        training: Sequence[Lesson],
        held_out: Sequence[Lesson],
        long_forms: Sequence[str],
        *,
        batch_size: int,
        seed: int,
    ) -> None:
        """Prepare the texts of both sets.

        Args:
            student: Model to train.
            teacher: Model whose vectors of long forms the student should keep.
            training: Lessons to train on.
            held_out: Lessons on which the best weights are selected.
            long_forms: Long forms whose vectors should stay the same.
            batch_size: Number of texts in a batch.
            seed: Random seed of the             atches.
        """
        self.module, self.pieces = AcroNetwork.of(student.weights), student.pieces
        self._teacher = AcroNetwork.of(teacher.weights)
        self.training, self.held_out, self.long_forms = training, held_out, long_forms
        self.batch_size, self.seed = batch_size, seed

    def batch(self, step: int) -> list[int]:
        """Draw the texts of a training step. Each text occurs once in an epoch.

        Args:
            step: Number of the training step, starting at 0.

        Returns:
            Indices of the training texts.
        """
        epoch, row = divmod(step, max(1, len(self.training) // self.batch_size))
        order = np.random.default_rng([self.seed, 0, epoch]).permutation(len(self.training))
        texts: list[int] = order[row * self.batch_size : (row + 1) * self.batch_size].tolist()
        return texts

    def split(self, batch: list[int], parts: int) -> list[list[int]]:
        """Split a batch into equal parts.

        Args:
            batch: Indices of texts.
            parts: Number of parts.

        Returns:
            The parts, none empty.
        """
        return [batch[first:last] for first, last in equal_parts(len(batch), parts)]

    def loss(self, batch: list[int]) -> tuple[Tensor, dict[str, float]]:
        """Compute the weighted loss of mentions and long forms.

        Args:
            batch: Indices of the training texts.

        Returns:
            The scalar loss, and both losses for the log.
        """
        texts = [self.training[index] for index in batch]
        vectors, order = self._read(texts)
        device = vectors.device
        targets = np.concatenate([lesson.vectors for lesson in texts])[order]
        target = torch.from_numpy(targets.astype(np.float32)).to(device)
        each = np.concatenate(
            [[len(lesson.spans) ** -FEW] * len(lesson.spans) for lesson in texts]
        )[order]
        weights = torch.from_numpy((each / each.sum()).astype(np.float32)).to(device)
        mentions = (weights * (1 - (vectors.float() * target).sum(-1))).sum()
        long_forms = self._long_forms(batch[0])
        loss = mentions + LONG_FORM_WEIGHT * long_forms
        return loss, {"mention_loss": mentions.item(), "long_form_loss": long_forms.item()}

    def evaluate(self) -> dict[str, float]:
        """Compute the mean cosine of the vectors of held-out mentions.

        Returns:
            The mean under the key `score`. Empty if there are no held-out texts.
        """
        total, mentions = 0.0, 0
        for start in range(0, len(self.held_out), self.batch_size):
            texts = self.held_out[start : start + self.batch_size]
            vectors, order = self._read(texts)
            targets = np.concatenate([lesson.vectors for lesson in texts])[order].astype(np.float32)
            total += float((vectors.float().cpu().numpy() * targets).sum())
            mentions += len(order)
        return {"score": total / mentions} if mentions else {}

    def _long_forms(self, seed: int) -> Tensor:
        """Return the mean distance of a sample of long forms from the teacher's vectors."""
        rng = np.random.default_rng([self.seed, 1, seed])
        names = [self.long_forms[i] for i in rng.integers(len(self.long_forms), size=LONG_FORMS)]
        packed = pack(list(group_into_rows(self.pieces.encode_long_forms(names))), self.pieces.pad)
        packed = packed.to(self._device)
        self._teacher.to(self._device)  # the training loop moves only the student
        with torch.no_grad():
            targets = self._teacher.encode_long_forms(packed)
        return 1 - (self.module.encode_long_forms(packed) * targets).sum(-1).mean()

    def _read(self, texts: Sequence[Lesson]) -> tuple[Tensor, list[int]]:
        """Encode the mentions of texts with the student; return vectors and mention indices."""
        mentions = [
            mention for number, text in enumerate(texts) for mention in text.mentions(number)
        ]
        windows = sorted(shared_windows(self.pieces, mentions), key=lambda window: len(window.ids))
        passes = max(1, round(sum(len(window.ids) for window in windows) / TOKENS))
        parts = [windows[a:b] for a, b in equal_parts(len(windows), min(passes, len(windows)))]
        order = [
            context for part in parts for window in part for context in window.mentions.tolist()
        ]
        return torch.cat([self._pass(part) for part in parts]), order

    def _pass(self, part: Sequence[SharedWindow]) -> Tensor:
        batch = WindowBatch.from_windows(part, self.pieces.pad)
        query: Tensor = self.module(*(torch.from_numpy(array).to(self._device) for array in batch))
        return query

    @property
    def _device(self) -> torch.device:
        return self.module.scale.device


LONG_FORM_EVERY = 40
"""The vectors of the long forms of one in this many samples are kept."""


def distillation(
    settings: RunSettings,
    start: Path,
    training: Sequence[Sample],
    held_out: Sequence[Sample],
    folder: Path,
    report: Callable[[dict[str, Any]], None],
) -> Recipe:
    """Prepare the training of a model that reads shared windows, with the start as its teacher.

    Args:
        settings: The run's settings.
        start: Folder of AcroBERT weights that read each mention by itself.
        training: Samples to train on.
        held_out: Samples on which the best weights are selected.
        folder: Cache folder of the teacher's vectors.
        report: Called with the number of texts read so far.

    Returns:
        The recipe. Its model keeps all that the start has except measured precisions.

    Raises:
        InputError: If there are too few texts, or the start can't be a teacher.
    """
    if len(training) < settings.training.batch_size:
        raise InputError(
            f"{settings.samples}: {len(training)} texts at a share of {settings.share}: too few "
            "for a batch. Raise objective.share."
        )
    teacher = AcroBERT.load(start)
    if not is_acrobert(start) or teacher.settings.shared:
        raise InputError(
            f"{start}: the teacher has to be weights of AcroBERT that read each mention by itself, "
            "such as those of configs/acrobert.cfg. Give them with --start."
        )
    student = AcroBERT.load(start)
    student.settings = replace(student.settings, shared=True, precisions=())
    dictionary = Dictionary.open()
    seed = settings.training.seed
    rng = np.random.default_rng(seed)
    taught = [
        lessons(
            teacher, samples, dictionary, folder, rng, lambda done: report({"texts read": done})
        )
        for samples in (held_out, training)
    ]
    named = islice(read_samples(settings.samples), 0, None, LONG_FORM_EVERY)
    objective = DistilledObjective(
        student,
        teacher,
        taught[1],
        taught[0],
        [sample.long_form for sample in named],
        batch_size=settings.training.batch_size // settings.training.accumulate,
        seed=seed,
    )

    def model() -> AcroBERT:
        return student.with_weights(objective.module.weights())

    return Recipe(objective, model)
