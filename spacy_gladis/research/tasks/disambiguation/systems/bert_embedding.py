"""An encoder without training: cosines of the context and each long form."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from .....arrays import Doubles, Floats
from ....training.start import find_start
from ...encoders import last_states, load_encoder
from ...options import Checkpoint, Device
from ..data import Question, Training
from ..system import SYSTEMS, DisambiguationSystem


@SYSTEMS.register("bert-embedding", "Cosine of mean vectors of any encoder.", "ours")
@dataclass
class BERTEmbedding(DisambiguationSystem):
    """Scores candidates by the cosine of the context's and the long form's mean token vectors.

    The vectors come from an encoder's last layer, without special tokens and without training.

    The paper scores BERT, SciBERT and BioBERT by their next-sentence head (`nsp`; GLADIS, A.3),
    which many encoders lack.

    Attributes:
        checkpoint: The encoder's folder or name.
        device: Torch device to compute on, such as "cuda".
    """

    checkpoint: Checkpoint
    device: Device = "cpu"

    def fit(self, training: Training) -> None:
        """Load the encoder. Nothing is trained.

        Args:
            training: Not used by this system.
        """
        encoder, self._tokenizer = load_encoder(find_start(self.checkpoint))
        self._encoder = encoder.eval().to(self.device)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Compute the cosine of the context and each candidate.

        Args:
            questions: Mentions to disambiguate, with their candidates.

        Returns:
            For each mention, the cosines of its candidates in -1..1, float64 [candidates].
        """
        names = list(
            dict.fromkeys(c.long_form for question in questions for c in question.candidates)
        )
        vectors = dict(zip(names, self._encode(names), strict=True))
        contexts = self._encode([question.sample.text for question in questions])
        return [
            np.array([context @ vectors[c.long_form] for c in question.candidates], np.float64)
            for context, question in zip(contexts, questions, strict=True)
        ]

    def _encode(self, texts: Sequence[str]) -> list[Floats]:
        """Compute unit vectors of texts, each [width]."""
        vectors: dict[int, Floats] = {}
        read = last_states(self._encoder, self._tokenizer, texts, torch.float32)
        for index, states, words in read:
            whole = states[[word is not None for word in words]].sum(0)
            vectors[index] = whole / max(float(np.linalg.norm(whole)), 1e-12)
        return [vectors[index] for index in range(len(texts))]
