"""Helpers for systems without a tokenizer: the words of contexts, and the cosine of two vectors."""

import re

import numpy as np

from ....arrays import Doubles
from ...datasets.sample import Sample

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Split a text into lower-case words: runs of letters, digits and underscores.

    Args:
        text: The text.

    Returns:
        The words in text order.
    """
    return _WORD.findall(text.lower())


def context_words(sample: Sample) -> list[str]:
    """Return the words around a mention, without the acronym itself.

    Args:
        sample: The mention in its context.

    Returns:
        Lower-case words in text order.
    """
    return words(sample.text[: sample.start]) + words(sample.text[sample.end :])


def cosine(left: Doubles, right: Doubles) -> float:
    """Compute the cosine of two vectors.

    Args:
        left: A vector, [width].
        right: A vector, [width].

    Returns:
        The cosine in -1..1, or 0 if either vector is zero.
    """
    norms = float(np.linalg.norm(left) * np.linalg.norm(right))
    return float(left @ right) / norms if norms else 0.0
