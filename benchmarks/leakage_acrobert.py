"""The packaged model's accuracy by how similar a test text is to its training samples.

    python benchmarks/leakage_acrobert.py SAMPLES --predictions FOLDER

FOLDER is what `spacy-gladis evaluate gladis --system retriever --predictions FOLDER` wrote. The
samples are read once for all three sets; `spacy-gladis audit SAMPLES SET --predictions FILE` gives
the same figures for one. Only figures are written, no text.
"""

import argparse
import resource
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from measuring import RESULTS, write_results

from spacy_gladis.research.leakage.formats import read_items, reader_of
from spacy_gladis.research.leakage.predictions import score_predictions
from spacy_gladis.research.leakage.run import metrics_by_similarity, profile
from spacy_gladis.research.leakage.similarity import Nearest, nearest

SETS = {"UAD": "uad", "SciAD": "sciad", "Bio-UMLS": "bio_umls"}
DATA = Path("../shared/benchmarks/gladis/evaluation/test_set")
PART = 250_000  # training texts in memory


def distinct(path: Path) -> Iterator[str]:
    """The texts of samples, each once."""
    seen: set[int] = set()
    for item in reader_of(path)(path):
        if (key := hash(item.text)) not in seen:
            seen.add(key)
            yield item.text


def batches(texts: Iterator[str], size: int) -> Iterator[list[str]]:
    while part := list(islice(texts, size)):
        yield part


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", type=Path, help="the training samples, a file")
    parser.add_argument("--predictions", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the test sets")
    arguments = parser.parse_args()
    files = {name: arguments.data / f"{one}_test.json" for name, one in SETS.items()}
    scores = {
        name: score_predictions(files[name], arguments.predictions / f"{one}-retriever.jsonl")
        for name, one in SETS.items()
    }
    tests = {name: [item.text for item in read_items(path)] for name, path in files.items()}
    texts = [text for test in tests.values() for text in test]
    best = {n: Nearest(np.zeros(len(texts)), *nearest(texts, [""], n)[1:]) for n in (1, 2, 3)}
    read = 0
    for part in batches(distinct(arguments.samples), PART):
        read += len(part)
        for n, found in best.items():
            np.maximum(found.similarity, nearest(texts, part, n).similarity, out=found.similarity)
        print(f"{read:,} training texts", flush=True)
    sets: dict[str, dict[str, object]] = {name: {"texts": {}, "metrics": {}} for name in SETS}
    for n, found in best.items():
        first = 0
        for name, test in tests.items():
            own = slice(first, first := first + len(test))
            one = Nearest(found.similarity[own], found.train_index[own], found.empty[own])
            sets[name]["texts"][str(n)] = profile(one)  # type: ignore[index]
            sets[name]["metrics"][str(n)] = metrics_by_similarity(  # type: ignore[index]
                one.similarity, scores[name]
            )
    usage = resource.getrusage(resource.RUSAGE_SELF)
    results = {
        "distinct_training_texts": read,
        "processor_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_memory_mb": usage.ru_maxrss // 1024,
        "sets": sets,
    }
    write_results(RESULTS / "leakage_acrobert.json", results)


if __name__ == "__main__":
    main()
