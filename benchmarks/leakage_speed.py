"""Time and memory of the similarity search on sentences of a text corpus.

    python benchmarks/leakage_speed.py --corpus ../shared/corpus --benchmarks ../shared/benchmarks

Measures, on one core: the best match of 10,000 sentences among 100,000 and among all others (exact,
uni- to trigrams), and the filter of 100,000 contexts against every benchmark text. The first is
compared with scikit-learn's full product on part of the sentences.
"""

import argparse
import json
import random
import re
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from spacy_gladis.documents.lines import read_lines
from spacy_gladis.files import writing
from spacy_gladis.research.leakage.filter import LeakageFilter, benchmark_texts
from spacy_gladis.research.leakage.similarity import nearest

TEST, TRAIN, LARGE = 10_000, 100_000, 900_000
CONTEXTS = 100_000
CHECKED = 500  # test sentences compared with scikit-learn
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def sentences(folder: Path, wanted: int) -> list[str]:
    """Sentences of 30 to 600 characters from every shard in turn, shuffled."""
    paths = sorted(folder.glob("*.jsonl.zst"))
    found: list[str] = []
    for left, path in zip(range(len(paths), 0, -1), paths, strict=True):
        share = len(found) + (wanted - len(found)) // left
        for _, line in read_lines(path):
            parts = SENTENCE.split(json.loads(line)["text"])
            found += [one for one in parts if 30 <= len(one) <= 600]
            if len(found) >= share:
                break
    random.Random(0).shuffle(found)
    return found[:wanted]


def peak() -> int:
    """Peak memory of this process so far, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def timed(name: str, results: dict[str, Any], work: Any) -> Any:
    """Run `work`, on one core, and note its processor time: other load does not count."""
    begin = time.process_time()
    value = work()
    seconds = time.process_time() - begin
    results[name] = {"cpu_seconds": round(seconds, 2), "peak_memory_mb": peak()}
    print(f"{name:40} {seconds:8.1f} s {peak():6} MB", flush=True)
    return value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--benchmarks", type=Path, required=True)
    parser.add_argument(
        "--output", type=Path, default=Path("benchmarks/results/leakage_speed.json")
    )
    arguments = parser.parse_args()
    results: dict[str, Any] = {"command": " ".join(["python", *sys.argv])}

    texts = sentences(arguments.corpus, TEST + LARGE)
    test, train = texts[:TEST], texts[TEST:]
    results["sentences"] = {"test": len(test), "train": TRAIN, "large": len(train)}
    results["memory_of_the_texts_mb"] = peak()
    for n in (1, 2, 3):
        name = f"{n}-grams, {len(test):,} x {TRAIN:,}"
        found = timed(name, results, lambda n=n: nearest(test, train[:TRAIN], n))
        vectorizer = CountVectorizer(stop_words="english", ngram_range=(n, n))
        vectors = vectorizer.fit_transform(train[:TRAIN])
        # The test sentences' own n-grams count for their length, though they match nothing.
        own = CountVectorizer(stop_words="english", ngram_range=(n, n)).fit_transform(test)
        length = np.sqrt(np.asarray(own.multiply(own).sum(axis=1)).ravel())[:CHECKED]
        part = vectorizer.transform(test[:CHECKED])
        known = np.sqrt(np.asarray(part.multiply(part).sum(axis=1)).ravel())
        best = cosine_similarity(part, vectors, dense_output=False).max(axis=1).toarray().ravel()
        best *= np.divide(known, length, out=np.zeros_like(length), where=length > 0)
        difference = float(np.abs(best - found.similarity[:CHECKED]).max())
        results[name]["largest_difference_from_scikit_learn"] = difference
    timed(f"1-grams, {len(test):,} x {len(train):,}", results, lambda: nearest(test, train))

    benchmarks, _ = benchmark_texts(arguments.benchmarks)
    contexts = [" ".join(train[row : row + 3]) for row in range(0, 3 * CONTEXTS, 3)]
    for sentences_too in (False, True):
        kind = "with sentences" if sentences_too else "whole contexts"
        leakage = timed(
            f"index of the benchmarks, {kind}",
            results,
            lambda on=sentences_too: LeakageFilter(benchmarks, sentences=on),
        )
        name = f"filter of {len(contexts):,}, {kind}"
        timed(name, results, lambda one=leakage: one.leaks(contexts))
        results[name]["dropped"] = leakage.counts.dropped
    with writing(arguments.output) as temporary:
        temporary.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
