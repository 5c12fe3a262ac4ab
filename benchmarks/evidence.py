"""What each piece of evidence is worth: accuracy with all of it, and with each left out.

    python benchmarks/evidence.py ../shared/benchmarks/gladis

GLADIS's sets with their own candidates take the packaged dictionary's counts; those without are put
to the packaged dictionary.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import torch
from measuring import RESULTS, write_results

from spacy_gladis.dictionary import Dictionary
from spacy_gladis.evaluation.gladis.priors import with_counts
from spacy_gladis.evaluation.gladis.sets import EvaluationSet, read_sets
from spacy_gladis.modeling import AcroBERT, Calibration, Disambiguator, Mention
from spacy_gladis.modeling.calibration import FEATURES, Floats

RESULT = RESULTS / "evidence.json"
CHUNK = 64


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
    linker = Disambiguator(model, dictionary, scorer="retriever")
    calibration = model.settings.calibration
    weights = {name: getattr(calibration, name) for name in FEATURES}
    ways = {"all": calibration}
    ways |= {f"without {n}": replace(calibration, **{n: 0.0}) for n, w in weights.items() if w}
    figures = {}
    for one in read_sets(options.sets, dictionary):
        asked = with_counts(one, "dictionary", dictionary)
        features = features_of(linker, asked)
        figures[one.name] = {name: accuracy(way, features, asked) for name, way in ways.items()}
        print(one.name, figures[one.name], flush=True)
    write_results(options.output, {"weights": weights, "accuracy": figures})


def features_of(linker: Disambiguator, asked: EvaluationSet) -> list[Floats]:
    """The features of each row's candidates, some rows at a time."""
    mentions = [Mention(s.acronym, s.text, s.start, s.end) for s in asked.samples]
    starts = range(0, len(mentions), CHUNK)
    chunks = (
        linker.features(mentions[i : i + CHUNK], asked.candidates[i : i + CHUNK]) for i in starts
    )
    return [features for chunk in chunks for features in chunk]


def accuracy(calibration: Calibration, features: list[Floats], asked: EvaluationSet) -> float:
    """The share of rows, in percent, whose best candidate is the right one."""
    right = sum(
        len(rows) > 0 and int(calibration.logits(rows).argmax()) == gold
        for rows, gold in zip(features, asked.gold, strict=True)
    )
    return round(100 * right / len(features), 1)


if __name__ == "__main__":
    main()
