"""Any BERT as it is: the context's mean vector against each long form's, by cosine."""

from collections.abc import Sequence

import numpy as np
import torch

from ....arrays import Floats
from ...datasets.sample import Sample
from ...training.start import find_start
from ...verification.systems.bert import load_encoder
from .protocol import Baseline, Candidates, Scores
from .token_vectors import last_states


class BERTEmbedding(Baseline):
    """Means of the last layer's vectors, the ends of the sequence apart; no training.

    bert: a folder, `package:NAME` (see 'train acrobert --start'), or a name on the Hugging Face
    hub, such as bert-base-uncased, allenai/scibert_scivocab_uncased, dmis-lab/biobert-v1.1.
    Raises InputError where there is no such model.
    """

    def __init__(self, bert: str) -> None:
        encoder, self.tokenizer = load_encoder(find_start(bert))
        self.model = encoder.eval()
        self._long_forms: dict[str, Floats] = {}

    def predict(self, samples: Sequence[Sample], candidates: Candidates) -> Scores:
        """Cosines of the context and each candidate."""
        names = dict.fromkeys(one.long_form for options in candidates for one in options)
        new = [name for name in names if name not in self._long_forms]
        self._long_forms.update(zip(new, self._encode(new), strict=True))
        contexts = self._encode([sample.text for sample in samples])
        return [
            np.array([context @ self._long_forms[one.long_form] for one in options], np.float64)
            for context, options in zip(contexts, candidates, strict=True)
        ]

    def _encode(self, texts: Sequence[str]) -> list[Floats]:
        """Unit vectors of texts."""
        vectors: dict[int, Floats] = {}
        for index, states, words in last_states(self.model, self.tokenizer, texts, torch.float32):
            whole = states[[word is not None for word in words]].sum(0)
            vectors[index] = whole / max(float(np.linalg.norm(whole)), 1e-12)
        return [vectors[index] for index in range(len(texts))]
