"""Target sense verification by one sequence: an encoder reads context and sense, a layer answers.

WiC-TSV (Breit et al., EACL 2021), section 4: the answer is read from `[CLS]`, or from `[CLS]` and
the means of the target word's and of the sense's sub-words.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from ....arrays import Doubles
from ....encoder.checkpoints import MPNET_NAMES, SEGMENTS
from ....encoder.word_pieces import rounded
from ....errors import FormatError, missing_extra
from ....linking.acrobert import AcroBERT
from ....text import Mention
from ...datasets.wic_tsv import TargetSense
from ...training.network import AcroNetwork, inference, mean_of
from .protocol import FineTunedVerifier, freeze

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
    """Contexts with their senses, tokens [pairs, tokens]; booleans but for ids and segments."""

    ids: Tensor
    mask: Tensor
    segments: Tensor
    target: Tensor
    sense: Tensor

    def take(self, rows: Sequence[int]) -> "SensePairs":
        """Some of the pairs, without the padding that they all have."""
        chosen = [part[rows] for part in self]
        width = rounded(int(chosen[1].sum(1).max()))
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


def load_encoder(folder: Path) -> tuple[nn.Module, Any]:
    """An encoder and its tokenizer, of the `transformers` library: any checkpoint, or AcroBERT's.

    Raises FormatError when the folder holds none, MissingExtraError without transformers.
    """
    try:
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging
    except ImportError as error:
        raise missing_extra("transformers", "evaluation") from error
    if (folder / "acrobert.json").is_file():
        return _acrobert_encoder(folder)
    logging.set_verbosity_error()  # heads that are not used are not news
    try:
        config = json.loads((folder / "config.json").read_text("utf8"))
        kind = config.get("model_type")
        pooler = {"add_pooling_layer": False} if kind in ("bert", "mpnet") else {}
        encoder = AutoModel.from_pretrained(folder, **pooler, attn_implementation="eager")
        tokenizer = AutoTokenizer.from_pretrained(folder, use_fast=True)
    except (OSError, ValueError, KeyError) as error:
        raise FormatError(
            f"{folder}: no encoder that transformers loads ({error}). Give the folder of one."
        ) from None
    return encoder.float(), tokenizer


def _acrobert_encoder(folder: Path) -> tuple[nn.Module, Any]:
    import transformers

    own = AcroNetwork.of(AcroBERT.load(folder).weights).bert
    tensors, settings = own.state_dict(), own.config.to_dict()
    family = "Bert"
    if own.config.model_type == "mpnet":
        del settings["type_vocab_size"]  # transformers' MPNet is never given segments
        tensors, family = _under_names_of_mpnet(tensors), "MPNet"
    config, model, tokenizer = (
        getattr(transformers, f"{family}{part}") for part in ("Config", "Model", "TokenizerFast")
    )
    encoder = model(config(**settings, attn_implementation="eager"), add_pooling_layer=False)
    encoder.load_state_dict(tensors)
    return encoder, tokenizer(tokenizer_file=str(folder / "tokenizer.json"))


def _under_names_of_mpnet(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """An encoder's tensors as transformers' MPNetModel has them, which takes no segments."""
    renamed = {}
    for name, value in tensors.items():
        for theirs, ours in MPNET_NAMES:
            name = name.replace(ours, theirs)
        if name != SEGMENTS:
            renamed[name] = value
    return renamed


def make_pairs(
    tokenizer: Any, contexts: Sequence[Mention], senses: Sequence[str], *, marked: bool = False
) -> SensePairs:
    """Tokenise contexts with a sense each, the target's and the sense's tokens told apart.

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
    given = encoded.get("token_type_ids")
    segments = torch.zeros_like(ids) if given is None else torch.tensor(given)
    mask = torch.tensor(encoded["attention_mask"]).bool()
    return SensePairs(ids, mask, segments, target, torch.from_numpy(of == 1))


def _around(context: Mention, marked: bool) -> Mention:
    left, target, right = context.within(REACH)
    mark = '"' if marked else ""
    first = len(left) + len(mark)
    return Mention(f"{left}{mark}{target}{mark}{right}", first, first + len(target))


@dataclass
class BertVerifier(FineTunedVerifier):
    """An encoder, fine-tuned with a linear layer on top.

    start: folder of the encoder: any that transformers loads, or AcroBERT's. pooling: what the
    answer is read from, "concat" is the paper's. marked: put the target in quotation marks.
    named: put the target before the sense. training: see `FineTunedVerifier`.
    """

    pooling: Pooling = "concat"
    marked: bool = False
    named: bool = False
    network: VerificationNetwork = field(init=False, repr=False)
    _tokenizer: Any = None

    def fit(self, senses: Sequence[TargetSense], labels: Sequence[bool], seed: int) -> None:
        """Fine-tune a fresh copy of the encoder."""
        torch.manual_seed(seed)  # of the new layer's first weights
        encoder, self._tokenizer = load_encoder(self.start)
        if not self._tokenizer.is_fast:
            raise FormatError(
                f"{self.start}: a tokenizer without offsets; a fast one (Rust) is needed"
            )
        freeze(encoder, self.frozen)
        network = self.network = VerificationNetwork(encoder, self.pooling)
        pairs = self._pairs(senses)
        lengths = pairs.mask.sum(1).tolist()
        self._finetune(network, lambda rows: network.of(pairs.take(rows)), labels, lengths, seed)

    def predict(self, senses: Sequence[TargetSense]) -> Doubles:
        """Probabilities, the pairs read in batches of similar length."""
        pairs = self._pairs(senses)
        order = pairs.mask.sum(1).argsort(stable=True).tolist()
        probabilities = np.zeros(len(senses))
        with inference(self.network):
            for first in range(0, len(order), BATCH):
                rows = order[first : first + BATCH]
                logits = self.network.of(pairs.take(rows))
                probabilities[rows] = logits.sigmoid().double().cpu().numpy()
        return probabilities

    def _pairs(self, senses: Sequence[TargetSense]) -> SensePairs:
        contexts = [one.mention for one in senses]
        texts = [f"{one.target}: {one.sense}" if self.named else one.sense for one in senses]
        return make_pairs(self._tokenizer, contexts, texts, marked=self.marked)
