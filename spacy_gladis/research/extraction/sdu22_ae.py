"""The protocol: every system marks every text; the official scorer compares offsets."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ...metrics.identification import score_offsets
from ..datasets.sdu22_ae import Offsets, read_sdu22
from .sciai.classes import count_errors
from .sciai.run import as_json
from .sciai.systems import System

Progress = Callable[[str], None]


def evaluate(
    sets: Mapping[str, Path], systems: Mapping[str, System], progress: Progress = lambda _: None
) -> dict[str, Any]:
    """Scores, classes of errors and words a second (of CPU time) of systems on extraction files."""
    results: dict[str, Any] = {}
    for name, path in sets.items():
        paragraphs, inside = read_sdu22(path)
        gold = [(set(one.short), set(one.long)) for one in paragraphs]
        words = sum(len(one.text.split()) for one in paragraphs)
        read = [partial(_words, one.text) for one in paragraphs]
        scored = {}
        for system, find in systems.items():
            progress(f"{name}: {system}")
            began = time.process_time()
            found = list(find([one.text for one in paragraphs]))
            seconds = time.process_time() - began
            scored[system] = {
                **as_json(score_offsets(gold, found)),
                "errors": dict(count_errors(gold, found, read)),
                "words_per_second": round(words / seconds) if seconds else None,
            }
        results[name] = {
            "texts": len(paragraphs),
            "words": words,
            "problems": {"ends of spans inside a word": inside},
            "systems": scored,
        }
    return {"measure": "exact offsets, macro over short and long (SDU-22)", "sets": results}


def _words(text: str, span: Offsets) -> str:
    return text[slice(*span)]
