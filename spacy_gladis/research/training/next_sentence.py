"""The network of the published AcroBERT: a BERT with its pre-training heads (GLADIS, section 4).

Each pass reads one pair, `[CLS] long form [SEP] context [SEP]`. The next-sentence head gives the
distance `d = P(y = 1)`, where class 1 is "does not belong together" and class 0 "belongs together".
Parameters have the same names as in transformers' BertForPreTraining. Training can therefore start
from any BERT checkpoint, and the published weights can be loaded unchanged.
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
"""Class of the next-sentence head for a long form and a context that do not belong together."""

HEADS = ("bert.pooler.", "cls.")
"""Prefixes of the parameters that may be missing in a checkpoint if the model will be trained."""


NOT_HIDDEN = -100
"""Label of a token that is not masked. The loss ignores this label, which is torch's default."""


class SentencePairs(NamedTuple):
    """A batch of pairs of a long form and a context.

    Attributes:
        ids: Ids of the word pieces, [pairs, tokens].
        segments: 0 for tokens of the long form and for padding, 1 for tokens of the context,
            [pairs, tokens].
        mask: Whether each token is a word piece rather than padding, bool [pairs, tokens].
        labels: Id of the original word piece of each masked token, and `NOT_HIDDEN` for all other
            tokens, [pairs, tokens].
    """

    ids: Tensor
    segments: Tensor
    mask: Tensor
    labels: Tensor

    def to(self, device: torch.device) -> "SentencePairs":
        """Return a copy of the batch on a device.

        Args:
            device: Device that the copy is moved to.
        """
        return SentencePairs(*(part.to(device) for part in self))


def make_pairs(
    long_forms: Sequence[TokenIds], windows: Sequence[TokenIds], pad_id: int
) -> SentencePairs:
    """Join long forms and contexts to a batch of pairs, `[CLS] long form [SEP] context [SEP]`.

    Args:
        long_forms: For each pair, the word piece ids of the long form with its special tokens,
            `[CLS] long form [SEP]`.
        windows: For each pair, the word piece ids of the context with its special tokens, `[CLS]
            context [SEP]`.
        pad_id: Id of the padding token.

    Returns:
        The batch, in which no word is masked.
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
    """Convert next-sentence logits to distances between long forms and contexts.

    The distance is the probability that they do not belong together, `d = P(y = 1)`.

    Args:
        logits: Logits of the next-sentence head, [pairs, 2].

    Returns:
        A distance for each pair, 0..1, [pairs].
    """
    return torch.softmax(logits, -1)[:, APART]


class PooledEncoder(Transformer):
    """A BERT encoder with its pooler, which the next-sentence head needs."""

    def __init__(self, config: EncoderConfig) -> None:
        """Create the encoder and its pooler, with untrained weights.

        Args:
            config: Dimensions of the encoder.
        """
        super().__init__(config)
        width = config.hidden_size
        self.pooler = nn.ModuleDict({"dense": nn.Linear(width, width)})

    def pool(self, states: Tensor) -> Tensor:
        """Compute one vector for each sequence from the state of its first token, `[CLS]`.

        Args:
            states: States of the encoder, [batch, tokens, hidden].

        Returns:
            A vector for each sequence, [batch, hidden].
        """
        return torch.tanh(self.pooler["dense"](states[:, 0]))


class MaskedWordHead(nn.Module):
    """The head that predicts masked words. Its output matrix is the encoder's word embeddings."""

    def __init__(self, config: EncoderConfig) -> None:
        """Create the layers of the head, with untrained weights.

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
        """Compute the logits of all word pieces for each masked token.

        Args:
            states: States of the masked tokens, [tokens, hidden].
            words: Word embeddings of the encoder, [vocabulary, hidden].

        Returns:
            The logits, [tokens, vocabulary].
        """
        states = self.transform["LayerNorm"](F.gelu(self.transform["dense"](states)))
        return F.linear(states, words, self.bias)


class NextSentenceNetwork(nn.Module):
    """A BERT encoder with its pooler, a next-sentence head and optionally a masked-word head."""

    def __init__(self, config: EncoderConfig, *, words: bool = False) -> None:
        """Create the encoder and its heads, with untrained weights.

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
        """Encode pairs of a long form and a context, and compute their next-sentence logits.

        Args:
            pairs: Batch of pairs.

        Returns:
            The next-sentence logits, float32 [pairs, 2], and the states of the encoder, [pairs,
            tokens, hidden].
        """
        positions = torch.arange(pairs.ids.shape[1], device=pairs.ids.device).expand_as(pairs.ids)
        mask = pairs.mask[:, None, None]
        states: Tensor = self.bert(pairs.ids, positions, pairs.segments, mask)
        return self.cls["seq_relationship"](self.bert.pool(states)).float(), states

    def word_logits(self, states: Tensor) -> Tensor:
        """Compute the logits of all word pieces for each masked token, with the masked-word head.

        Args:
            states: States of the masked tokens, [tokens, hidden].

        Returns:
            The logits, float32 [tokens, vocabulary].
        """
        logits: Tensor = self.cls["predictions"](
            states, self.bert.embeddings.word_embeddings.weight
        )
        return logits.float()


def load_next_sentence(
    tensors: Mapping[str, Tensor], module: NextSentenceNetwork, source: Path, *, start: bool = False
) -> None:
    """Load the tensors of a BERT checkpoint into a network.

    The naming schemes of known checkpoints are converted; see `rename_tensors`.

    Args:
        tensors: Tensors of the checkpoint by name.
        module: Network that receives the tensors.
        source: Path of the checkpoint, for the error message.
        start: Whether the model will be trained, so that the checkpoint may lack heads, as a
            sentence encoder does. Missing heads keep their random weights.

    Raises:
        FormatError: If the tensors don't fit the network, for instance because they belong to
            another architecture.
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
"""Dimensions of the published AcroBERT, whose file does not contain them."""

PUBLISHED_PIECES = 400
"""Maximum number of word pieces of a pair that the published AcroBERT reads."""

WINDOW = "context_pieces"
"""Key under which `config.json` stores the length of the context window."""


class NextSentenceBERT:
    """A BERT with a next-sentence head and its tokenizer, which scores long forms in a context.

    Attributes:
        module: The network.
        pieces: The tokenizer, which doesn't mark mentions.
        window: Maximum number of word pieces in the context around a mention.
        precision: Precision of matrix products when scoring, such as `torch.float32`. None to
            choose it by the device.
    """

    def __init__(self, module: NextSentenceNetwork, pieces: WordPieces, window: int) -> None:
        """Combine a network and its tokenizer to a model.

        Args:
            module: Network of the model. It is set to evaluation mode.
            pieces: Tokenizer of the network.
            window: Maximum number of word pieces in the context around a mention.
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

        The folder is one that `save` wrote, or a BERT checkpoint with its next-sentence head. If
        `path` is a file, the dimensions and the vocabulary are read from `config.json` and from
        `vocab.txt` or `tokenizer.json` in the same folder. Without these files, those of
        bert-base-uncased are used.

        Args:
            path: Path of the folder or file.
            start: Whether the model will be trained, so that the checkpoint may lack heads.
            words: Whether to load the masked-word head, which scoring doesn't need.
            dropout: Dropout probability for training, 0..1. Defaults to that of the checkpoint.

        Returns:
            The model in evaluation mode, on the CPU.

        Raises:
            InputError: If the path does not exist.
            FormatError: If the weights belong to another architecture, or the tokenizer doesn't fit
                them.
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

        Both `load` and transformers' BertForNextSentencePrediction can read the folder.

        Args:
            folder: Path of the folder. It is created if it doesn't exist.
        """
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        described = {**self.module.bert.config.to_dict(), WINDOW: self.window}
        write_json(folder / "config.json", described)
        self.pieces.save(folder)
        with writing(folder / NAME) as temporary:
            save_model(self.module, str(temporary), {"format": "pt"})

    def to(self, device: torch.device | str) -> "NextSentenceBERT":
        """Move the network to a device, in place.

        Args:
            device: Name of the device, such as "cpu" or "cuda".

        Returns:
            The same model, so that calls can be chained.
        """
        self.module.to(device)
        return self

    @property
    def device(self) -> torch.device:
        """Device that the network computes on."""
        return next(self.module.parameters()).device

    def score(
        self, contexts: Sequence[Mention], long_forms: Sequence[Sequence[str]]
    ) -> list[Floats]:
        """Score the long forms of each mention with the next-sentence head.

        Each pair of a long form and a context is encoded separately, in batches of pairs of similar
        length.

        Args:
            contexts: Mentions to score, with their texts.
            long_forms: Long forms of each mention.

        Returns:
            For each mention, a score `1 - d` for each of its long forms, float32 [long forms]. It
            is in 0..1, and the best long form has the highest score.
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
            f"{path} has {config.vocab_size} word vectors, but the tokenizer has {size} word "
            f"pieces. Put the checkpoint's own vocab.txt or tokenizer.json into {folder}."
        )
    return pieces
