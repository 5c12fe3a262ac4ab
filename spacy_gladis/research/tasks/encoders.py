"""Loads text encoders with the `transformers` library, and computes token vectors with them."""

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
from ...linking.model_folder import is_acrobert
from ..training.network import AcroNetwork, inference
from ..training.start import find_start

LONGEST = 256
"""Maximum number of word pieces of a text. The encoder does not read the pieces beyond it."""

READ_AT_ONCE = 32
"""Number of texts that an encoder reads in one batch."""


def load_encoder(folder: Path) -> tuple[nn.Module, Any]:
    """Load a text encoder and its tokenizer from a folder, with the `transformers` library.

    A folder of AcroBERT's weights is converted to the library's BERT or MPNet model.

    Args:
        folder: Folder of a checkpoint in the format of `transformers`, or of AcroBERT's weights.

    Returns:
        The encoder with its weights in float32, and its tokenizer.

    Raises:
        FormatError: If the library cannot load an encoder from the folder.
        MissingExtraError: If `transformers` is not installed.
    """
    try:
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging
    except ImportError as error:
        raise missing_extra("transformers", "evaluation") from error
    if is_acrobert(folder):
        return _acrobert_encoder(folder)
    logging.set_verbosity_error()  # transformers warns about weights of unused heads
    try:
        config = json.loads((folder / "config.json").read_text("utf8"))
        kind = config.get("model_type")
        pooler = {"add_pooling_layer": False} if kind in ("bert", "mpnet") else {}
        encoder = AutoModel.from_pretrained(folder, **pooler, attn_implementation="eager")
        tokenizer = AutoTokenizer.from_pretrained(folder, use_fast=True)
    except (OSError, ValueError, KeyError) as error:
        raise FormatError(
            f"{folder}: not an encoder that transformers can load ({error}). Give a folder with "
            "the config.json, weights and tokenizer of an encoder."
        ) from None
    return encoder.float(), tokenizer


def _acrobert_encoder(folder: Path) -> tuple[nn.Module, Any]:
    import transformers

    network = AcroNetwork.of(AcroBERT.load(folder).weights).bert
    tensors, settings = network.state_dict(), network.config.to_dict()
    family = "Bert"
    if network.config.model_type == "mpnet":
        del settings["type_vocab_size"]  # the MPNet of transformers has no segments
        tensors, family = _rename_for_mpnet(tensors), "MPNet"
    config, model, tokenizer = (
        getattr(transformers, f"{family}{part}") for part in ("Config", "Model", "TokenizerFast")
    )
    encoder = model(config(**settings, attn_implementation="eager"), add_pooling_layer=False)
    encoder.load_state_dict(tensors)
    return encoder, tokenizer(tokenizer_file=str(folder / "tokenizer.json"))


def _rename_for_mpnet(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Rename the tensors to those of transformers' MPNetModel, and drop the segment embeddings."""
    renamed = {}
    for name, value in tensors.items():
        for theirs, ours in MPNET_NAMES:
            name = name.replace(ours, theirs)
        if name != SEGMENTS:
            renamed[name] = value
    return renamed


class TokenVectors:
    """Computes a vector for each word of a tokenized text with a pretrained encoder.

    A word's vector depends on its context: it is the mean of the vectors that the encoder's last
    layer gives to the word's pieces.

    Attributes:
        encoder: The pretrained encoder, a model of the `transformers` library.
        tokenizer: The tokenizer that belongs to the encoder.
        width: Number of dimensions of a word's vector.
    """

    def __init__(self, bert: str) -> None:
        """Load the encoder and its tokenizer.

        Args:
            bert: The encoder to load: a folder, `package:NAME` for an installed Python package, or
                a name on the Hugging Face hub, such as "bert-base-uncased".

        Raises:
            InputError: If there is no such encoder.
        """
        self.encoder, self.tokenizer = load_encoder(find_start(bert))
        self.width = int(self.encoder.config.hidden_size)  # type: ignore[union-attr,arg-type]

    def __call__(self, texts: Sequence[Sequence[str]]) -> list[NDArray[np.float16]]:
        """Compute the vector of every word in tokenized texts.

        Args:
            texts: Texts as lists of words.

        Returns:
            An array for each text, float16 [words, width], in the order of `texts`. The words that
            come after the first `LONGEST` word pieces of a text have zero vectors.
        """
        read = last_states(self.encoder, self.tokenizer, [list(text) for text in texts])
        vectors = {i: _means(states, words, len(texts[i])) for i, states, words in read}
        return [vectors[index] for index in range(len(texts))]


def last_states(
    encoder: nn.Module,
    tokenizer: Any,
    texts: Sequence[str] | Sequence[list[str]],
    precision: torch.dtype | None = None,
) -> Iterator[tuple[int, Floats, list[int | None]]]:
    """Compute the states that an encoder's last layer gives to the word pieces of texts.

    Texts of similar length are encoded in one batch. Therefore the results do not come in the order
    of the texts.

    Args:
        encoder: An encoder of the `transformers` library.
        tokenizer: The tokenizer that belongs to the encoder.
        texts: Texts as strings, or as lists of words.
        precision: Data type to compute in, torch.float32 or torch.bfloat16. None uses bfloat16 if
            the device supports it natively.

    Yields:
        For each text, a tuple of three items: the text's index in `texts`, the states of its
        pieces, float32 [pieces, width], and the index of each piece's word. This index is None for
        special tokens and for padding.
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
    """Average the states of the pieces of each word. Returns an array [count, width]."""
    pieces = [(index, word) for index, word in enumerate(words) if word is not None]
    piece_indices, word_indices = np.array(pieces, np.int64).reshape(-1, 2).T
    sums = np.zeros((count, states.shape[1]), np.float32)
    np.add.at(sums, word_indices, states[piece_indices])
    sizes = np.bincount(word_indices, minlength=count)
    means: NDArray[np.float16] = (sums / np.maximum(sizes, 1)[:, None]).astype(np.float16)
    return means
