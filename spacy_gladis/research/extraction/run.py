"""The protocol of both shared tasks: every system marks every text of every set, once."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from ...metrics.identification import IdentificationScores
from ..datasets.answers import Record, write_answers
from .sciai.systems import Found, System

Progress = Callable[[str], None]


class Gold(NamedTuple):
    """A set as the systems see it, what was wrong with it, and what scores their answers."""

    texts: list[str]
    words: int
    problems: dict[str, int]
    score: Callable[[list[Found]], tuple[IdentificationScores, Mapping[str, int]]]
    """Answers, a text each, to scores and classes of errors."""
    records: Callable[[list[Found]], Iterable[Record]]
    """Answers to what is kept of them, in the keys of the set's own file."""


def evaluate_sets(
    sets: Mapping[str, Path],
    systems: Mapping[str, System],
    progress: Progress = lambda _: None,
    *,
    read: Callable[[Path], Gold],
    measure: str,
    predictions: Path | None = None,
) -> dict[str, Any]:
    """Scores, classes of errors and words a second (of CPU time) of systems on sets of files.

    measure: what the scores are. predictions: a folder for the answers. Raises what `read` does.
    """
    results: dict[str, Any] = {}
    for name, path in sets.items():
        gold = read(path)
        scored = {}
        for system, find in systems.items():
            progress(f"{name}: {system}")
            began = time.process_time()
            found = list(find(gold.texts))
            seconds = time.process_time() - began
            write_answers(predictions, name, system, gold.records(found))
            scores, errors = gold.score(found)
            scored[system] = {
                **as_json(scores),
                "errors": dict(errors),
                "words_per_second": round(gold.words / seconds) if seconds else None,
            }
        results[name] = {
            "texts": len(gold.texts),
            "words": gold.words,
            "problems": gold.problems,
            "systems": scored,
        }
    return {"measure": measure, "sets": results}


def as_json(scores: IdentificationScores) -> dict[str, Any]:
    """Scores as a results file holds them."""
    return {
        kind: dict(zip(("precision", "recall", "f1"), values, strict=True))
        for kind, values in asdict(scores).items()
    }
