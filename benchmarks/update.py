"""What `nlp.update` teaches of new senses, and what it costs the old ones.

Needs nothing but the package:

    python benchmarks/update.py

Five acronyms get a new sense each, without any prior of own entries, and 200 labelled sentences of
them for three epochs, alone and with 200 sentences of the old senses mixed in. Asked are other
sentences of the new senses, the 200 of the old ones, and others of those.

With `--gladis ../shared/benchmarks/gladis` also the accuracy on UAD's development half (the rows of
every second acronym), before and after new and old senses were taught.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measuring import RESULTS, write_results

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.support.teaching import (
    BATCH,
    EPOCHS,
    Labelled,
    accuracy,
    make_pipeline,
    new_senses,
    old,
    other_old,
    train,
    training,
)


def measure(mixed: Sequence[Labelled]) -> dict[str, Any]:
    """Train on the new senses and what is mixed in; ask sentences of both before and after."""
    nlp = make_pipeline()
    examples = {"new": new_senses(), "old": old(), "other_old": other_old()}
    before = {name: accuracy(nlp, rows) for name, rows in examples.items()}
    start = time.process_time()
    losses = train(nlp, [*training(), *mixed])
    return {
        "mixed_in": len(mixed),
        "asked": {name: len(rows) for name, rows in examples.items()},
        "before": before,
        "after": {name: accuracy(nlp, rows) for name, rows in examples.items()},
        "losses": losses,
        "cpu_seconds": round(time.process_time() - start, 1),
    }


def main() -> None:
    """Measure the updates and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gladis", type=Path, help="the folder of the GLADIS sets, for UAD")
    options = parser.parse_args()
    result = {"epochs": EPOCHS, "batch": BATCH, "alone": measure([]), "mixed": measure(old())}
    if options.gladis:
        result["uad"] = uad(options.gladis)
    write_results(RESULTS / "update.json", result)


def uad(folder: Path) -> dict[str, Any]:
    """Accuracy on the half of UAD before and after, with the counts of the dictionary."""
    from spacy_gladis.dictionary import Dictionary
    from spacy_gladis.linking import Linker
    from spacy_gladis.metrics.disambiguation import score_disambiguation
    from spacy_gladis.pipeline.learn import linker_of
    from spacy_gladis.research.tasks.disambiguation.data import Question
    from spacy_gladis.research.tasks.disambiguation.sets import read_sets, with_counts
    from spacy_gladis.research.tasks.disambiguation.systems.acrobert import PackagedAcroBERT
    from spacy_gladis.text import merge_key

    dictionary, nlp = Dictionary.open(), make_pipeline()
    [evaluation_set] = [data for data in read_sets(folder, dictionary) if data.name == "uad"]
    evaluation_set = with_counts(evaluation_set, "dictionary", dictionary)
    half = set(sorted({sample.acronym for sample in evaluation_set.samples})[::2])
    evaluation_set = evaluation_set.take(
        row for row, sample in enumerate(evaluation_set.samples) if sample.acronym in half
    )
    samples = evaluation_set.samples
    questions = list(map(Question, samples, evaluation_set.candidates))
    system = PackagedAcroBERT()
    system.linker = Linker(linker_of(nlp).open().model, dictionary)

    def accuracy_of_all() -> float:
        predicted = [
            merge_key(question.candidates[int(scores.argmax())].long_form) if len(scores) else None
            for question, scores in zip(questions, system.predict(questions), strict=True)
        ]
        gold = [merge_key(sample.long_form) for sample in samples]
        return round(score_disambiguation(gold, predicted).accuracy, 4)

    before = accuracy_of_all()
    train(nlp, [*training(), *old()])
    return {
        "rows": len(samples),
        "before": before,
        "after": accuracy_of_all(),
    }


if __name__ == "__main__":
    main()
