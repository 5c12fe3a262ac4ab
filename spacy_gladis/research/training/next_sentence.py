"""BERT with its pre-training heads, the network of the published AcroBERT (GLADIS, section 4).

Each pass reads one pair, `[CLS] long form [SEP] context [SEP]`. The next-sentence head gives the
distance `d = P(y = 1)`, where class 1 is "does not belong together" and class 0 "belongs together".
Parameters are named as in transformers' BertForPreTraining, so any BERT checkpoint can be a start,
and the published weights load unchanged.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from safetensors.torch import save_model
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ...arrays import Floats
from ...encoder.checkpoints import read_tensors, rename_tensors
from ...encoder.encoder import EncoderConfig
from ...encoder.engines.torch import Transformer, tokens_per_pass
from ...encoder.weights import NAME
from ...encoder.word_pieces import LONG_FORM_PIECES, TokenIds, WordPieces, batch_by_length, pad
from ...errors import FormatError, InputError
from ...files import write_json, writing
from ...linking.model_folder import find_weights
from ...text import Mention
from .network import inference

APART = 1
"""Class of the next-sentence head that means "long form and context do not belong together"."""

HEADS = ("bert.pooler.", "cls.")
"""Prefixes of parameters that may be missing in a checkpoint to start training from."""


NOT_HIDDEN = -100
"""Label of a word piece that is not masked (torch's default)."""


class SentencePairs(NamedTuple):
    """A batch of pairs of a long form and a context.

    Attributes:
        ids: Word pieces, [pairs, tokens].
        segments: 0 for the long form, 1 for the context, [pairs, tokens].
        mask: Whether each is a token rather than padding, [pairs, tokens].
        labels: Original word piece of each masked token, and NOT_HIDDEN for other tokens, [pairs,
            tokens].
    """

    ids: Tensor
    segments: Tensor
    mask: Tensor
    labels: Tensor

    def to(self, device: torch.device) -> "SentencePairs":
        """Return a copy on a device.

        Args:
            device: The device to move to.

        Returns:
            The pairs.
        """
        return SentencePairs(*(part.to(device) for part in self))


def make_pairs(
    long_forms: Sequence[TokenIds], windows: Sequence[TokenIds], pad_id: int
) -> SentencePairs:
    """Create pairs by joining each `[CLS] long form [SEP]` with its context, `[CLS] context [SEP]`.

    Args:
        long_forms: Word pieces of each pair's long form.
        windows: Word pieces of each pair's context.
        pad_id: Id of the padding token.

    Returns:
        The pairs, with nothing masked.
    """
    first = np.array([len(pieces) for pieces in long_forms])
    joined = [
        np.concatenate([pieces, window[1:]])
        for pieces, window in zip(long_forms, windows, strict=True)
    ]
    ids = pad(joined, pad_id)
    position = np.arange(ids.shape[1])
    mask = position < np.array([len(row) for row in joined])[:, None]
    segments = ((position >= first[:, None]) & mask).astype(np.int64)
    labels = np.full(ids.shape, NOT_HIDDEN)
    return SentencePairs(*map(torch.from_numpy, (ids, segments, mask, labels)))


def distances_of(logits: Tensor) -> Tensor:
    """Return the distances `d = P(y = 1)` of long forms and contexts.

    Args:
        logits: Next-sentence logits, [pairs, 2].

    Returns:
        Distances, 0..1, [pairs].
    """
    return torch.softmax(logits, -1)[:, APART]


class PooledEncoder(Transformer):
    """BERT with its pooler."""

    def __init__(self, config: EncoderConfig) -> None:
        """Create the encoder and its pooler.

        Args:
            config: Dimensions of the encoder.
        """
        super().__init__(config)
        width = config.hidden_size
        self.pooler = nn.ModuleDict({"dense": nn.Linear(width, width)})

    def pool(self, states: Tensor) -> Tensor:
        """Pool each sequence into one vector.

        Args:
            states: States, [batch, tokens, hidden].

        Returns:
            Vectors, [batch, hidden].
        """
        return torch.tanh(self.pooler["dense"](states[:, 0]))


class MaskedWordHead(nn.Module):
    """The masked-word head, whose output matrix is the encoder's word embeddings."""

    def __init__(self, config: EncoderConfig) -> None:
        """Create the layers.

        Args:
            config: Dimensions of the encoder.
        """
        super().__init__()
        width = config.hidden_size
        self.transform = nn.ModuleDict(
            {
                "dense": nn.Linear(width, width),
                "LayerNorm": nn.LayerNorm(width, eps=config.layer_norm_eps),
            }
        )
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, states: Tensor, words: Tensor) -> Tensor:
        """Return the logits of masked words.

        Args:
            states: States, [tokens, hidden].
            words: Word embeddings, [vocabulary, hidden].

        Returns:
            Logits, [tokens, vocabulary].
        """
        states = self.transform["LayerNorm"](F.gelu(self.transform["dense"](states)))
        return F.linear(states, words, self.bias)


class NextSentenceNetwork(nn.Module):
    """BERT, its pooler and the next-sentence head."""

    def __init__(self, config: EncoderConfig, *, words: bool = False) -> None:
        """Create the encoder and its heads.

        Args:
            config: Dimensions of the encoder.
            words: Whether to add the masked-word head.
        """
        super().__init__()
        self.bert = PooledEncoder(config)
        heads: dict[str, nn.Module] = {"seq_relationship": nn.Linear(config.hidden_size, 2)}
        if words:
            heads["predictions"] = MaskedWordHead(config)
        self.cls = nn.ModuleDict(heads)
        for name, parameter in self.named_parameters():
            if name.startswith(HEADS) and parameter.ndim == 2:
                nn.init.normal_(parameter, std=0.02)  # as in BERT's initialisation

    def forward(self, pairs: SentencePairs) -> tuple[Tensor, Tensor]:
        """Compute the next-sentence logits of pairs.

        Args:
            pairs: The pairs.

        Returns:
            Next-sentence logits, [pairs, 2], and encoder states, [pairs, tokens, hidden].
        """
        positions = torch.arange(pairs.ids.shape[1], device=pairs.ids.device).expand_as(pairs.ids)
        mask = pairs.mask[:, None, None]
        states: Tensor = self.bert(pairs.ids, positions, pairs.segments, mask)
        return self.cls["seq_relationship"](self.bert.pool(states)).float(), states

    def word_logits(self, states: Tensor) -> Tensor:
        """Return the logits of masked words.

        Args:
            states: States of the masked words, [tokens, hidden].

        Returns:
            Logits, float32 [tokens, vocabulary].
        """
        logits: Tensor = self.cls["predictions"](
            states, self.bert.embeddings.word_embeddings.weight
        )
        return logits.float()


def load_next_sentence(
    tensors: Mapping[str, Tensor], module: NextSentenceNetwork, source: Path, *, start: bool = False
) -> None:
    """Load the tensors of a BERT checkpoint, whatever naming scheme it has, into a network.

    Args:
        tensors: The checkpoint's tensors by name.
        module: The network.
        source: Origin of the tensors, for the error message.
        start: Whether heads may be missing, as in a sentence encoder. They keep their random
            weights.

    Raises:
        FormatError: If the tensors belong to another architecture.
    """
    expected = module.state_dict()
    matching = {
        name: value.float()
        for name, value in rename_tensors(tensors).items()
        if name in expected or name.startswith(("bert.embeddings.", "bert.encoder."))
        if "position_ids" not in name
    }
    new = {name: value for name, value in expected.items() if start and name.startswith(HEADS)}
    try:
        module.load_state_dict(new | matching)
    except RuntimeError as error:
        details = " ".join(line.strip() for line in str(error).splitlines()[1:])
        raise FormatError(
            f"{source}: not weights of a BERT with a next-sentence head ({details:.300}). "
            "Give a BERT checkpoint, or the published acrobert.pt."
        ) from None


BERT_BASE = EncoderConfig(30_522, 768, 12, 12, 3_072)
"""Dimensions of the published AcroBERT. Its file does not contain them."""

PUBLISHED_PIECES = 400
"""Number of word pieces of a pair that the published AcroBERT reads."""

WINDOW = "context_pieces"
"""Key of the context window's length in `config.json`."""


class NextSentenceBERT:
    """The next-sentence network with its tokenizer."""

    def __init__(self, module: NextSentenceNetwork, pieces: WordPieces, window: int) -> None:
        """Combine a network and its tokenizer.

        Args:
            module: The network.
            pieces: The tokenizer.
            window: Word pieces of context, centred on the mention.
        """
        self.module = module.eval()
        self.pieces = pieces.without_markers()
        self.window = window
        self.precision: torch.dtype | None = None

    @classmethod
    def load(
        cls,
        path: Path | str,
        *,
        start: bool = False,
        words: bool = False,
        dropout: float | None = None,
    ) -> "NextSentenceBERT":
        """Load a model from a folder, or from the published file `acrobert.pt`.

        The folder is one written by `save`, or a BERT checkpoint with its next-sentence head. For a
        file, the dimensions and the vocabulary are read from `config.json` and `vocab.txt` or
        `tokenizer.json` in the same folder. If these are missing, they are those of
        bert-base-uncased.

        Args:
            path: Folder or file.
            start: Whether the model will be trained, so that heads may be missing.
            words: Whether to load the masked-word head.
            dropout: Dropout probability. Defaults to the checkpoint's.

        Returns:
            The model in evaluation mode.

        Raises:
            InputError: If the path does not exist.
            FormatError: If the weights are of another architecture.
        """
        path = Path(path)
        if not path.exists():
            raise InputError(f"{path} does not exist. Give a folder or file of BERT weights.")
        folder = path if path.is_dir() else path.parent
        described = folder / "config.json"
        alone = path.is_file() and not described.is_file()
        config = BERT_BASE if alone else EncoderConfig.from_file(described)
        tensors = read_tensors(path)
        if dropout is not None:
            config = replace(config, hidden_dropout_prob=dropout)
        module = NextSentenceNetwork(config, words=words)
        load_next_sentence(tensors, module, path, start=start)
        longest = min(PUBLISHED_PIECES, config.max_position_embeddings)
        saved = {} if alone else json.loads(described.read_text("utf8"))
        window = saved.get(WINDOW, longest - LONG_FORM_PIECES)
        return cls(module, _find_pieces(folder, path, config), window)

    def save(self, folder: Path | str) -> None:
        """Save the model to a folder.

        `load` and transformers' BertForNextSentencePrediction can read it.

        Args:
            folder: The folder, created if missing.
        """
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        described = {**self.module.bert.config.to_dict(), WINDOW: self.window}
        write_json(folder / "config.json", described)
        self.pieces.save(folder)
        with writing(folder / NAME) as temporary:
            save_model(self.module, str(temporary), {"format": "pt"})

    def to(self, device: torch.device | str) -> "NextSentenceBERT":
        """Move the network to a device in place.

        Args:
            device: The device to move to.

        Returns:
            The model itself.
        """
        self.module.to(device)
        return self

    @property
    def device(self) -> torch.device:
        """Device of the network."""
        return next(self.module.parameters()).device

    def score(
        self, contexts: Sequence[Mention], long_forms: Sequence[Sequence[str]]
    ) -> list[Floats]:
        """Score the long forms of each mention with the next-sentence head.

        Each pair of context and long form is encoded separately, in batches of similar length.

        Args:
            contexts: Mentions in context.
            long_forms: Long forms of each mention.

        Returns:
            For each mention, `1 - d` of its long forms, float32 [long forms], 0..1. Higher scores
            are better.
        """
        windows = self.pieces.encode_windows(contexts, self.window)
        flat = self.pieces.encode_long_forms([name for names in long_forms for name in names])
        owner = [row for row, names in enumerate(long_forms) for _ in names]
        scores = np.zeros(len(flat), dtype=np.float32)
        lengths = [
            len(pieces) + len(windows[row].ids) for pieces, row in zip(flat, owner, strict=True)
        ]
        with inference(self.module, self.precision):
            for batch in batch_by_length(lengths, tokens_per_pass(self.device)):
                pairs = make_pairs(
                    [flat[i] for i in batch],
                    [windows[owner[i]].ids for i in batch],
                    self.pieces.pad,
                )
                distances = distances_of(self.module(pairs.to(self.device))[0])
                scores[batch] = 1 - distances.cpu().numpy()
        ends = np.cumsum([len(names) for names in long_forms])[:-1]
        return np.split(scores, ends)


def _find_pieces(folder: Path, path: Path, config: EncoderConfig) -> WordPieces:
    """Load the tokenizer in the weights' folder, or the packaged one of the same size."""
    has_own = any((folder / name).is_file() for name in ("tokenizer.json", "vocab.txt"))
    # The packaged model descends from bert-base-uncased and kept its vocabulary.
    pieces = WordPieces.load(folder if has_own else find_weights())
    size = pieces.tokenizer.get_vocab_size()
    if size > config.vocab_size or (size < config.vocab_size and not has_own):
        raise FormatError(
            f"{path}: {config.vocab_size} word vectors, but the tokenizer has {size} word pieces. "
            f"Put the checkpoint's own vocab.txt or tokenizer.json into {folder}."
        )
    return pieces
