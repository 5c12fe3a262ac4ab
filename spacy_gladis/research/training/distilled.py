"""A reader of shared windows, taught by one that reads each mention by itself.

The teacher marks a mention and reads a window around it, a pass for each. The student reads a
window once for all mentions in it (`modeling/shared_windows.py`), and learns to give each the
teacher's vector. Long forms keep theirs. So the teacher's centroids, topics and stored vectors stay
valid.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from ...modeling.acrobert import AcroBERT
from ...modeling.packing import in_rows
from ...modeling.shared_windows import SharedWindow, WindowBatch, shared_windows
from .network import AcroNetwork, pack
from .order import equal_parts
from .taught import Lesson

FEW = 0.7
"""The power of a text's number of mentions by which each of them is divided: texts of one count."""

LONG_FORMS = 48
"""Long forms a step that keep their vectors."""

LONG_FORM_WEIGHT = 0.5
"""Of their loss, beside that of the mentions."""

TOKENS = 2048
"""About as many in each pass, windows of like length together: little is padding."""


class DistilledObjective:
    """One minus the cosine of the student's and the teacher's vector, a weighted mean.

    held_out, training: what the teacher said. long_forms: names whose vectors are kept.
    batch_size: texts a step.
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
        self.module, self.pieces = AcroNetwork.of(student.weights), student.pieces
        self._teacher = AcroNetwork.of(teacher.weights)
        self.training, self.held_out, self.long_forms = training, held_out, long_forms
        self.batch_size, self.seed = batch_size, seed

    def batch(self, step: int) -> list[int]:
        """The texts of step `step`: each at most once an epoch."""
        epoch, row = divmod(step, max(1, len(self.training) // self.batch_size))
        order = np.random.default_rng([self.seed, 0, epoch]).permutation(len(self.training))
        texts: list[int] = order[row * self.batch_size : (row + 1) * self.batch_size].tolist()
        return texts

    def split(self, batch: list[int], parts: int) -> list[list[int]]:
        """Equal parts of a batch."""
        return [batch[first:last] for first, last in equal_parts(len(batch), parts)]

    def loss(self, batch: list[int]) -> tuple[Tensor, dict[str, float]]:
        """Of mentions and long forms; logs both."""
        texts = [self.training[index] for index in batch]
        vectors, order = self._read(texts)
        device = vectors.device
        said = np.concatenate([one.vectors for one in texts])[order]
        wanted = torch.from_numpy(said.astype(np.float32)).to(device)
        each = np.concatenate([[len(one.spans) ** -FEW] * len(one.spans) for one in texts])[order]
        weights = torch.from_numpy((each / each.sum()).astype(np.float32)).to(device)
        mentions = (weights * (1 - (vectors.float() * wanted).sum(-1))).sum()
        long_forms = self._long_forms(batch[0])
        loss = mentions + LONG_FORM_WEIGHT * long_forms
        return loss, {"mention_loss": mentions.item(), "long_form_loss": long_forms.item()}

    def evaluate(self) -> dict[str, float]:
        """The mean cosine of held-out mentions' vectors; nothing where no text is held out."""
        total, mentions = 0.0, 0
        for start in range(0, len(self.held_out), self.batch_size):
            texts = self.held_out[start : start + self.batch_size]
            vectors, order = self._read(texts)
            wanted = np.concatenate([one.vectors for one in texts])[order].astype(np.float32)
            total += float((vectors.float().cpu().numpy() * wanted).sum())
            mentions += len(order)
        return {"score": total / mentions} if mentions else {}

    def _long_forms(self, seed: int) -> Tensor:
        """How far some long forms have moved from the teacher's vectors."""
        rng = np.random.default_rng([self.seed, 1, seed])
        names = [self.long_forms[i] for i in rng.integers(len(self.long_forms), size=LONG_FORMS)]
        packed = pack(list(in_rows(self.pieces.long_forms(names))), self.pieces.pad)
        packed = packed.to(self._device)
        self._teacher.to(self._device)  # where the loop has moved the student
        with torch.no_grad():
            wanted = self._teacher.encode_long_forms(packed)
        return 1 - (self.module.encode_long_forms(packed) * wanted).sum(-1).mean()

    def _read(self, texts: Sequence[Lesson]) -> tuple[Tensor, list[int]]:
        """The student's vectors of the mentions, and the number of each."""
        mentions = [one for number, text in enumerate(texts) for one in text.mentions(number)]
        read = sorted(shared_windows(self.pieces, mentions), key=lambda one: len(one.ids))
        passes = max(1, round(sum(len(one.ids) for one in read) / TOKENS))
        parts = [read[a:b] for a, b in equal_parts(len(read), min(passes, len(read)))]
        order = [context for part in parts for one in part for context in one.contexts.tolist()]
        return torch.cat([self._pass(part) for part in parts]), order

    def _pass(self, part: Sequence[SharedWindow]) -> Tensor:
        batch = WindowBatch.of(part, self.pieces.pad)
        query: Tensor = self.module(*(torch.from_numpy(one).to(self._device) for one in batch))
        return query

    @property
    def _device(self) -> torch.device:
        return self.module.scale.device
