"""Linking runs in four stages, each of which takes the value of the one before."""

import sys
from pathlib import Path
from types import FrameType

from spacy_gladis.pipeline.load import load_pipeline

STAGES = ("candidates", "features", "ranking", "decision")
TEXT = "The CT of the chest showed a PE. He moved to Hartford, CT last year. The pt has HTN."


def test_each_stage_runs_once_and_in_order():
    nlp = load_pipeline()
    nlp(TEXT)
    visited: list[str] = []

    def record(frame: FrameType, event: str, argument: object) -> None:
        path = Path(frame.f_code.co_filename)
        is_stage = path.parent.name == "linking" and path.stem in STAGES
        if event == "call" and is_stage and visited[-1:] != [path.stem]:
            visited.append(path.stem)

    sys.setprofile(record)
    try:
        nlp(TEXT)
    finally:
        sys.setprofile(None)
    assert visited == [*STAGES]
