"""The words of contexts, for systems without a tokenizer of their own, and cosines."""

import re

import numpy as np

from ....arrays import Doubles
from ...datasets.sample import Sample

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Return the words of a text in lower case: runs of letters, digits and underscores."""
    return _WORD.findall(text.lower())


def context_words(sample: Sample) -> list[str]:
    """Return the words around the mention; the acronym itself says nothing about its meaning."""
    return words(sample.text[: sample.start]) + words(sample.text[sample.end :])


def cosine(one: Doubles, other: Doubles) -> float:
    """Return the cosine of two vectors, 0 where one of them is zero."""
    norms = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / norms if norms else 0.0
