"""Vectors of texts without a model: a bit for each word."""

import re
from hashlib import sha256

WIDTH = 512


def embed(text: str) -> list[float]:
    """The vector of a text's words, which is never zero."""
    vector = [0.0] * WIDTH
    vector[0] = 1e-3
    for word in re.findall(r"\w+", text.lower()):
        digest = sha256(word.encode()).digest()
        vector[1 + int.from_bytes(digest[:4], "big") % (WIDTH - 1)] += 1.0
    return vector
