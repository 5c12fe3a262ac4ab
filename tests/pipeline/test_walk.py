"""The way from a text to its answers: few files, and each stage of linking once and in order."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

import spacy_gladis
from spacy_gladis.pipeline.load import load_pipeline

LIBRARY = Path(spacy_gladis.__file__).parent
STAGES = ("candidates", "features", "ranking", "decision")
TWO_SENTENCES = (
    "Graph neural networks (GNNs) beat the CNN on most tasks. The patient had a CT and an MRI "
    "after the MI."
)
AMBIGUOUS = "The CT of the chest showed a PE. He moved to Hartford, CT last year. The pt has HTN."

MOST_FILES = 43
"""Number of files of the library that run for `TWO_SENTENCES`, by a pipeline that is warm."""


@pytest.fixture(scope="module")
def nlp():
    return load_pipeline()


def trace_files(run: Callable[[], object]) -> list[Path]:
    """Return the library's files in which functions are called, once for each visit."""
    visited: list[Path] = []

    def record(frame: FrameType, event: str, argument: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(LIBRARY) and visited[-1:] != [path]:
            visited.append(path)

    sys.setprofile(record)
    try:
        run()
    finally:
        sys.setprofile(None)
    return visited


def test_few_files_run_for_two_sentences(nlp):
    nlp(TWO_SENTENCES)
    files = {
        path.relative_to(LIBRARY).as_posix() for path in trace_files(lambda: nlp(TWO_SENTENCES))
    }
    assert "text/detect.py" in files
    assert "linking/decision.py" in files
    assert len(files) <= MOST_FILES, sorted(files)


@pytest.mark.parametrize("text", [TWO_SENTENCES, AMBIGUOUS])
def test_each_stage_of_linking_runs_once_and_in_order(nlp, text):
    nlp(text)
    stages: list[str] = []
    for path in trace_files(lambda: nlp(text)):
        is_stage = path.parent.name == "linking" and path.stem in STAGES
        if is_stage and stages[-1:] != [path.stem]:
            stages.append(path.stem)
    assert stages == [*STAGES]
