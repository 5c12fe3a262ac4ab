"""Fit the odds of one sense to the packaged weights, on acronyms that they were not trained on.

    python benchmarks/verification_odds.py SAMPLES

SAMPLES are the training samples, held-out acronyms included. `spacy-gladis train export` does the
same for weights that are trained anew. Only figures are written, no text.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from spacy_gladis.files import writing
from spacy_gladis.modeling import AcroBERT
from spacy_gladis.research.training.run import held_out_samples
from spacy_gladis.research.training.sense_calibration import calibrate_sense

OUTPUT = Path("benchmarks/results/verification_odds.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", type=Path)
    parser.add_argument("--model", type=Path, help="AcroBERT's folder; default: packaged")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    model = AcroBERT.load(arguments.model)
    fitted, figures = calibrate_sense(model, held_out_samples(arguments.samples))
    results = {"command": " ".join(["python", *sys.argv]), **asdict(fitted), **figures}
    with writing(arguments.output) as temporary:
        temporary.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
