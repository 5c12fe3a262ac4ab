"""Every metric of the field's papers, exact to its publisher's scorer."""

from .bootstrap import Interval, bootstrap_intervals
from .calibration import expected_calibration_error, precision_at_coverage, risk_coverage
from .disambiguation import DisambiguationScores, score_disambiguation
from .equal_wordings import EqualWordings, read_equal_wordings
from .identification import (
    PRF,
    IdentificationScores,
    precision_recall_f1,
    score_labels,
    score_offsets,
)
from .linking import LinkingScores, gold_rank, score_linking
from .similarity_intervals import by_interval, by_quartile
from .verification import VerificationScores, score_verification

__all__ = [
    "PRF",
    "DisambiguationScores",
    "EqualWordings",
    "IdentificationScores",
    "Interval",
    "LinkingScores",
    "VerificationScores",
    "bootstrap_intervals",
    "by_interval",
    "by_quartile",
    "expected_calibration_error",
    "gold_rank",
    "precision_at_coverage",
    "precision_recall_f1",
    "read_equal_wordings",
    "risk_coverage",
    "score_disambiguation",
    "score_labels",
    "score_linking",
    "score_offsets",
    "score_verification",
]
