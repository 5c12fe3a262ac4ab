"""What `help()` and the page of the Python interface say of the components."""

import inspect
import re

import pytest

from spacy_gladis.pipeline.acrobert_linker import AcroBERTLinker
from spacy_gladis.pipeline.acronym_detector import AcronymDetector
from spacy_gladis.pipeline.acronym_llm import AcronymLLM
from spacy_gladis.pipeline.concept_linker import ConceptLinker
from spacy_gladis.pipeline.sense_verifier import SenseVerifier
from tests.support.paths import ROOT


@pytest.mark.parametrize(
    "component", [AcronymDetector, AcroBERTLinker, ConceptLinker, AcronymLLM, SenseVerifier]
)
def test_every_setting_of_a_component_is_described(component):
    described = re.findall(
        r"^    (\w+): \S", inspect.getdoc(component.__init__) or "", re.MULTILINE
    )
    settings = [name for name in inspect.signature(component.__init__).parameters if name != "self"]
    assert described[: len(settings)] == settings


@pytest.mark.parametrize("component", [AcronymDetector, AcroBERTLinker, ConceptLinker])
def test_the_page_has_the_component(component):
    page = (ROOT / "docs" / "reference" / "api.md").read_text("utf8")
    assert f"::: {component.__module__}.{component.__name__}" in page


@pytest.mark.parametrize("component", [AcronymDetector, AcroBERTLinker])
def test_no_setting_is_a_method_too(component):
    settings = inspect.signature(component.__init__).parameters
    methods = {name for name, _ in inspect.getmembers(component, inspect.isfunction)}
    assert methods.isdisjoint(settings)
