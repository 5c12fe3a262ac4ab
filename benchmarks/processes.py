"""What a second process of `nlp.pipe` brings, beside an earlier version.

    python benchmarks/processes.py ../shared/corpus --before ../before

Both components read the same documents in one process and in two, of one thread each, one after the
other in turns: seconds of the clock, and CPU seconds of all processes, which other work on the
machine changes less. `bound`: how many times faster two cores can be by these CPU seconds.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from measuring import RESULTS, write_results

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--before", type=Path, help="a checkout of the earlier version")
    parser.add_argument("--documents", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=Path, default=RESULTS / "processes.json")
    parser.add_argument("--processes", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.processes:
        print(json.dumps(measure(options)))
        return
    trees = {"now": ROOT, **({"before": options.before} if options.before else {})}
    rows: dict[str, list[dict[str, float]]] = {}
    for _ in range(options.rounds):
        for name, tree in trees.items():
            for processes in (1, 2):
                rows.setdefault(f"{name}, {processes}", []).append(ask(options, tree, processes))
    middle = {
        name: {key: round(median(one[key] for one in found), 2) for key in found[0]}
        for name, found in rows.items()
    }
    spent = {name: one["cpu_seconds"] for name, one in middle.items()}
    write_results(
        options.output,
        {
            "documents": options.documents,
            "rounds": options.rounds,
            "load_average": round(os.getloadavg()[0], 1),
            "by_version_and_processes": middle,
            "bound": {one: round(2 * spent[f"{one}, 1"] / spent[f"{one}, 2"], 2) for one in trees},
        },
    )


def ask(options: argparse.Namespace, tree: Path, processes: int) -> dict[str, float]:
    """What a process finds that imports a version."""
    given = (options.corpus, "--documents", options.documents, "--processes", processes)
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    done = subprocess.run(
        [sys.executable, __file__, *map(str, given)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **threads, "PYTHONPATH": str(tree.absolute())},
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(options: argparse.Namespace) -> dict[str, float]:
    """Seconds for the documents, with what their processes need to begin."""
    from annotate import sample_texts

    from spacy_gladis.pipeline.load import load_pipeline

    nlp: Any = load_pipeline()
    texts = sample_texts(options.corpus, options.documents)
    began, before = time.perf_counter(), sum(os.times()[:4])
    mentions = 0
    for doc in nlp.pipe(texts, n_process=options.processes, batch_size=8):
        mentions += len(doc.spans["acronyms"])
    return {
        "seconds": time.perf_counter() - began,
        "cpu_seconds": sum(os.times()[:4]) - before,
        "mentions": mentions,
    }


if __name__ == "__main__":
    main()
