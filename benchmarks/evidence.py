"""What each piece of evidence is worth: accuracy with all of it, and with each left out.

    python benchmarks/evidence.py ../shared/benchmarks/gladis

GLADIS's sets with their own candidates take the packaged dictionary's counts and the weights for
given candidates; those without are put to the packaged dictionary, with the weights for a text's
only acronym, and none is refused an answer.
"""

import argparse
from dataclasses import asdict, replace
from pathlib import Path

import torch
from measuring import RESULTS, write_results

from spacy_gladis.arrays import Floats
from spacy_gladis.dictionary import Dictionary
from spacy_gladis.linking import AcroBERT, Calibration, Linker
from spacy_gladis.linking.calibration import FEATURES
from spacy_gladis.research.tasks.disambiguation.sets import EvaluationSet, read_sets, with_counts
from spacy_gladis.research.tasks.disambiguation.systems.acrobert import as_mentions

RESULT = RESULTS / "evidence.json"


def main() -> None:
    """Measure and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", type=Path)
    parser.add_argument("--model", type=Path, help="default: the packaged weights")
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    torch.set_num_threads(1)
    dictionary = Dictionary.open()
    model = AcroBERT.load(options.model)
    linker = Linker(model, dictionary)
    settings = model.settings
    given, alone = settings.disambiguation_weights, settings.select_weights(is_alone=True)
    figures = {}
    for data in read_sets(options.sets, dictionary):
        data = with_counts(data, "dictionary", dictionary)
        features, _ = linker.compute_features(as_mentions(data.samples), data.candidates)
        ways = without_each(given if data.own_dictionary else alone)
        figures[data.name] = {name: accuracy(way, features, data) for name, way in ways.items()}
        print(data.name, figures[data.name], flush=True)
    weights = {"candidates given": asdict(given), "put to the dictionary": asdict(alone)}
    write_results(options.output, {"weights": weights, "accuracy": figures})


def without_each(calibration: Calibration) -> dict[str, Calibration]:
    """The weights as they are, and with one of them 0."""
    weighed = [name for name in FEATURES if getattr(calibration, name)]
    left_out = {f"without {name}": replace(calibration, **{name: 0.0}) for name in weighed}
    return {"all": calibration, **left_out}


def accuracy(calibration: Calibration, features: list[Floats], data: EvaluationSet) -> float:
    """The share of rows, in percent, whose best candidate is the right one."""
    right = sum(
        len(rows) > 0 and int(calibration.logits(rows).argmax()) == gold
        for rows, gold in zip(features, data.gold, strict=True)
    )
    return round(100 * right / len(features), 1)


if __name__ == "__main__":
    main()
