"""A small scoring network, trained on random features."""

from dataclasses import replace

import numpy as np

from spacy_gladis.dictionary import Candidate
from spacy_gladis.linking.calibration import FEATURES, Calibration, ScoringNetwork
from spacy_gladis.linking.candidates import compute_nil_features
from spacy_gladis.linking.features import COSINE
from spacy_gladis.research.training.scoring import ScoringExample, fit_network
from tests.support.questions import evidence_for

ACRONYMS = ("AI", "ct", "mRNA", "NASA", "c/o", "B2B")


def make_network() -> ScoringNetwork:
    """Return a network whose best candidate has the highest cosine.

    All features and questions of its training vary, so that it gives no extreme scores in a text.
    """
    return fit_network([_make_example(seed) for seed in range(200)], Calibration(), hidden=8)


def _make_example(seed: int) -> ScoringExample:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 6))
    table = rng.normal(size=(count, len(FEATURES))).astype(np.float32)
    options = [Candidate(f"form {row}", {}, 0, -1) for row in range(count)]
    question = evidence_for(options, table, acronym=ACRONYMS[seed % len(ACRONYMS)]).question
    words, mentions = int(rng.integers(4, 400)), int(rng.integers(1, 4))
    question = replace(question, nil=compute_nil_features(count, words, mentions))
    return ScoringExample(question, table, table[:, COSINE] == table[:, COSINE].max(), 1.0)
