"""Vectors that take hours: kept as they are made, so that an interrupted run goes on from them."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

import numpy as np

from ...files import writing
from ...modeling.acrobert import AcroBERT
from ...modeling.calibration import Floats

T = TypeVar("T")


def kept(
    folder: Path | None,
    encoder: AcroBERT,
    texts: Sequence[T],
    encode: Callable[[Sequence[T]], Floats],
) -> Floats:
    """The vectors [texts, width] that `encode` gives, or those that the folder has of the same.

    The file's name tells the encoder's weights and the texts, so that those of others are never
    taken for these. folder: None keeps nothing.
    """
    if folder is None:
        return encode(texts)
    told = repr((encoder.fingerprint(), encoder.settings.shared, texts))
    path = folder / f"vectors-{blake2b(told.encode(), digest_size=8).hexdigest()}.npy"
    if path.is_file():
        found: Floats = np.load(path)
        if len(found) == len(texts):
            return found
    vectors = encode(texts)
    with writing(path) as temporary, temporary.open("wb") as file:
        np.save(file, vectors)
    return vectors
