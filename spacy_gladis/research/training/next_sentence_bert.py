"""The published AcroBERT, and any BERT trained its way: contexts and long forms in, scores out."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_model

from ...arrays import Floats
from ...errors import FormatError, InputError
from ...files import write_json, writing
from ...modeling.acrobert import PACKAGED
from ...modeling.checkpoints import read_tensors
from ...modeling.encoder import EncoderConfig
from ...modeling.engines.torch import tokens_per_pass
from ...modeling.tokens import LONG_FORM_PIECES, WordPieces, length_buckets
from ...modeling.weights import NAME
from ...rules import Mention
from .next_sentence import NextSentenceNetwork, infer_config, load_next_sentence, make_pairs
from .precision import inference

DESCRIPTION = "next_sentence.json"
VERSION = 1
PUBLISHED_PIECES = 400
"""Word pieces of a pair that the published AcroBERT reads."""


class NextSentenceBERT:
    """The network with its tokenizer. window: word pieces of context, centred on the mention."""

    def __init__(self, module: NextSentenceNetwork, pieces: WordPieces, window: int) -> None:
        self.module = module.eval()
        self.pieces = pieces.unmarked()
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
        """Read a folder (ours, or a BERT checkpoint with its next-sentence head) or `acrobert.pt`.

        A file holds no sizes and no vocabulary: they are those of `config.json` and `vocab.txt` or
        `tokenizer.json` beside it, else BERT's own sizes and bert-base-uncased's vocabulary.
        start: to be trained, so that heads may be missing; words: with the masked-word head;
        dropout: another one than the checkpoint's.
        Raises InputError without such a path, FormatError for another architecture.
        """
        path = Path(path)
        if not path.exists():
            raise InputError(f"{path}: no such folder or file of BERT weights")
        folder = path if path.is_dir() else path.parent
        described = folder / "config.json"
        if path.is_dir() or described.is_file():
            config = EncoderConfig.from_file(described)  # first, for it names a wrong architecture
            tensors = read_tensors(path)
        else:
            tensors = read_tensors(path)
            config = infer_config(tensors, path)
        if dropout is not None:
            config = replace(config, hidden_dropout_prob=dropout)
        module = NextSentenceNetwork(config, words=words)
        load_next_sentence(tensors, module, path, start=start)
        pieces = _find_pieces(folder, path, config)
        longest = min(PUBLISHED_PIECES, config.max_position_embeddings)
        return cls(module, pieces, _window(folder) or longest - LONG_FORM_PIECES)

    def save(self, folder: Path | str) -> None:
        """Write a folder that `load` and transformers' BertForNextSentencePrediction read."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / "config.json", self.module.bert.config.to_dict())
        write_json(folder / DESCRIPTION, {"version": VERSION, "window": self.window})
        self.pieces.save(folder)
        with writing(folder / NAME) as temporary:
            save_model(self.module, str(temporary), {"format": "pt"})

    def to(self, device: torch.device | str) -> "NextSentenceBERT":
        """Move the network to a device; in place."""
        self.module.to(device)
        return self

    @property
    def device(self) -> torch.device:
        return next(self.module.parameters()).device

    def score(
        self, contexts: Sequence[Mention], long_forms: Sequence[Sequence[str]]
    ) -> list[Floats]:
        """`1 - d` of each context's long forms: 0..1, higher fits better; float32 [long forms].

        One pass a pair, pairs of like length together.
        """
        windows = self.pieces.windows(contexts, self.window)
        flat = self.pieces.long_forms([name for names in long_forms for name in names])
        owner = [row for row, names in enumerate(long_forms) for _ in names]
        scores = np.zeros(len(flat), dtype=np.float32)
        lengths = [
            len(pieces) + len(windows[row].ids) for pieces, row in zip(flat, owner, strict=True)
        ]
        with inference(self.module, self.precision):
            for batch in length_buckets(lengths, tokens_per_pass(self.device)):
                pairs = make_pairs(
                    [flat[i] for i in batch],
                    [windows[owner[i]].ids for i in batch],
                    self.pieces.pad,
                )
                distances = self.module.distances(pairs.to(self.device))
                scores[batch] = 1 - distances.cpu().numpy()
        ends = np.cumsum([len(names) for names in long_forms])[:-1]
        return np.split(scores, ends)


def _window(folder: Path) -> int | None:
    path = folder / DESCRIPTION
    if not path.is_file():
        return None
    try:
        record: dict[str, Any] = json.loads(path.read_text("utf8"))
        if (version := record["version"]) != VERSION:
            raise FormatError(f"{path}: of version {version}, expected {VERSION}")
        return int(record["window"])
    except FormatError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{path}: not the description of a model ({error!r})") from None


def _find_pieces(folder: Path, path: Path, config: EncoderConfig) -> WordPieces:
    """The tokenizer beside the weights, else the packaged one if its vocabulary is as large."""
    own = any((folder / name).is_file() for name in ("tokenizer.json", "vocab.txt"))
    # The packaged model descends from bert-base-uncased and kept its vocabulary.
    pieces = WordPieces.load(folder if own else PACKAGED)
    size = pieces.tokenizer.get_vocab_size()
    if size > config.vocab_size or (size < config.vocab_size and not own):
        raise FormatError(
            f"{path}: {config.vocab_size} word vectors, but the tokenizer has {size} word pieces. "
            f"Put the checkpoint's own vocab.txt or tokenizer.json into {folder}."
        )
    return pieces
