"""The words that the systems without a tokenizer of their own read."""

import re

from ...datasets.sample import Sample

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """The words of a text in lower case: runs of letters, digits and underscores."""
    return _WORD.findall(text.lower())


def context_words(sample: Sample) -> list[str]:
    """The words around the mention; the acronym itself says nothing about its meaning."""
    return words(sample.text[: sample.start]) + words(sample.text[sample.end :])
