"""Training of a model that encodes a text once for all mentions, with a slower model as teacher.

The teacher marks each mention and encodes the window around it separately. The student encodes an
unmarked window once for all mentions in it (`encoder/shared_windows.py`), and learns to compute the
same vectors as the teacher. It also keeps the vectors of long forms. The teacher's centroids,
topics and stored vectors are therefore valid for the student too.
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
"""Number of texts whose vectors are stored in one file of the cache."""

CUT = 0.25
"""Share of the texts that are shortened to the sentence of the sample's mention, so that the
student also learns from short texts."""

LONGEST = 12
"""Maximum number of characters of acronyms that are encoded in addition to a sample's own
mention."""

_WORD = re.compile(r"(?<!\w)[A-Za-z0-9][\w&/-]*\w")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")


@dataclass(frozen=True)
class Lesson:
    """A text for the student to encode, with the vectors that the teacher gave its mentions.

    Attributes:
        text: Text of the document, or the sentence of the sample's mention.
        spans: Start and end (exclusive) of each mention, in characters.
        vectors: Vectors of the mentions, float16 [mentions, width].
    """

    text: str
    spans: list[tuple[int, int]]
    vectors: NDArray[np.float16]

    def mentions(self, document: int) -> list[Mention]:
        """Return the mentions of the text as objects that the encoder reads.

        Args:
            document: Number of the document. Mentions of the same document can share a window.

        Returns:
            A mention for each of `spans`, in the same order.
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
    """Encode the mentions of samples' texts with the teacher.

    The mentions of a text are the sample's own mention and the other known acronyms of the text. A
    random quarter of the texts is shortened to a sentence (see `CUT`).

    Args:
        teacher: Model that encodes each mention separately.
        samples: Samples whose texts are encoded.
        acronyms: Acronyms that are encoded wherever they occur in the texts, such as those of a
            dictionary.
        folder: Cache folder of the vectors; see `kept_vectors`.
        rng: Random generator that selects the texts to shorten.
        report: Function that is called with the number of texts encoded so far.

    Returns:
        A lesson for each sample, in the order of the samples.
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
    """Return a sample's text, or its mention's sentence if `cut`, and its acronyms' offsets."""
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
"""The loss of a mention is divided by the number of mentions in its text, raised to this power.
Texts with many mentions therefore count more than others, but not in proportion."""

LONG_FORMS = 48
"""Number of long forms in each step whose vectors are compared with the teacher's."""

LONG_FORM_WEIGHT = 0.5
"""Weight of the loss of the long forms. The loss of the mentions has weight 1."""

TOKENS = 2048
"""Approximate number of tokens that are encoded in one pass. Windows of similar length share a
pass, which saves padding."""


class DistilledObjective:
    """A training objective that makes the student's vectors equal to the teacher's.

    The loss of a mention or long form is one minus the cosine of both vectors.
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
        """Create the objective from both models and the lessons.

        Args:
            student: Model to train.
            teacher: Model whose vectors of long forms the student should keep.
            training: Lessons to train on.
            held_out: Lessons that determine which weights of the run are the best.
            long_forms: Long forms whose vectors should stay the same.
            batch_size: Number of texts in a batch.
            seed: Random seed of the batches.
        """
        self.module, self.pieces = AcroNetwork.of(student.weights), student.pieces
        self._teacher = AcroNetwork.of(teacher.weights)
        self.training, self.held_out, self.long_forms = training, held_out, long_forms
        self.batch_size, self.seed = batch_size, seed

    def batch(self, step: int) -> list[int]:
        """Draw the texts of a training step. Each text occurs at most once in an epoch.

        Args:
            step: Number of the batch, starting at 0.

        Returns:
            Indices of the texts in the training lessons.
        """
        epoch, row = divmod(step, max(1, len(self.training) // self.batch_size))
        order = np.random.default_rng([self.seed, 0, epoch]).permutation(len(self.training))
        texts: list[int] = order[row * self.batch_size : (row + 1) * self.batch_size].tolist()
        return texts

    def split(self, batch: list[int], parts: int) -> list[list[int]]:
        """Split a batch into parts for a device with too little memory for the whole batch.

        Args:
            batch: Indices of the texts.
            parts: Maximum number of parts.

        Returns:
            The parts, whose sizes differ by at most one text. None of them is empty.
        """
        return [batch[first:last] for first, last in equal_parts(len(batch), parts)]

    def loss(self, batch: list[int]) -> tuple[Tensor, dict[str, float]]:
        """Compute the loss of a batch from its mentions and from a sample of long forms.

        Args:
            batch: Indices of the texts in the training lessons.

        Returns:
            The scalar loss, and for the log the parts `mention_loss` and `long_form_loss`.
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
        """Compute the mean cosine of the student's and the teacher's vectors of held-out mentions.

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
        """Return one minus the mean cosine of both models' vectors of random long forms."""
        rng = np.random.default_rng([self.seed, 1, seed])
        names = [self.long_forms[i] for i in rng.integers(len(self.long_forms), size=LONG_FORMS)]
        packed = pack(list(group_into_rows(self.pieces.encode_long_forms(names))), self.pieces.pad)
        packed = packed.to(self._device)
        self._teacher.to(self._device)  # the training loop moves only the student
        with torch.no_grad():
            targets = self._teacher.encode_long_forms(packed)
        return 1 - (self.module.encode_long_forms(packed) * targets).sum(-1).mean()

    def _read(self, texts: Sequence[Lesson]) -> tuple[Tensor, list[int]]:
        """Encode the mentions of texts with the student. Return their vectors and their indices."""
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
"""One in this many samples provides a long form whose vector should stay the same."""


def distillation(
    settings: RunSettings,
    start: Path,
    training: Sequence[Sample],
    held_out: Sequence[Sample],
    folder: Path,
    report: Callable[[dict[str, Any]], None],
) -> Recipe:
    """Prepare the training of a student that encodes a text once for all mentions.

    The checkpoint that the run starts from serves both as the teacher and as the student's initial
    weights.

    Args:
        settings: Settings of the run.
        start: Folder of AcroBERT weights that encode each mention separately.
        training: Samples to train on.
        held_out: Samples that determine which weights of the run are the best.
        folder: Cache folder of the teacher's vectors.
        report: Function that is called with `{"texts read": n}`, where n is the number of texts
            that the teacher has encoded so far.

    Returns:
        The recipe. The trained model has all tables and settings of the start, except the measured
        precisions.

    Raises:
        InputError: If there are fewer texts than fit into a batch, or `start` has no AcroBERT
            weights that encode each mention separately.
    """
    if len(training) < settings.training.batch_size:
        raise InputError(
            f"{settings.samples}: only {len(training)} texts were drawn at a share of "
            f"{settings.share}, but a batch has {settings.training.batch_size}. Raise "
            "objective.share."
        )
    teacher = AcroBERT.load(start)
    if not is_acrobert(start) or teacher.settings.shared:
        raise InputError(
            f"{start} cannot be the teacher. Give AcroBERT weights that read each mention by "
            "itself, such as those of configs/acrobert.cfg, with --start."
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
