"""Functions that split texts into words and compare vectors, for systems without a tokenizer."""

import re

import numpy as np

from ....arrays import Doubles
from ...datasets.sample import Sample

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Split a text into lower-case words.

    A word is a sequence of letters, digits and underscores. For example, "State-of-the-art CNNs."
    has the words "state", "of", "the", "art" and "cnns".

    Args:
        text: Text to split.

    Returns:
        The words in text order. Repeated words are kept.
    """
    return _WORD.findall(text.lower())


def context_words(sample: Sample) -> list[str]:
    """Return the words of a text that come before and after the mention of an acronym.

    The mention itself is left out. If the acronym occurs a second time, it is kept there.

    Args:
        sample: A mention of an acronym in its text.

    Returns:
        Lower-case words in text order.
    """
    return words(sample.text[: sample.start]) + words(sample.text[sample.end :])


def cosine(left: Doubles, right: Doubles) -> float:
    """Compute the cosine similarity of two vectors.

    Args:
        left: First vector, [width].
        right: Second vector, [width].

    Returns:
        The cosine of the angle between the vectors, -1..1. 0 if all values of a vector are 0.
    """
    norms = float(np.linalg.norm(left) * np.linalg.norm(right))
    return float(left @ right) / norms if norms else 0.0
