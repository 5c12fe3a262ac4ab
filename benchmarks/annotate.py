"""The whole pipeline over documents of the corpus: mentions a second, in a first and a second pass.

    python benchmarks/annotate.py ../shared/corpus --documents 120

In the second pass the vectors of the texts' long forms are there.
"""

import argparse
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

import spacy
from measuring import RESULTS, peak_megabytes, sample_texts, write_results


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=1000)
    options = parser.parse_args()
    texts = sample_texts(options.corpus, options.documents)
    nlp = spacy.blank("en")
    nlp.max_length = 20_000_000
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker")
    nlp("The AI of potassium.")
    first, second = one_pass(nlp, texts), one_pass(nlp, texts)
    figures = {
        "cores": len(os.sched_getaffinity(0)),
        "load_average": round(os.getloadavg()[0], 1),
        "documents": len(texts),
        "words": sum(len(text.split()) for text in texts),
        **first,
        "warm": second,
        "peak_megabytes": peak_megabytes(),
    }
    write_results(RESULTS / "annotate.json", figures)


def one_pass(nlp: Any, texts: list[str]) -> dict[str, Any]:
    """Speed of reading all texts once, and where the answers are from."""
    began, cpu = time.perf_counter(), time.process_time()
    sources: Counter[str] = Counter()
    for doc in nlp.pipe(texts, batch_size=32):
        sources.update(span._.resolution.source for span in doc.spans["acronyms"])
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    mentions = sources.total()
    return {
        "mentions": mentions,
        "seconds": round(seconds, 1),
        "mentions_per_second": round(mentions / seconds, 1),
        "mentions_per_cpu_second": round(mentions / cpu, 1),
        "share_by_source": {name: round(n / mentions, 4) for name, n in sources.most_common()},
    }


if __name__ == "__main__":
    main()
