"""Whether two long forms say the same."""

from rapidfuzz import fuzz

from ..rules import merge_key

ALIKE = 85.0
"""Merge keys at least this alike (rapidfuzz ratio, 0..100) are one meaning, as in the linker."""


def same_meaning(one: str, other: str) -> bool:
    """Whether two long forms are spellings of one: in number, in hyphens, in a few letters."""
    keys = merge_key(one), merge_key(other)
    return keys[0] == keys[1] or fuzz.ratio(*keys) >= ALIKE
