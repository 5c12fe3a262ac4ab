"""Measure two passes of the pipeline over dense texts, beside an older version of the package.

    python benchmarks/passes.py ../shared/benchmarks/passages/dev.jsonl ../older

older: a checkout of the older version. Both answer the same passages in fresh processes, in turns,
one thread each: the first pass encodes long forms that the second one remembers.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

RESULT = Path(__file__).parent / "results" / "passes.json"
PASSAGES = 120
HERE = Path(__file__).resolve().parents[1]


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", type=Path)
    parser.add_argument("older", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--output", type=Path, default=RESULT)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measure(options.texts)))
        return
    from measuring import write_results

    trees = {"older": options.older, "now": HERE}
    rounds = [
        {name: child(tree, options) for name, tree in trees.items()} for _ in range(options.rounds)
    ]
    figures: dict[str, Any] = {"passages": PASSAGES, "rounds": options.rounds}
    for name in trees:
        figures[name] = {"mentions": rounds[0][name]["mentions"]}
        for number in ("first", "second"):
            rates = [one[name]["mentions"] / one[name][number] for one in rounds]
            figures[name][f"{number}_pass_mentions_per_cpu_second"] = round(median(rates), 1)
    for number in ("first", "second"):
        key = f"{number}_pass_mentions_per_cpu_second"
        figures[f"{number}_pass_times_as_fast"] = round(
            figures["now"][key] / figures["older"][key], 2
        )
    write_results(options.output, figures)


def child(tree: Path, options: argparse.Namespace) -> dict[str, float]:
    """What a fresh process measures with the package of a checkout."""
    call = [sys.executable, __file__, str(options.texts.resolve()), ".", "--child"]
    environment = {**os.environ, "PYTHONPATH": str(tree.resolve()), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure(path: Path) -> dict[str, float]:
    """CPU seconds of the first and the second pass, and how many acronyms they answer."""
    import spacy

    # The entry points are those of the installed version: the factories register themselves.
    spacy.util.registry._entry_point_factories.entry_points = False
    import_module("spacy_gladis.pipeline.acronym_detector")
    import_module("spacy_gladis.pipeline.acrobert_linker")
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    nlp.add_pipe("acrobert_linker")
    lines = path.read_text("utf8").splitlines()[:PASSAGES]
    texts = [json.loads(line)["text"] for line in lines]
    list(nlp.pipe(["The MRI of a patient with CAD."]))  # everything is loaded
    taken = {}
    for number in ("first", "second"):
        began = time.process_time()
        docs = list(nlp.pipe(texts))
        taken[number] = time.process_time() - began
    return {**taken, "mentions": sum(len(doc.spans["acronyms"]) for doc in docs)}


if __name__ == "__main__":
    main()
