"""Systems that verify a sense with an encoder that reads context and sense as one sequence.

In the WiC-TSV paper (Breit et al., EACL 2021, section 4.1), a linear layer reads three vectors: the
state of `[CLS]`, the target word, and the mean of the sense's words. A word is the mean of its word
pieces. The paper does not report the settings of the training or the separators between the
definition and the hypernyms. Those of this module are ours.
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
"""Number of pairs of context and sense that are scored in one batch."""

DROPOUT = 0.1
"""Dropout probability before the last layer."""

Pooling = Literal["cls", "concat", "joint"]
"""Vectors from which the answer is computed. "cls" is only the state of `[CLS]`. "concat" adds the
vectors of the target and of the sense, as in the paper. "joint" also adds the product and the
absolute difference of these two."""

WIDTH = {"cls": 1, "concat": 3, "joint": 5}
"""Number of vectors that are joined in each kind of pooling."""

REACH = 400
"""Number of characters of the context that are kept on either side of the target word."""

LONGEST = 256
"""Maximum number of tokens of a context together with its sense."""


class SensePairs(NamedTuple):
    """A batch of pairs of a context and a sense, as tensors of the shape [pairs, tokens].

    Attributes:
        ids: Ids of the tokens, int64.
        mask: Whether there is a token, bool. False for padding.
        segments: Ids of the segments, which distinguish the context from the sense, int64.
        target: Whether a token belongs to the target word, bool.
        sense: Weight of a token in the mean over the sense's words, float32. 0 for tokens that do
            not belong to the sense.
    """

    ids: Tensor
    mask: Tensor
    segments: Tensor
    target: Tensor
    sense: Tensor

    def take(self, rows: Sequence[int]) -> "SensePairs":
        """Select some pairs of the batch, and remove the padding that all of them have.

        Args:
            rows: Indices of the pairs to select.

        Returns:
            A batch of the selected pairs, in the order of `rows`.
        """
        chosen = [part[rows] for part in self]
        width = round_up(int(chosen[1].sum(1).max()))
        return SensePairs(*(part[:, :width] for part in chosen))

    def to(self, device: torch.device) -> "SensePairs":
        """Move all tensors of the batch to a device.

        Args:
            device: Torch device to move the tensors to.

        Returns:
            The same batch on the device.
        """
        return SensePairs(*(part.to(device) for part in self))


class VerificationNetwork(nn.Module):
    """Network of an encoder and a linear layer that scores whether a word has a sense."""

    def __init__(self, encoder: nn.Module, pooling: Pooling) -> None:
        """Add a linear layer with random weights to an encoder.

        Args:
            encoder: Pretrained encoder of the `transformers` library.
            pooling: Vectors from which the answer is computed: "cls", "concat" or "joint".
        """
        super().__init__()
        self.encoder, self.pooling = encoder, pooling
        hidden = int(encoder.config.hidden_size)  # type: ignore[union-attr,arg-type]
        self.dropout = nn.Dropout(DROPOUT)
        self.answer = nn.Linear(WIDTH[pooling] * hidden, 1)
        self.segments = getattr(encoder.config, "type_vocab_size", 0) > 1

    def forward(self, pairs: SensePairs) -> Tensor:
        """Compute the logit that the target word has the sense, for each pair of a batch.

        Args:
            pairs: Pairs of context and sense, on the device of the network.

        Returns:
            The logits, float32 [pairs].
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
        """Move a batch to the network's device, and compute the logit of each pair.

        Args:
            pairs: Pairs of context and sense, on any device.

        Returns:
            The logits, float32 [pairs].
        """
        logits: Tensor = self(pairs.to(self.answer.weight.device))
        return logits


def make_pairs(
    tokenizer: Any, contexts: Sequence[Mention], senses: Sequence[str], *, marked: bool = False
) -> SensePairs:
    """Tokenize each context with its sense, and mark the tokens of the target and of the sense.

    Args:
        tokenizer: Fast tokenizer of the `transformers` library, which gives the offsets of tokens.
        contexts: Target words in their texts.
        senses: Description of a sense for each context.
        marked: Whether to put the target word in quotation marks.

    Returns:
        A batch with a pair for each context, in the same order.

    Raises:
        InputError: If the offsets of a target word are outside its text.
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
    """Verifies senses with a fine-tuned encoder that reads the context together with the sense.

    The paper fine-tunes BERT-base. Without `base`, this system starts from AcroBERT, which is
    smaller.

    Attributes:
        pooling: Vectors from which the answer is computed: "cls", "concat" (as in the paper) or
            "joint". See `Pooling`.
        marked: Whether to put the target word in quotation marks in the context.
        named: Whether to write the target word before the sense, as in "bank: a financial
            institution".
    """

    pooling: Pooling = "concat"
    marked: bool = False
    named: bool = False

    def fit(self, training: Training) -> None:
        """Load the encoder, and fine-tune it on the labelled senses.

        Args:
            training: Target words in their contexts, with senses and labels.

        Raises:
            FormatError: If the encoder has no fast tokenizer.
        """
        torch.manual_seed(self.seed)  # determines the initial weights of the new layer
        encoder, self._tokenizer = load_encoder(self.start)
        if not self._tokenizer.is_fast:
            raise FormatError(
                f"{self.start}: the tokenizer does not give the offsets of tokens. Use a "
                "checkpoint with a fast (Rust) tokenizer."
            )
        freeze(encoder, self.frozen)
        network = self._network = VerificationNetwork(encoder, self.pooling)
        pairs = self._pairs(training.senses)
        lengths = pairs.mask.sum(1).tolist()
        self.finetune(network, lambda rows: network.of(pairs.take(rows)), training.labels, lengths)

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """Predict the probability that each target word has the given sense.

        Args:
            questions: Target words in their contexts, each with a sense.

        Returns:
            The probabilities, float64 [questions], in the order of the questions.
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
            # The paper's order: the definition, then the hypernyms (section 4.1.3). The separators
            # are ours.
            else " ".join([sense.definition, ", ".join(sense.hypernyms)]).strip()
            for sense in senses
        ]
        return make_pairs(self._tokenizer, contexts, texts, marked=self.marked)
