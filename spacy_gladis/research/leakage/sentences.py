"""What of a text is compared: its normal form, and its sentences."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .systems.ngrams import content_words

BOUNDARY = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[^\sa-z])")
MIN_WORDS = 4  # that are not stop words; likeness in fewer ("See also Figure 2.") proves nothing


def with_sentences(texts: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """Every text, then the sentences of those that hold several; and the text each came from.

    So a benchmark sentence is seen inside a wide context as well.
    """
    units, owners = list(texts), list(range(len(texts)))
    for owner, text in enumerate(texts):
        sentences = BOUNDARY.split(text)
        if len(sentences) > 1:
            long_enough = [one for one in sentences if len(content_words(one)) >= MIN_WORDS]
            units += long_enough
            owners += [owner] * len(long_enough)
    return units, np.array(owners, dtype=np.int64)


def normal(text: str) -> str:
    """The text in lower case with single blanks: what "equal" compares."""
    return " ".join(text.lower().split())
