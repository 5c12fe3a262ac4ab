"""Measures systems on SciAI and on SDU-22's extraction sets."""

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ...metrics.identification import IdentificationScores, score_labels, score_offsets
from ...rules import encode_bio
from ..datasets.files import Record, write_answers
from ..datasets.sciai import Sentence, read_sciai, read_sdu22
from ..report.tables import Columns, Table
from .systems import Found, System

Progress = Callable[[str], None]


class Gold(NamedTuple):
    """A set as the systems see it, what was wrong with it, and what scores their answers."""

    texts: list[str]
    words: int
    problems: dict[str, int]
    score: Callable[[list[Found]], IdentificationScores]
    """Answers, a text each, to scores."""
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
    """Scores and words a second (of CPU time) of systems on sets of files.

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
            scored[system] = {
                **as_json(gold.score(found)),
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


def read_sciai_gold(path: Path) -> Gold:
    """The sentences of a SciAI file with their labels."""
    sentences, repaired = read_sciai(path)
    gold = [one.labels for one in sentences]

    def labels_of(found: list[Found]) -> list[list[str]]:
        return [label(*pair) for pair in zip(sentences, found, strict=True)]

    def score(found: list[Found]) -> IdentificationScores:
        return score_labels(gold, labels_of(found))

    def records(found: list[Found]) -> Iterator[Record]:
        return ({"labels": one} for one in labels_of(found))

    problems = {"labels that continue nothing": repaired}
    texts = [one.text for one in sentences]
    return Gold(texts, sum(map(len, gold)), problems, score, records)


evaluate_sciai = partial(
    evaluate_sets, read=read_sciai_gold, measure="exact spans, macro over short and long (SDU-21)"
)


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


def read_sdu22_gold(path: Path) -> Gold:
    """The texts of an extraction file with the offsets that people marked."""
    paragraphs, inside = read_sdu22(path)
    texts = [one.text for one in paragraphs]
    gold = [(set(one.short), set(one.long)) for one in paragraphs]

    words = sum(len(text.split()) for text in texts)
    score = partial(score_offsets, gold)
    return Gold(texts, words, {"ends of spans inside a word": inside}, score, _records)


evaluate_sdu22 = partial(
    evaluate_sets, read=read_sdu22_gold, measure="exact offsets, macro over short and long (SDU-22)"
)


def _records(found: list[Found]) -> Iterator[Record]:
    for one in found:
        yield {"acronyms": sorted(one.short), "long-forms": sorted(one.long)}


SCORES: Columns = {
    **{
        f"{kind} {name}": f"{kind}.{rate}"
        for kind in ("short", "long")
        for name, rate in (("P", "precision"), ("R", "recall"), ("F1", "f1"))
    },
    "macro F1": "macro.f1",
    "words/s (CPU)": "words_per_second",
}


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """Scores of every system on every set."""
    sets = results["sets"].items()
    systems = ((name, *one) for name, found in sets for one in found["systems"].items())
    title = f"Acronyms and long forms: {results['measure']}"
    yield Table.of(title, ("set", "system"), SCORES, systems)
