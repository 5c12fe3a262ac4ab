"""The protocol: every system labels the tokens of every set; the official scorer compares."""

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from ....metrics.identification import IdentificationScores, score_labels
from ....rules import decode_bio, encode_bio, repair_bio
from ...datasets.sciai import Sentence, read_sciai
from .classes import Offsets, count_errors
from .systems import Found, System

Progress = Callable[[str], None]


def evaluate(
    sets: Mapping[str, Path], systems: Mapping[str, System], progress: Progress = lambda _: None
) -> dict[str, Any]:
    """Scores, classes of errors and words a second (of CPU time) of systems on SciAI files."""
    results: dict[str, Any] = {}
    for name, path in sets.items():
        sentences, repaired = read_sciai(path)
        gold = [one.labels for one in sentences]
        words = sum(map(len, gold))
        read = [partial(_words, one) for one in sentences]
        scored = {}
        for system, find in systems.items():
            progress(f"{name}: {system}")
            began = time.process_time()
            found = list(find([one.text for one in sentences]))
            seconds = time.process_time() - began
            labels = [label(*pair) for pair in zip(sentences, found, strict=True)]
            scored[system] = {
                **as_json(score_labels(gold, labels)),
                "errors": dict(count_errors(map(_spans, gold), map(_spans, labels), read)),
                "words_per_second": round(words / seconds) if seconds else None,
            }
        results[name] = {
            "texts": len(sentences),
            "words": words,
            "problems": {"labels that continue nothing": repaired},
            "systems": scored,
        }
    return {"measure": "exact spans, macro over short and long (SDU-21)", "sets": results}


def label(sentence: Sentence, found: Found) -> list[str]:
    """One BIO label a token; a token belongs to a span when they share a character."""
    starts = [start for start, _ in sentence.offsets]
    ends = [end for _, end in sentence.offsets]
    taken = bytearray(len(starts))
    spans = []
    for kind, offsets in (("long", found.long), ("short", found.short)):
        for start, end in sorted(offsets):
            first, last = bisect_right(ends, start), bisect_left(starts, end)
            if first < last and not any(taken[first:last]):
                taken[first:last] = b"\1" * (last - first)
                spans.append((first, last, kind))
    return encode_bio(spans, len(starts))


def as_json(scores: IdentificationScores) -> dict[str, Any]:
    """Scores as a results file holds them."""
    return {
        kind: dict(zip(("precision", "recall", "f1"), values, strict=True))
        for kind, values in asdict(scores).items()
    }


def _spans(labels: Sequence[str]) -> tuple[set[Offsets], set[Offsets]]:
    spans = decode_bio(repair_bio(labels)[0])
    short, long = (
        {(one.start, one.end) for one in spans if one.label == kind} for kind in ("short", "long")
    )
    return short, long


def _words(sentence: Sentence, span: Offsets) -> str:
    first, last = sentence.offsets[span[0]], sentence.offsets[span[1] - 1]
    return sentence.text[first[0] : last[1]]
