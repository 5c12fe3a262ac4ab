"""`acronym_detector` and scispacy's AbbreviationDetector in `nlp.pipe`, on short abstracts.

    python benchmarks/pipes_abstracts.py ../shared/benchmarks/bioc

Words a CPU second of one process, tokenisation among it. The abstracts are read in parts, each part
by one pipeline after the other; of each part the best of the rounds counts.
"""

import argparse
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import spacy
from measuring import RESULTS, write_results

from spacy_gladis.errors import require
from spacy_gladis.research.datasets.bioc import read_bioc

RESULT = RESULTS / "pipes_abstracts.json"
PIPES = {"tokens": "", "detector": "acronym_detector", "scispacy": "abbreviation_detector"}


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--abstracts", type=int, default=240)
    parser.add_argument("--part", type=int, default=120, help="abstracts at a time")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    require("scispacy.abbreviation", "bench")  # registers the pipe
    pipelines: dict[str, Any] = {}
    for name, pipe in PIPES.items():
        pipelines[name] = spacy.blank("en")
        if pipe:
            pipelines[name].add_pipe(pipe)
    texts = [one.text for one in read_bioc(options.data)][: options.abstracts]
    total = dict.fromkeys(pipelines, 0.0)
    for begin in range(0, len(texts), options.part):
        best = dict.fromkeys(pipelines, float("inf"))
        for _ in range(options.rounds):
            for name, nlp in pipelines.items():
                best[name] = min(best[name], seconds(nlp, texts[begin : begin + options.part]))
        for name in pipelines:
            total[name] += best[name]
    words = sum(len(text.split()) for text in texts)
    write_results(
        options.output,
        {
            "abstracts": len(texts),
            "words": words,
            "words_per_cpu_second": {name: round(words / spent) for name, spent in total.items()},
            "times_scispacy": round(total["scispacy"] / total["detector"], 2),
        },
    )


def seconds(nlp: Any, texts: Sequence[str]) -> float:
    """CPU seconds of reading the texts."""
    began = time.process_time()
    for _ in nlp.pipe(texts):
        pass
    return time.process_time() - began


if __name__ == "__main__":
    main()
