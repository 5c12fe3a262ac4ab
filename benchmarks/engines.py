"""The encoder by onnxruntime beside torch's: how many mentions of passages a CPU second.

    python benchmarks/engines.py ../shared/benchmarks

Each engine answers on one thread in processes of its own, in turns; of the rounds the medians are
given. At the first pass vectors of long forms are computed, at the second they are there.
"""

import argparse
import json
import os
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from measuring import RESULTS, cpu_seconds, in_process, write_results

ENGINES = ("onnxruntime", "torch")
PASSES = ("first_pass", "second_pass")


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--engine", choices=ENGINES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        print(json.dumps(speed(options.data, options.engine)))
        return
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    rounds = [
        {engine: in_process(__file__, options.data, "--engine", engine) for engine in ENGINES}
        for _ in range(options.rounds)
    ]
    write_results(
        RESULTS / "engines.json",
        {
            "threads": 1,
            "rounds": options.rounds,
            "mentions_per_cpu_second": {
                engine: {
                    phase: round(median(row[engine][phase] for row in rounds), 1)
                    for phase in PASSES
                }
                for engine in ENGINES
            },
            "load_average": round(os.getloadavg()[0], 1),
        },
    )


def speed(data: Path, engine: str) -> dict[str, float]:
    """Mentions a CPU second of both passes."""
    from spacy_gladis.pipeline.load import load_pipeline

    nlp = load_pipeline()
    linker: Any = nlp.get_pipe("acrobert_linker")
    model = linker.open().model
    if engine == "torch":
        from spacy_gladis.encoder.engines.torch import TorchEncoder

        model.encoder = TorchEncoder(model.weights, "cpu")
    lines = (data / "passages" / "dev.jsonl").read_text("utf8").splitlines()
    passages = [json.loads(line)["text"] for line in lines]
    nlp(passages[0])
    result = {}
    for name in PASSES:
        docs: list[Any] = []
        seconds = cpu_seconds(partial(docs.extend, nlp.pipe(passages, batch_size=32)))
        result[name] = sum(len(doc._.acronyms) for doc in docs) / seconds
    return result


if __name__ == "__main__":
    main()
