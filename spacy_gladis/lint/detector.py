"""A pipeline that finds acronyms and definitions by rules: no network, no dictionary."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import spacy
from spacy.language import Language

from ..dictionary.own_entries import read_own_entries
from ..errors import InputError
from ..pipeline.acronym_detector import AcronymDetector
from ..pipeline.load import LONGEST_TEXT


def load_detector(language: str = "en", overlay: Sequence[str | Path] = ()) -> Language:
    """The pipeline for a language of spaCy's. Raises InputError where there is none such.

    overlay: files of own entries: what is an acronym, and what is none. Wrong ones raise as
        `read_own_entries` says.
    """
    entries = read_own_entries(overlay)
    try:
        nlp = spacy.blank(language)
    except ImportError:
        raise InputError(f"spaCy has no language '{language}'. Give a code such as en.") from None
    detector = cast(AcronymDetector, nlp.add_pipe("acronym_detector"))
    if entries:
        detector.dictionary.add_rows(entries)
    nlp.max_length = LONGEST_TEXT
    return nlp
