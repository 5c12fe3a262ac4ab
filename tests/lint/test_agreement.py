"""The linter and the pipeline agree on what a text defines, over all development texts."""

import json
import os
from pathlib import Path

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import Settings
from spacy_gladis.pipeline.acronym_detector import AcronymDetector
from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.text import base_form
from tests.support.paths import SHARED

SETS = ("real/dev", "documents/dev", "documents/dev-2", "documents/dev-3")
"""The sets whose texts define acronyms."""

EVERY = int(os.environ.get("GLADIS_EVERY", "5"))
"""One text in so many is read."""


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_what_the_pipeline_calls_defined_is_not_reported_as_undefined(name):
    path = Path(SHARED) / "benchmarks" / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    detector = load_pipeline().get_pipe("acronym_detector")
    assert isinstance(detector, AcronymDetector)
    settings = Settings(select=("AC001",))
    texts = [json.loads(line)["text"] for line in path.read_text("utf8").splitlines()]
    defined, disagreements = 0, []
    for number, text in enumerate(texts[::EVERY]):
        source = read_text(text, "text").at(name="x", path="x")
        findings = detector.find(source.text)
        keys = {
            base_form(source.text[slice(*definition.acronym)])
            for definition in findings.definitions
        }
        defined += len(keys)
        reported = {base_form(finding.acronym) for finding in lint([source], settings)}
        disagreements += [(number, key) for key in sorted(keys & reported)]
    assert defined > 0 and disagreements == []
