"""What a second process brings: documents a second of `nlp.pipe` with one and with two, in turns.

    python benchmarks/processes.py ../shared/corpus

By the clock, so it needs a quiet machine. One thread a process; the vectors of long forms are
computed before, and a fork takes them along.
"""

import argparse
import os
import time
from pathlib import Path

import spacy
import torch
from annotate import sample_texts
from measuring import RESULTS, write_results

RESULT = RESULTS / "processes.json"
ROUNDS = 2


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=72)
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    texts = sample_texts(options.corpus, options.documents)
    nlp = spacy.blank("en")
    nlp.max_length = 20_000_000
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker")
    for _ in nlp.pipe(texts):
        pass
    best = {1: 0.0, 2: 0.0}
    for _ in range(ROUNDS):
        for number in best:
            began = time.perf_counter()
            for _ in nlp.pipe(texts, n_process=number, batch_size=6):
                pass
            best[number] = max(best[number], len(texts) / (time.perf_counter() - began))
    write_results(
        options.output,
        {
            "documents": len(texts),
            "cores": len(os.sched_getaffinity(0)),
            "load_average": round(os.getloadavg()[0], 1),
            "documents_per_second": {str(n): round(rate, 2) for n, rate in best.items()},
        },
    )


if __name__ == "__main__":
    main()
