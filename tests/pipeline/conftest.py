"""A pipeline with both components over the tiny weights and dictionary."""

from pathlib import Path

import pytest
import spacy
from spacy.language import Language


@pytest.fixture
def settings(tiny_weights: Path, tiny_dictionary: Path) -> dict[str, object]:
    """Settings of a linker over both; it answers whatever the probability."""
    model = {"@architectures": "spacy-gladis.AcroBERT.v1", "path": str(tiny_weights)}
    return {"model": model, "dictionary": str(tiny_dictionary), "threshold": 0.0}


@pytest.fixture
def nlp(settings: dict[str, object]) -> Language:
    """A pipeline with both components."""
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker", config=settings)
    return nlp


@pytest.fixture(scope="module")
def packaged() -> Language:
    """A pipeline with both components over the packaged weights and dictionary."""
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker")
    return nlp
