"""What other recipes for the encoder are worth, beside the packaged weights.

    python benchmarks/encoder_recipes.py samples.jsonl --sets ../shared/benchmarks/gladis \\
        --model terms=runs/terms/model --model ranking=runs/ranking/model --work runs/contexts

Every model gets a memory of the same contexts, of the senses that the sets' candidates have, and
answers the sets' rows by the cosine of context and long form alone, and by all evidence with
weights fitted on the other acronyms, in five folds. A model `NAME` is also measured as
`NAME averaged`: each weight the mean of its own and of the packaged one.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from measuring import RESULTS, write_results

from spacy_gladis.dictionary import Dictionary
from spacy_gladis.modeling import AcroBERT, Disambiguator
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
    torch.set_num_threads(1)
    dictionary = Dictionary.open()
    sets = [
        with_counts(one, "dictionary", dictionary)
        for one in read_sets(options.sets, dictionary)
        if one.own_dictionary
    ]
    samples = list(of_sets(read_samples(options.samples), sets))
    figures: dict[str, Any] = {}
    for name, model in models(options.model):
        work = options.work / name.replace(" ", "-")
        work.mkdir(parents=True, exist_ok=True)
        made = extend(model, samples, dictionary, work)
        questions = closed_questions(Disambiguator(made, dictionary), sets, ALL)
        figures[name] = {
            "cosine": by_cosine(questions),
            "all evidence": cross_validate_closed(questions, FOLDS),
        }
        print(name, figures[name], flush=True)
        rows = {one.name: len(one.samples) for one in sets}
        described = {"rows": rows, "samples": len(samples), "folds": FOLDS, "accuracy": figures}
        write_results(options.output, described)


def models(given: Sequence[str]) -> Iterator[tuple[str, AcroBERT]]:
    """The packaged model, then each of the others by itself and averaged with it."""
    yield "packaged", with_weights({})
    for one in given:
        name, _, folder = one.partition("=")
        own = AcroBERT.load(folder).module.state_dict()
        own = {part: own[part] for part in own if not part.startswith("domain.")}
        packaged = AcroBERT.load().module.state_dict()
        yield name, with_weights(own)
        yield f"{name} averaged", with_weights({p: (own[p] + packaged[p]) / 2 for p in own})


def with_weights(weights: dict[str, torch.Tensor]) -> AcroBERT:
    """The packaged model with other weights, and with no stored vectors of its own."""
    model = AcroBERT.load()
    model.module.load_state_dict(weights, strict=False)
    model.stored = StoredVectors.empty()
    return model


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
