"""Encoders of the `transformers` library, and what they make of texts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ...arrays import Floats
from ...encoder.checkpoints import MPNET_NAMES, SEGMENTS
from ...errors import FormatError, missing_extra
from ...linking.acrobert import AcroBERT
from ..training.network import AcroNetwork, inference
from ..training.start import find_start

LONGEST = 256  # word pieces
READ_AT_ONCE = 32


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
        ).to(next(encoder.parameters()).device)
        with inference(encoder, precision):
            states = encoder(**inputs).last_hidden_state.float().cpu().numpy()
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
