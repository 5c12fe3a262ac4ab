"""Time and memory of the similarity search on sentences of a text corpus.

    python benchmarks/leakage_speed.py --corpus ../shared/corpus --benchmarks ../shared/benchmarks

On one core: the best match of 10,000 sentences among 100,000 and among all others (exact), and the
filter of 100,000 contexts against every benchmark text.
"""

import argparse
import json
import random
import re
import time
from pathlib import Path
from typing import Any

from measuring import RESULTS, peak_megabytes, write_results

from spacy_gladis.documents.lines import read_lines
from spacy_gladis.research.leakage.filter import LeakageFilter, benchmark_texts
from spacy_gladis.research.leakage.similarity import nearest

TEST, TRAIN, LARGE = 10_000, 100_000, 900_000
CONTEXTS = 100_000
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def sentences(folder: Path, wanted: int) -> list[str]:
    """Sentences of 30 to 600 characters from every shard in turn, shuffled."""
    paths = sorted(folder.glob("*.jsonl.zst"))
    result: list[str] = []
    for left, path in zip(range(len(paths), 0, -1), paths, strict=True):
        share = len(result) + (wanted - len(result)) // left
        for _, line in read_lines(path):
            parts = SENTENCE.split(json.loads(line)["text"])
            result += [part for part in parts if 30 <= len(part) <= 600]
            if len(result) >= share:
                break
    random.Random(0).shuffle(result)
    return result[:wanted]


def timed(name: str, results: dict[str, Any], work: Any) -> Any:
    """Run `work`, on one core, and note its processor time: other load does not count."""
    begin = time.process_time()
    value = work()
    seconds = time.process_time() - begin
    results[name] = {"cpu_seconds": round(seconds, 2), "peak_memory_mb": peak_megabytes()}
    print(f"{name:40} {seconds:8.1f} s {peak_megabytes():6} MB", flush=True)
    return value


def main() -> None:
    """Measure the search and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--benchmarks", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=RESULTS / "leakage_speed.json")
    arguments = parser.parse_args()
    results: dict[str, Any] = {}

    texts = sentences(arguments.corpus, TEST + LARGE)
    test, train = texts[:TEST], texts[TEST:]
    results["sentences"] = {"test": len(test), "train": TRAIN, "large": len(train)}
    results["memory_of_the_texts_mb"] = peak_megabytes()
    for size in (TRAIN, len(train)):
        name = f"1-grams, {len(test):,} x {size:,}"
        timed(name, results, lambda size=size: nearest(test, train[:size]))

    benchmarks, _ = benchmark_texts(arguments.benchmarks)
    contexts = [" ".join(train[row : row + 3]) for row in range(0, 3 * CONTEXTS, 3)]
    index = timed("index of the benchmarks", results, lambda: LeakageFilter(benchmarks))
    name = f"filter of {len(contexts):,}, with sentences"
    timed(name, results, lambda: index.leaks(contexts))
    results[name]["dropped"] = index.counts.dropped
    write_results(arguments.output, results)


if __name__ == "__main__":
    main()
