"""Text encoders of the `transformers` library, and the vectors that they compute."""

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
"""Maximum number of word pieces of an input. Longer inputs are truncated."""

READ_AT_ONCE = 32
"""Number of texts in a batch."""


def load_encoder(folder: Path) -> tuple[nn.Module, Any]:
    """Load an encoder and its tokenizer as classes of the `transformers` library.

    Args:
        folder: Folder of a checkpoint of that library, or of AcroBERT's weights.

    Returns:
        The encoder in float32 and its tokenizer.

    Raises:
        FormatError: If the folder holds no encoder.
        MissingExtraError: If `transformers` is not installed.
    """
    try:
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging
    except ImportError as error:
        raise missing_extra("transformers", "evaluation") from error
    if is_acrobert(folder):
        return _acrobert_encoder(folder)
    logging.set_verbosity_error()  # it warns about unused heads
    try:
        config = json.loads((folder / "config.json").read_text("utf8"))
        kind = config.get("model_type")
        pooler = {"add_pooling_layer": False} if kind in ("bert", "mpnet") else {}
        encoder = AutoModel.from_pretrained(folder, **pooler, attn_implementation="eager")
        tokenizer = AutoTokenizer.from_pretrained(folder, use_fast=True)
    except (OSError, ValueError, KeyError) as error:
        raise FormatError(
            f"{folder}: not an encoder that transformers can load ({error}). Give the folder of "
            "an encoder."
        ) from None
    return encoder.float(), tokenizer


def _acrobert_encoder(folder: Path) -> tuple[nn.Module, Any]:
    import transformers

    network = AcroNetwork.of(AcroBERT.load(folder).weights).bert
    tensors, settings = network.state_dict(), network.config.to_dict()
    family = "Bert"
    if network.config.model_type == "mpnet":
        del settings["type_vocab_size"]  # transformers' MPNet is never given segments
        tensors, family = _rename_for_mpnet(tensors), "MPNet"
    config, model, tokenizer = (
        getattr(transformers, f"{family}{part}") for part in ("Config", "Model", "TokenizerFast")
    )
    encoder = model(config(**settings, attn_implementation="eager"), add_pooling_layer=False)
    encoder.load_state_dict(tensors)
    return encoder, tokenizer(tokenizer_file=str(folder / "tokenizer.json"))


def _rename_for_mpnet(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Rename an encoder's tensors for transformers' MPNetModel, which takes no segments."""
    renamed = {}
    for name, value in tensors.items():
        for theirs, ours in MPNET_NAMES:
            name = name.replace(ours, theirs)
        if name != SEGMENTS:
            renamed[name] = value
    return renamed


class TokenVectors:
    """Computes the vectors of words in context with an encoder.

    A word's vector is the mean of its word pieces' vectors in the last layer.

    Attributes:
        encoder: The encoder.
        tokenizer: The encoder's tokenizer.
        width: Number of dimensions of a vector.
    """

    def __init__(self, bert: str) -> None:
        """Load an encoder by name.

        Args:
            bert: A folder, `package:NAME`, or a name on the Hugging Face hub.

        Raises:
            InputError: If there is no such model.
        """
        self.encoder, self.tokenizer = load_encoder(find_start(bert))
        self.width = int(self.encoder.config.hidden_size)  # type: ignore[union-attr,arg-type]

    def __call__(self, texts: Sequence[Sequence[str]]) -> list[NDArray[np.float16]]:
        """Compute the vectors of words in context.

        Args:
            texts: The words of each text.

        Returns:
            For each text, float16 [words, width]. Words beyond `LONGEST` word pieces have zero
            vectors.
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
    """Compute the last layer's states of texts, in batches of similar length.

    Args:
        encoder: An encoder of the `transformers` library.
        tokenizer: The encoder's tokenizer.
        texts: Texts, or the words of each text.
        precision: Setting of the same name of `inference`.

    Yields:
        The index of a text, its states, float32 [pieces, width], and the index of each piece's
        word, which is None for special tokens. Texts come in no particular order.
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
    """Average the states of each word's pieces, [count, width]."""
    pieces = [(index, word) for index, word in enumerate(words) if word is not None]
    piece_indices, word_indices = np.array(pieces, np.int64).reshape(-1, 2).T
    sums = np.zeros((count, states.shape[1]), np.float32)
    np.add.at(sums, word_indices, states[piece_indices])
    sizes = np.bincount(word_indices, minlength=count)
    means: NDArray[np.float16] = (sums / np.maximum(sizes, 1)[:, None]).astype(np.float16)
    return means
