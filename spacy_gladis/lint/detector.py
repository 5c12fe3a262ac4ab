"""A pipeline that finds acronyms and definitions by rules: no network, no dictionary."""

import spacy
from spacy.language import Language

from ..errors import InputError
from ..pipeline.load import LONGEST_TEXT


def load_detector(language: str = "en") -> Language:
    """The pipeline for a language of spaCy's. Raises InputError where there is none such."""
    try:
        nlp = spacy.blank(language)
    except ImportError:
        raise InputError(f"spaCy has no language '{language}'. Give a code such as en.") from None
    nlp.add_pipe("acronym_detector")
    nlp.max_length = LONGEST_TEXT
    return nlp
