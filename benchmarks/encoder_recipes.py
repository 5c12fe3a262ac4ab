"""What other recipes for the encoder are worth, beside the packaged weights.

    python benchmarks/encoder_recipes.py samples.jsonl --sets ../shared/benchmarks/gladis \\
        --model terms=runs/terms/model --model ranking=runs/ranking/model --work runs/contexts

Every model gets a memory of the same contexts, of the senses that the sets' candidates have, and
answers the sets' rows by the cosine of context and long form alone, and by all evidence with
weights fitted on the other acronyms, in five folds; every candidate's long form is read. A model
`NAME` is also measured as `NAME averaged`: each weight the mean of its own and of the packaged one,
with the packaged classifier of sources.
"""

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import torch
from measuring import RESULTS, write_results

from spacy_gladis.dictionary import Dictionary
from spacy_gladis.modeling import AcroBERT, Disambiguator, mention_evidence
from spacy_gladis.modeling.calibration import FEATURES
from spacy_gladis.modeling.coded_vectors import StoredVectors, sense_key
from spacy_gladis.research.datasets.sample import Sample, read_samples
from spacy_gladis.research.disambiguation.gladis.sets import EvaluationSet, read_sets, with_counts
from spacy_gladis.research.disambiguation.texts.lone import (
    ClosedQuestion,
    closed_questions,
    cross_validate_closed,
)
from spacy_gladis.research.training.memory import extend

RESULT = RESULTS / "encoder_recipes.json"

ALL = 10**6
"""Rows of a set that are asked: there are fewer."""

FOLDS = 5


def main() -> None:
    """Measure and write the result after each model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("samples", type=Path)
    parser.add_argument("--sets", type=Path, required=True)
    parser.add_argument("--model", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--work", type=Path, required=True, help="keeps the contexts' vectors")
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    trained = dict(one.split("=", 1) for one in options.model if "=" in one)
    if len(trained) < len(options.model) or "packaged" in trained:
        parser.error("--model takes NAME=FOLDER, every NAME once, and not 'packaged'")
    for folder in trained.values():
        AcroBERT.load(folder)  # a wrong one is told before an hour of reading
    mention_evidence.READ, mention_evidence.BEHIND = ALL, math.inf
    torch.set_num_threads(1)
    dictionary = Dictionary.open()
    sets = [
        with_counts(one, "dictionary", dictionary)
        for one in read_sets(options.sets, dictionary)
        if one.own_dictionary
    ]
    samples = list(of_sets(read_samples(options.samples), sets))
    rows = {one.name: len(one.samples) for one in sets}
    described = {"rows": rows, "samples": len(samples), "folds": FOLDS}
    options.work.mkdir(parents=True, exist_ok=True)
    for name, model in models(trained):
        if name in known(options.output, described):
            continue
        made = extend(model, samples, dictionary, options.work)
        questions = closed_questions(Disambiguator(made, dictionary), sets, ALL)
        figures = {
            "cosine": by_cosine(questions),
            "all evidence": cross_validate_closed(questions, FOLDS),
        }
        print(name, figures, flush=True)
        accuracy = {**known(options.output, described), name: figures}
        write_results(options.output, {**described, "accuracy": accuracy})
    accuracy = known(options.output, described)
    write_results(options.output, {**described, "accuracy": accuracy})


def known(path: Path, described: dict[str, Any]) -> dict[str, Any]:
    """What was measured before on the same rows: it is not measured again."""
    found = json.loads(path.read_text("utf8")) if path.is_file() else {}
    same = all(found.get(name) == value for name, value in described.items())
    return dict(found["accuracy"]) if same and found else {}


def models(trained: dict[str, str]) -> Iterator[tuple[str, AcroBERT]]:
    """Each model by itself and averaged with the packaged one, then the packaged one.

    None has stored vectors of long forms: they would be those of the packaged weights.
    """
    packaged = AcroBERT.load()
    packaged.stored = StoredVectors.empty()
    for name, folder in trained.items():
        model = AcroBERT.load(folder)
        yield name, model
        own, mixed = model.module.state_dict(), packaged.module.state_dict()
        for part in mixed:
            if not part.startswith("domain."):
                mixed[part] = (own[part] + mixed[part]) / 2
        averaged = copy(packaged)
        averaged.module = deepcopy(packaged.module)
        averaged.module.load_state_dict(mixed)
        yield f"{name} averaged", averaged
    yield "packaged", packaged


def of_sets(samples: Iterator[Sample], sets: Sequence[EvaluationSet]) -> Iterator[Sample]:
    """The samples of the candidates' senses."""
    names = {one.long_form for found in sets for options in found.candidates for one in options}
    wanted = {sense_key(name) for name in names}
    return (sample for sample in samples if sense_key(sample.long_form) in wanted)


def by_cosine(questions: Sequence[ClosedQuestion]) -> dict[str, float]:
    """The share of each set's questions whose right candidate is nearest, in percent."""
    column = FEATURES.index("cosine")
    found: dict[str, list[bool]] = {}
    for one in questions:
        nearest = int(one.features[:, column].argmax())
        found.setdefault(one.name, []).append(nearest in one.right)
    return {name: round(100 * float(np.mean(right)), 1) for name, right in sorted(found.items())}


if __name__ == "__main__":
    main()
