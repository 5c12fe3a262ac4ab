"""A pipeline with both components over the tiny weights and dictionary."""

from pathlib import Path

import pytest
import spacy
from spacy.language import Language

from spacy_gladis.linking import AcroBERT
from tests.support.scoring import make_network


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


@pytest.fixture
def scored(settings: dict[str, object], tiny_weights: Path, tmp_path: Path) -> Language:
    """The same pipeline, whose weights have a scoring network."""
    acrobert = AcroBERT.load(tiny_weights)
    acrobert.network = make_network()
    acrobert.save(tmp_path / "scored")
    model = {"@architectures": "spacy-gladis.AcroBERT.v1", "path": str(tmp_path / "scored")}
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker", config=settings | {"model": model})
    return nlp


@pytest.fixture(scope="module")
def packaged() -> Language:
    """A pipeline with both components over the packaged weights and dictionary."""
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker")
    return nlp
