"""Find acronyms and definitions in plain strings, compare spellings, and encode labels.

The functions in this package need no spaCy objects. Positions are character offsets.
"""

from .bio import OUTSIDE, TokenSpan, decode_bio, encode_bio, repair_bio, viterbi
from .definitions import find_definitions, find_unmarked
from .document_phrases import Phrase, document_phrases
from .known import find_known, find_spelled
from .marked import Marked, pair_marked, settle
from .mention import Definition, Mention, Offsets
from .occurrences import defined_mentions, find_occurrences
from .schwartz_hearst import schwartz_hearst
from .shapes import find_acronyms, find_spaced, split_compounds
from .spelling import base_form, merge_key, variants
from .tokens import is_common_word, without_words, word_rate

__all__ = [
    "OUTSIDE",
    "Definition",
    "Marked",
    "Mention",
    "Offsets",
    "Phrase",
    "TokenSpan",
    "base_form",
    "decode_bio",
    "defined_mentions",
    "document_phrases",
    "encode_bio",
    "find_acronyms",
    "find_definitions",
    "find_known",
    "find_occurrences",
    "find_spaced",
    "find_spelled",
    "find_unmarked",
    "is_common_word",
    "merge_key",
    "pair_marked",
    "repair_bio",
    "schwartz_hearst",
    "settle",
    "split_compounds",
    "variants",
    "viterbi",
    "without_words",
    "word_rate",
]
