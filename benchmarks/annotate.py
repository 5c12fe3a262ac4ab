"""Annotate documents of a corpus with both components: speed, memory, what became of the mentions.

python benchmarks/annotate.py ../shared/corpus --documents 1000
"""

import argparse
import os
import random
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import spacy
from measuring import RESULTS, peak_megabytes, write_results

from spacy_gladis.research.mining.readers import read_documents

RESULT = RESULTS / "annotate.json"


def main() -> None:
    """Measure and write the result; the mentions to judge by eye go to the terminal alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--show", type=int, default=30, help="resolved undefined acronyms to print")
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    texts = sample_texts(options.corpus, options.documents)
    words = sum(len(text.split()) for text in texts)

    nlp = spacy.blank("en")
    nlp.max_length = 20_000_000
    bare = timed(lambda: sum(1 for _ in nlp.pipe(texts)))
    before = peak_megabytes()
    nlp.add_pipe("acronym_detector")
    detecting = timed(lambda: sum(1 for _ in nlp.pipe(texts)))
    nlp.add_pipe("acrobert_linker")
    started = time.perf_counter()
    nlp("The AI of potassium.")
    first = time.perf_counter() - started

    sources: Counter[str] = Counter()
    undefined: list[tuple[str, str, float, str]] = []
    started = time.perf_counter()
    for doc in nlp.pipe(texts, batch_size=32):
        for span in doc.spans["acronyms"]:
            resolution = span._.resolution
            sources[resolution.source] += 1
            if resolution.source == "dictionary":
                near = doc[max(0, span.start - 12) : span.end + 12].text.replace("\n", " ")
                undefined.append((span.text, resolution.long_form, resolution.probability, near))
    seconds = time.perf_counter() - started
    mentions = sources.total()
    # Again, without the vectors of long forms to compute.
    spent = time.process_time()
    warm = timed(lambda: sum(1 for _ in nlp.pipe(texts, batch_size=32)))
    spent = time.process_time() - spent
    figures: dict[str, Any] = {
        "cores": len(os.sched_getaffinity(0)),
        "load_average": round(os.getloadavg()[0], 1),
        "documents": len(texts),
        "words": words,
        "mentions": mentions,
        "seconds": round(seconds, 1),
        "seconds_tokenising_alone": round(bare, 1),
        "seconds_with_detector": round(detecting, 1),
        "seconds_to_load_and_answer_first": round(first, 2),
        "documents_per_second": round(len(texts) / seconds, 2),
        "mentions_per_second": round(mentions / seconds, 1),
        "words_per_second": round(words / seconds),
        "warm": {
            "seconds": round(warm, 1),
            "cpu_seconds": round(spent, 1),
            "mentions_per_second": round(mentions / warm, 1),
            "mentions_per_cpu_second": round(mentions / spent, 1),
            "words_per_second": round(words / warm),
        },
        "share_by_source": {name: round(n / mentions, 4) for name, n in sources.most_common()},
        "peak_megabytes": peak_megabytes(),
        "peak_megabytes_of_bare_spacy": before,
    }
    write_results(options.output, figures)
    for acronym, long_form, probability, near in random.Random(0).sample(
        undefined, min(options.show, len(undefined))
    ):
        print(f"{acronym} = {long_form} ({probability:.2f})\n    ... {near} ...")


def sample_texts(corpus: Path, count: int) -> list[str]:
    """The first documents of every shard, as many of each."""
    shards = sorted(corpus.glob("*.jsonl.zst"))
    each = -(-count // len(shards))
    texts = [doc.text for shard in shards for doc in islice(read_documents(shard), each)]
    return texts[:count]


def timed(work: Any) -> float:
    """Seconds that a call takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
