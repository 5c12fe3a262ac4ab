"""Measures systems on SciAI and on SDU-22's extraction sets."""

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from ...metrics.identification import IdentificationScores, score_labels, score_offsets
from ...text import encode_bio
from ..datasets.files import Record, write_answers
from ..datasets.sciai import Sentence, read_sciai, read_sdu22
from ..report.tables import Columns, Table
from .systems import Found, System


class Gold(NamedTuple):
    """A set as the systems see it, what was wrong with it, and what scores their answers."""

    texts: list[str]
    words: int
    problems: dict[str, int]
    records: Callable[[list[Found]], list[Record]]
    """Answers, a text each, to what is kept of them, in the keys of the set's own file."""
    score: Callable[[list[Record]], IdentificationScores]


def evaluate(
    task: str,
    sets: Mapping[str, Path],
    systems: Mapping[str, System],
    progress: Callable[[str], None] = lambda _: None,
    predictions: Path | None = None,
) -> dict[str, Any]:
    """Scores and words a second (of CPU time) of systems on sets of files.

    task: "sciai" or "sdu22-ae". predictions: a folder for the answers. Raises FormatError for a
    file of another task.
    """
    read, measure = TASKS[task]
    results: dict[str, Any] = {}
    for name, path in sets.items():
        gold = read(path)
        scored = {}
        for system, find in systems.items():
            progress(f"{name}: {system}")
            began = time.process_time()
            found = list(find(gold.texts))
            seconds = time.process_time() - began
            records = gold.records(found)
            write_answers(predictions, name, system, records)
            scored[system] = {
                kind: dict(zip(("precision", "recall", "f1"), values, strict=True))
                for kind, values in asdict(gold.score(records)).items()
            } | {"words_per_second": round(gold.words / seconds) if seconds else None}
        results[name] = {
            "texts": len(gold.texts),
            "words": gold.words,
            "problems": gold.problems,
            "systems": scored,
        }
    return {"measure": measure, "sets": results}


def read_sciai_gold(path: Path) -> Gold:
    """The sentences of a SciAI file with their labels."""
    sentences, repaired = read_sciai(path)
    gold = [one.labels for one in sentences]
    return Gold(
        [one.text for one in sentences],
        sum(map(len, gold)),
        {"labels that continue nothing": repaired},
        lambda found: [{"labels": label(*pair)} for pair in zip(sentences, found, strict=True)],
        lambda records: score_labels(gold, [one["labels"] for one in records]),
    )


def read_sdu22_gold(path: Path) -> Gold:
    """The texts of an extraction file with the offsets that people marked."""
    paragraphs, inside = read_sdu22(path)
    gold = [(set(one.short), set(one.long)) for one in paragraphs]
    return Gold(
        [one.text for one in paragraphs],
        sum(len(one.text.split()) for one in paragraphs),
        {"ends of spans inside a word": inside},
        lambda found: [
            {"acronyms": sorted(one.short), "long-forms": sorted(one.long)} for one in found
        ],
        lambda records: score_offsets(
            gold, [(set(one["acronyms"]), set(one["long-forms"])) for one in records]
        ),
    )


TASKS: dict[str, tuple[Callable[[Path], Gold], str]] = {
    "sciai": (read_sciai_gold, "exact spans, macro over short and long (SDU-21)"),
    "sdu22-ae": (read_sdu22_gold, "exact offsets, macro over short and long (SDU-22)"),
}


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
