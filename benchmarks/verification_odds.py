"""Fit the odds of one sense to the packaged weights, on acronyms that they were not trained on.

    python benchmarks/verification_odds.py SAMPLES

SAMPLES are the training samples, held-out acronyms included. `spacy-gladis train memory` does the
same for weights that are trained anew. Only figures are written, no text.
"""

import argparse
from dataclasses import asdict
from pathlib import Path

from measuring import RESULTS, write_results

from spacy_gladis.linking import AcroBERT
from spacy_gladis.research.training.run import samples_of
from spacy_gladis.research.training.sense_calibration import calibrate_sense


def main() -> None:
    """Fit the odds and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", type=Path)
    parser.add_argument("--model", type=Path, help="AcroBERT's folder; default: packaged")
    arguments = parser.parse_args()
    model = AcroBERT.load(arguments.model)
    fitted, figures = calibrate_sense(model, samples_of(arguments.samples, held_out=True))
    write_results(RESULTS / "verification_odds.json", {**asdict(fitted), **figures})


if __name__ == "__main__":
    main()
