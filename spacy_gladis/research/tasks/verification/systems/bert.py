"""Target sense verification by an encoder that reads context and sense as one sequence.

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
"""Number of pairs in a batch at inference."""

DROPOUT = 0.1
"""Dropout probability before the last layer."""

Pooling = Literal["cls", "concat", "joint"]
"""Vectors that the answer is computed from. "cls" is `[CLS]`. "concat" adds target and sense, as in
the paper. "joint" also adds the product and the absolute difference of target and sense."""

WIDTH = {"cls": 1, "concat": 3, "joint": 5}
"""Number of concatenated vectors for each kind of pooling."""

REACH = 400
"""Number of context characters to keep on each side of the target."""

LONGEST = 256
"""Maximum number of tokens of a context with its sense."""


class SensePairs(NamedTuple):
    """A batch of contexts with their senses, as tensors [pairs, tokens].

    Attributes:
        ids: Token ids, int64.
        mask: Whether each token is a token rather than padding.
        segments: Segment ids, int64.
        target: Whether a token belongs to the target.
        sense: Weight of a token in the mean of the sense's words, float32.
    """

    ids: Tensor
    mask: Tensor
    segments: Tensor
    target: Tensor
    sense: Tensor

    def take(self, rows: Sequence[int]) -> "SensePairs":
        """Select pairs, and trim the padding that all of them have.

        Args:
            rows: Indices of the pairs.

        Returns:
            The selected pairs.
        """
        chosen = [part[rows] for part in self]
        width = round_up(int(chosen[1].sum(1).max()))
        return SensePairs(*(part[:, :width] for part in chosen))

    def to(self, device: torch.device) -> "SensePairs":
        """Move the tensors to a device.

        Args:
            device: The device to move to.

        Returns:
            The moved pairs.
        """
        return SensePairs(*(part.to(device) for part in self))


class VerificationNetwork(nn.Module):
    """An encoder with a linear layer that answers whether the target has the sense."""

    def __init__(self, encoder: nn.Module, pooling: Pooling) -> None:
        """Add a linear layer to an encoder.

        Args:
            encoder: An encoder of the `transformers` library.
            pooling: Vectors that the answer is computed from.
        """
        super().__init__()
        self.encoder, self.pooling = encoder, pooling
        hidden = int(encoder.config.hidden_size)  # type: ignore[union-attr,arg-type]
        self.dropout = nn.Dropout(DROPOUT)
        self.answer = nn.Linear(WIDTH[pooling] * hidden, 1)
        self.segments = getattr(encoder.config, "type_vocab_size", 0) > 1

    def forward(self, pairs: SensePairs) -> Tensor:
        """Compute the logit of each pair.

        Args:
            pairs: Pairs on the network's device.

        Returns:
            Logits, float32 [pairs].
        """
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
        """Compute the logit of each pair after moving the pairs to the network's device.

        Args:
            pairs: Pairs on any device.

        Returns:
            Logits, float32 [pairs].
        """
        logits: Tensor = self(pairs.to(self.answer.weight.device))
        return logits


def make_pairs(
    tokenizer: Any, contexts: Sequence[Mention], senses: Sequence[str], *, marked: bool = False
) -> SensePairs:
    """Tokenize each context with its sense, and mark the tokens of the target and of the sense.

    Args:
        tokenizer: A fast tokenizer of the `transformers` library.
        contexts: The targets in their texts.
        senses: A sense for each context.
        marked: Whether to put the target in quotation marks.

    Returns:
        The pairs.

    Raises:
        InputError: If a target's offsets lie outside its text.
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
    sides = np.array([encoded.sequence_ids(row) for row in range(len(cut))], dtype=np.float64)
    start, end = np.array(encoded["offset_mapping"]).transpose(2, 0, 1)
    first, last = np.array([[context.start, context.end] for context in cut]).T[..., None]
    target = torch.from_numpy((sides == 0) & (start < last) & (end > first))
    sense = np.zeros(sides.shape, dtype=np.float32)
    for row in range(len(cut)):
        words = encoded.word_ids(row)
        sizes = Counter(word for word, part in zip(words, sides[row], strict=True) if part == 1)
        sense[row] = [
            1 / sizes[word] if part == 1 else 0
            for word, part in zip(words, sides[row], strict=True)
        ]
    type_ids = encoded.get("token_type_ids")
    segments = torch.zeros_like(ids) if type_ids is None else torch.tensor(type_ids)
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
@SYSTEMS.register("bert-cls", "bert on [CLS] only.", "ours", pooling="cls")
@SYSTEMS.register("bert", "Encoder on [CLS], target and sense.", "WiC-TSV, section 4.1.1")
@dataclass
class BERTVerifier(FineTuned):
    """Verifies target senses with a fine-tuned encoder and a linear layer.

    Attributes:
        pooling: Vectors that the answer is computed from; "concat" is the paper's.
        marked: Whether to put the target in quotation marks.
        named: Whether to write the target word before the sense.
    """

    pooling: Pooling = "concat"
    marked: bool = False
    named: bool = False

    def fit(self, training: Training) -> None:
        """Fine-tune a fresh copy of the encoder.

        Args:
            training: The training set, with its labels.

        Raises:
            FormatError: If the encoder has no fast tokenizer.
        """
        torch.manual_seed(self.seed)  # of the new layer's first weights
        encoder, self._tokenizer = load_encoder(self.start)
        if not self._tokenizer.is_fast:
            raise FormatError(
                f"{self.start}: the tokenizer gives no offsets. Use a checkpoint with a fast "
                "(Rust) tokenizer."
            )
        freeze(encoder, self.frozen)
        network = self._network = VerificationNetwork(encoder, self.pooling)
        pairs = self._pairs(training.senses)
        lengths = pairs.mask.sum(1).tolist()
        self.finetune(network, lambda rows: network.of(pairs.take(rows)), training.labels, lengths)

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """Predict probabilities, in batches of pairs of similar length.

        Args:
            questions: Target senses in their contexts.

        Returns:
            Probabilities [questions].
        """
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
        contexts = [sense.mention for sense in senses]
        texts = [
            f"{sense.target}: {sense.sense}"
            if self.named
            # The paper's order: the definition, then the hypernyms (section 4.1.3).
            else " ".join([sense.definition, ", ".join(sense.hypernyms)]).strip()
            for sense in senses
        ]
        return make_pairs(self._tokenizer, contexts, texts, marked=self.marked)
