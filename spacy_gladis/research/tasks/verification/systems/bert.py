"""Target sense verification by one sequence: an encoder reads context and sense, a layer answers.

WiC-TSV (Breit et al., EACL 2021), section 4.1: the answer is read from `[CLS]`, the target word and
the mean of the sense's words, where a word is the mean of its sub-words.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from .....arrays import Doubles
from .....encoder.word_pieces import round_up
from .....errors import FormatError
from .....text import Mention
from ....datasets.wic_tsv import TargetSense
from ....training.network import inference, mean_of
from ...encoders import load_encoder
from ..data import Training
from ..finetuning import FineTuned, freeze
from ..system import SYSTEMS

BATCH = 64
"""Pairs in one pass of prediction."""

DROPOUT = 0.1
"""Before the last layer."""

Pooling = Literal["cls", "concat", "joint"]
"""What the answer is read from: `[CLS]`; `[CLS]`, target and sense, the paper's; or those three
with the product and the difference of target and sense."""

WIDTH = {"cls": 1, "concat": 3, "joint": 5}
"""Vectors side by side."""

REACH = 400
"""Characters of context kept on either side of the target."""

LONGEST = 256
"""Tokens of a context and a sense together."""


class SensePairs(NamedTuple):
    """Contexts with their senses, tokens [pairs, tokens].

    mask, target: booleans. sense: what a token weighs in the mean of the sense's words.
    """

    ids: Tensor
    mask: Tensor
    segments: Tensor
    target: Tensor
    sense: Tensor

    def take(self, rows: Sequence[int]) -> "SensePairs":
        """Some of the pairs, without the padding that they all have."""
        chosen = [part[rows] for part in self]
        width = round_up(int(chosen[1].sum(1).max()))
        return SensePairs(*(part[:, :width] for part in chosen))

    def to(self, device: torch.device) -> "SensePairs":
        return SensePairs(*(part.to(device) for part in self))


class VerificationNetwork(nn.Module):
    """Logits of "the target has this sense here".

    encoder: of the `transformers` library. pooling: see `Pooling`.
    """

    def __init__(self, encoder: nn.Module, pooling: Pooling) -> None:
        super().__init__()
        self.encoder, self.pooling = encoder, pooling
        hidden = int(encoder.config.hidden_size)  # type: ignore[union-attr,arg-type]
        self.dropout = nn.Dropout(DROPOUT)
        self.answer = nn.Linear(WIDTH[pooling] * hidden, 1)
        self.segments = getattr(encoder.config, "type_vocab_size", 0) > 1

    def forward(self, pairs: SensePairs) -> Tensor:
        segments = {"token_type_ids": pairs.segments} if self.segments else {}
        states = self.encoder(pairs.ids, attention_mask=pairs.mask.long(), **segments)[0]
        parts = [states[:, 0]]
        if self.pooling != "cls":
            target, sense = mean_of(states, pairs.target), mean_of(states, pairs.sense)
            parts += [target, sense]
            if self.pooling == "joint":
                parts += [target * sense, (target - sense).abs()]
        logits: Tensor = self.answer(self.dropout(torch.cat(parts, -1))).squeeze(-1)
        return logits.float()

    def of(self, pairs: SensePairs) -> Tensor:
        """Logits [pairs], computed where the network is."""
        logits: Tensor = self(pairs.to(self.answer.weight.device))
        return logits


def make_pairs(
    tokenizer: Any, contexts: Sequence[Mention], senses: Sequence[str], *, marked: bool = False
) -> SensePairs:
    """Tokenise contexts with a sense each, and mark the target's and the sense's tokens.

    marked: put the target in quotation marks. Raises InputError for offsets outside a text.
    """
    cut = [_around(context, marked) for context in contexts]
    encoded = tokenizer(
        [context.text for context in cut],
        list(senses),
        truncation="longest_first",
        max_length=LONGEST,
        padding=True,
        return_offsets_mapping=True,
    )
    ids = torch.tensor(encoded["input_ids"])
    of = np.array([encoded.sequence_ids(row) for row in range(len(cut))], dtype=np.float64)
    start, end = np.array(encoded["offset_mapping"]).transpose(2, 0, 1)
    first, last = np.array([[one.start, one.end] for one in cut]).T[..., None]
    target = torch.from_numpy((of == 0) & (start < last) & (end > first))
    sense = np.zeros(of.shape, dtype=np.float32)
    for row in range(len(cut)):
        words = encoded.word_ids(row)
        sizes = Counter(word for word, part in zip(words, of[row], strict=True) if part == 1)
        sense[row] = [
            1 / sizes[word] if part == 1 else 0 for word, part in zip(words, of[row], strict=True)
        ]
    given = encoded.get("token_type_ids")
    segments = torch.zeros_like(ids) if given is None else torch.tensor(given)
    mask = torch.tensor(encoded["attention_mask"]).bool()
    return SensePairs(ids, mask, segments, target, torch.from_numpy(sense))


def _around(context: Mention, marked: bool) -> Mention:
    left, target, right = context.within(REACH)
    mark = '"' if marked else ""
    first = len(left) + len(mark)
    return Mention(f"{left}{mark}{target}{mark}{right}", first, first + len(target))


@SYSTEMS.register(
    "bert-joint",
    "bert-marked with product and difference.",
    "ours",
    pooling="joint",
    marked=True,
    named=True,
)
@SYSTEMS.register("bert-marked", "bert with the target in quotation marks.", "ours", marked=True)
@SYSTEMS.register("bert-cls", "bert on [CLS] alone.", "ours", pooling="cls")
@SYSTEMS.register("bert", "Encoder on [CLS], target and sense.", "WiC-TSV, section 4.1.1")
@dataclass
class BERTVerifier(FineTuned):
    """An encoder, fine-tuned with a linear layer on top.

    Attributes:
        pooling: What the answer is read from; "concat" is the paper's.
        marked: Put the target in quotation marks.
        named: Put the target before the sense.
    """

    pooling: Pooling = "concat"
    marked: bool = False
    named: bool = False

    def fit(self, training: Training) -> None:
        """Fine-tune a fresh copy of the encoder."""
        torch.manual_seed(self.seed)  # of the new layer's first weights
        encoder, self._tokenizer = load_encoder(self.start)
        if not self._tokenizer.is_fast:
            raise FormatError(
                f"{self.start}: a tokenizer without offsets; a fast one (Rust) is needed"
            )
        freeze(encoder, self.frozen)
        network = self._network = VerificationNetwork(encoder, self.pooling)
        pairs = self._pairs(training.senses)
        lengths = pairs.mask.sum(1).tolist()
        self.finetune(network, lambda rows: network.of(pairs.take(rows)), training.labels, lengths)

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """Probabilities, the pairs read in batches of similar length."""
        pairs = self._pairs(questions)
        order = pairs.mask.sum(1).argsort(stable=True).tolist()
        probabilities = np.zeros(len(questions))
        with inference(self._network):
            for first in range(0, len(order), BATCH):
                rows = order[first : first + BATCH]
                logits = self._network.of(pairs.take(rows))
                probabilities[rows] = logits.sigmoid().double().cpu().numpy()
        return probabilities

    def _pairs(self, senses: Sequence[TargetSense]) -> SensePairs:
        contexts = [one.mention for one in senses]
        texts = [
            f"{one.target}: {one.sense}"
            if self.named
            # The paper's order: the definition, then the hypernyms (section 4.1.3).
            else " ".join([one.definition, ", ".join(one.hypernyms)]).strip()
            for one in senses
        ]
        return make_pairs(self._tokenizer, contexts, texts, marked=self.marked)
