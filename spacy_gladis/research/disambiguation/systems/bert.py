"""BERT as it is: vectors of tokens, cosines of sentences, next-sentence prediction."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ....arrays import Floats
from ....errors import InputError
from ...datasets.sample import Sample
from ...training.network import inference
from ...training.next_sentence import NextSentenceBERT
from ...training.start import find_start
from ...verification.systems.bert import load_encoder
from .protocol import Baseline, Candidates, Scores

LONGEST = 256  # word pieces
READ_AT_ONCE = 32


class TokenVectors:
    """The last layer's vectors, a word's the mean of its pieces'.

    bert: a folder, `package:NAME`, or a name on the Hugging Face hub. Raises InputError where there
    is no such model.
    """

    def __init__(self, bert: str) -> None:
        self.encoder, self.tokenizer = load_encoder(find_start(bert))
        self.width = int(self.encoder.config.hidden_size)  # type: ignore[union-attr,arg-type]

    def __call__(self, texts: Sequence[Sequence[str]]) -> list[NDArray[np.float16]]:
        """Vectors of each text's words, float16 [words, width]; 0 past the longest input."""
        read = last_states(self.encoder, self.tokenizer, [list(text) for text in texts])
        vectors = {at: _means(states, words, len(texts[at])) for at, states, words in read}
        return [vectors[index] for index in range(len(texts))]


def last_states(
    encoder: nn.Module,
    tokenizer: Any,
    texts: Sequence[str] | Sequence[list[str]],
    precision: torch.dtype | None = None,
) -> Iterator[tuple[int, Floats, list[int | None]]]:
    """Of each text its index, the last layer's states [pieces, width] and the word of each piece,
    None for those of no word; texts of like length are read together, in no order.

    texts: or their words. precision: as in `inference`.
    """
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    for first in range(0, len(order), READ_AT_ONCE):
        indices = order[first : first + READ_AT_ONCE]
        inputs = tokenizer(
            [texts[index] for index in indices],
            is_split_into_words=not isinstance(texts[indices[0]], str),
            padding=True,
            truncation=True,
            max_length=LONGEST,
            return_tensors="pt",
        )
        with inference(encoder, precision):
            states = encoder(**inputs).last_hidden_state.float().numpy()
        for row, index in enumerate(indices):
            yield index, states[row], inputs.word_ids(row)


def _means(states: Floats, words: Sequence[int | None], count: int) -> NDArray[np.float16]:
    """Means of the states of each word's pieces [count, width]."""
    pieces = [(place, word) for place, word in enumerate(words) if word is not None]
    places, at = np.array(pieces, np.int64).reshape(-1, 2).T
    sums = np.zeros((count, states.shape[1]), np.float32)
    np.add.at(sums, at, states[places])
    sizes = np.bincount(at, minlength=count)
    means: NDArray[np.float16] = (sums / np.maximum(sizes, 1)[:, None]).astype(np.float16)
    return means


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


class NextSentenceScorer(Baseline):
    """`1 - d` of BERT's next-sentence head, the way of GLADIS section 4.3; no probabilities."""

    def __init__(self, model: NextSentenceBERT) -> None:
        self.model = model

    @classmethod
    def load(cls, model: Path | None) -> "NextSentenceScorer":
        """With the published `acrobert.pt`, or a folder. Raises InputError for None."""
        if model is None:
            raise InputError("The system 'nsp' needs --model: acrobert.pt, or a BERT folder.")
        return cls(NextSentenceBERT.load(model))

    def predict(self, samples: Sequence[Sample], candidates: Candidates) -> Scores:
        """The score of each sample's candidates, each read by itself in the context."""
        contexts = [sample.mention for sample in samples]
        names = [[candidate.long_form for candidate in options] for options in candidates]
        return [values.astype(np.float64) for values in self.model.score(contexts, names)]
