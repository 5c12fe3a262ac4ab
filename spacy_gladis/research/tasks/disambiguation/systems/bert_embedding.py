"""The system `bert-embedding`: cosine of the context and each long form, without training."""

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
    """Scores candidates by the cosine of two vectors, one of the context and one of the long form.

    Each vector is the mean of the token vectors in the last layer of a pretrained encoder, without
    special tokens. The encoder is not trained.

    The paper scores BERT, SciBERT and BioBERT by their next-sentence head instead (GLADIS, A.3).
    The system `nsp` does this. Many encoders have no such head.

    Attributes:
        checkpoint: Encoder to load: a folder, `package:NAME` or a Hugging Face name.
        device: Torch device to compute on, such as "cuda".
    """

    checkpoint: Checkpoint
    device: Device = "cpu"

    def fit(self, training: Training) -> None:
        """Load the pretrained encoder. Nothing is trained.

        Args:
            training: Not used, because the encoder is not trained.
        """
        encoder, self._tokenizer = load_encoder(find_start(self.checkpoint))
        self._encoder = encoder.eval().to(self.device)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Compute the cosine between the context of each mention and each of its candidates.

        Args:
            questions: Mentions of acronyms, each with its candidate long forms.

        Returns:
            The cosines for each mention, -1..1, float64 [candidates], in the order of the
            questions.
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
        """Compute the mean token vector of each text, scaled to length 1, [width]."""
        vectors: dict[int, Floats] = {}
        read = last_states(self._encoder, self._tokenizer, texts, torch.float32)
        for index, states, words in read:
            whole = states[[word is not None for word in words]].sum(0)
            vectors[index] = whole / max(float(np.linalg.norm(whole)), 1e-12)
        return [vectors[index] for index in range(len(texts))]
