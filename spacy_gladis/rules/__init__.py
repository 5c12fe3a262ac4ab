"""Pure text: definitions in a string, acronym shapes and variants, merge keys, BIO codec."""

from spacy_gladis.rules.bio import OUTSIDE, TokenSpan, decode_bio, encode_bio, repair_bio
from spacy_gladis.rules.definition import Definition
from spacy_gladis.rules.definitions import find_definitions
from spacy_gladis.rules.marked import Marked, pair_marked, settle
from spacy_gladis.rules.merge_key import merge_key
from spacy_gladis.rules.occurrences import defined_mentions, find_occurrences
from spacy_gladis.rules.schwartz_hearst import schwartz_hearst
from spacy_gladis.rules.shapes import find_acronyms
from spacy_gladis.rules.unmarked import find_unmarked
from spacy_gladis.rules.variants import base_form, variants

__all__ = [
    "OUTSIDE",
    "Definition",
    "Marked",
    "TokenSpan",
    "base_form",
    "decode_bio",
    "defined_mentions",
    "encode_bio",
    "find_acronyms",
    "find_definitions",
    "find_occurrences",
    "find_unmarked",
    "merge_key",
    "pair_marked",
    "repair_bio",
    "schwartz_hearst",
    "settle",
    "variants",
]
