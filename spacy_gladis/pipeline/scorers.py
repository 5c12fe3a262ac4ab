"""How spaCy's `nlp.evaluate` and `spacy train` score the two components."""

from collections.abc import Callable, Iterable
from typing import Any

from spacy.training import Example


def make_acronym_detector_scorer() -> Callable[..., dict[str, Any]]:
    """The scorer of `acronym_detector`, for a config."""
    return score_acronyms


def make_acrobert_linker_scorer() -> Callable[..., dict[str, Any]]:
    """The scorer of `acrobert_linker`, for a config."""
    return score_links


def score_acronyms(
    examples: Iterable[Example], *, spans_key: str, long_forms_key: str, **_: Any
) -> dict[str, Any]:
    raise NotImplementedError


def score_links(examples: Iterable[Example], *, spans_key: str, **_: Any) -> dict[str, Any]:
    raise NotImplementedError
