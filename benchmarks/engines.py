"""The encoder by onnxruntime beside torch's, here or in a version before: same answers, how fast.

    python benchmarks/engines.py ../shared/benchmarks --before ../checkout-of-the-version-before

Passages, every so-manyth of the development documents, and rows of GLADIS's sets are answered by
each, on one thread in a process of its own. Speed is that of the passages, in CPU seconds of rounds
in turns, of which the medians are given: at the first pass vectors of long forms are computed, at
the second they are there.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from statistics import median
from typing import Any

RESULT = Path(__file__).parent / "results" / "engines.json"
ROOT = Path(__file__).parents[1]
ENGINES = ("onnxruntime", "torch")
Answer = tuple[str | None, float]
"""What is answered first, and how probable it is."""


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--before", type=Path, help="a checkout of which torch's answers are")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--each", type=int, default=3, help="of so many documents one is read")
    parser.add_argument("--rows", type=int, default=500, help="of each of GLADIS's sets")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "engines")
    parser.add_argument("--output", type=Path, default=RESULT)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options, *options.child)
        return
    from measuring import write_results

    answers = [ask(options, one, "answers") for one in ENGINES]
    rounds = [f"speed-{number}" for number in range(options.rounds)]
    speeds = [[ask(options, one, name) for one in ENGINES] for name in rounds]
    passes = speeds[0][0]
    write_results(
        options.output,
        {
            "threads": 1,
            "answers": compared(*answers),
            "rounds": options.rounds,
            "mentions_per_cpu_second": {
                engine: {one: round(median(row[at][one] for row in speeds), 1) for one in passes}
                for at, engine in enumerate(ENGINES)
            },
            "times_torch": {
                one: round(median(ours[one] / theirs[one] for ours, theirs in speeds), 2)
                for one in passes
            },
            "load_average": round(os.getloadavg()[0], 1),
        },
    )


def ask(options: argparse.Namespace, engine: str, what: str) -> Any:
    """What a process finds with an engine; an interrupted run goes on from what is there."""
    before = engine == "torch" and options.before
    output = options.folder.absolute() / f"{'before' if before else engine}-{what}.json"
    if not output.is_file():
        output.parent.mkdir(parents=True, exist_ok=True)
        given = (options.data, "--each", options.each, "--rows", options.rows)
        call = [sys.executable, __file__, *map(str, given), "--child"]
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        tree = str((options.before if before else ROOT).absolute())
        environment = {**os.environ, **threads, "PYTHONPATH": tree}
        subprocess.run(
            [*call, output.name.split("-")[0], what, output], check=True, env=environment
        )
    return json.loads(output.read_text("utf8"))


def child(options: argparse.Namespace, engine: str, what: str, output: str) -> None:
    """Answer in this process."""
    from spacy_gladis.pipeline.load import load_pipeline

    nlp = load_pipeline()
    linker: Any = nlp.get_pipe("acrobert_linker")
    disambiguator = linker.open()
    if engine == "torch":
        from spacy_gladis.modeling.engines.torch import TorchEncoder

        model = disambiguator.model
        model.encoder = TorchEncoder(model.weights, "cpu")
    passages = texts_of(options.data / "passages" / "dev.jsonl")
    if what != "answers":
        nlp(passages[0])
        found: Any = {}
        for name in ("first_pass", "second_pass"):
            began = time.process_time()
            mentions = sum(len(doc._.acronyms) for doc in nlp.pipe(passages, batch_size=32))
            found[name] = mentions / (time.process_time() - began)
    else:
        documents = texts_of(options.data / "documents" / "dev.jsonl")[:: options.each]
        found = {
            "passages": annotated(nlp, passages),
            "documents": annotated(nlp, documents),
            "gladis": asked(disambiguator, options.data / "gladis", options.rows),
        }
    Path(output).write_text(json.dumps(found), "utf8")


def texts_of(path: Path) -> list[str]:
    """The texts of labelled passages or documents."""
    return [json.loads(line)["text"] for line in path.read_text("utf8").splitlines()]


def annotated(nlp: Any, texts: Sequence[str]) -> list[Answer]:
    """The answer to each acronym of the texts."""
    answers = [one._.resolution for doc in nlp.pipe(texts, batch_size=32) for one in doc._.acronyms]
    return [first(one.long_form, one.candidates) for one in answers]


def first(answer: str | None, candidates: Sequence[Any]) -> Answer:
    """What is answered, and how probable the best candidate is."""
    return (answer, float(candidates[0][1]) if candidates else 0.0)


def asked(disambiguator: Any, folder: Path, rows: int) -> list[Answer]:
    """The best candidate of rows of each set that has candidates of its own."""
    from spacy_gladis.research.disambiguation.gladis.sets import find_sets, with_counts
    from spacy_gladis.research.disambiguation.systems.acrobert import AcroBERTScorer

    scorer = AcroBERTScorer(disambiguator)
    answers: list[Answer] = []
    for one in find_sets(folder):
        if not one.own_dictionary:
            continue
        chosen = random.Random(0).sample(range(len(one.samples)), min(rows, len(one.samples)))
        taken = with_counts(one.take(chosen), "dictionary", disambiguator.dictionary)
        probabilities = scorer.predict(taken.samples, taken.candidates)
        for options, likely in zip(taken.candidates, probabilities, strict=True):
            best = int(likely.argmax()) if len(likely) else -1
            answers.append((options[best].long_form, float(likely[best])) if options else (None, 0))
    return answers


def compared(ours: dict[str, list[Answer]], theirs: dict[str, list[Answer]]) -> dict[str, Any]:
    """How many answers differ, and by how much the probabilities do at the most."""
    figures = {}
    for name, answers in ours.items():
        pairs = list(zip_longest(answers, theirs[name], fillvalue=("absent", -1.0)))
        figures[name] = {
            "answers": len(pairs),
            "other_first_answers": sum(one[0] != other[0] for one, other in pairs),
            "largest_difference": max(abs(one[1] - other[1]) for one, other in pairs),
        }
    return figures


if __name__ == "__main__":
    main()
