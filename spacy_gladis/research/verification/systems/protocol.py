"""What a system for target sense verification offers, and the lower bound: always yes."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ....arrays import Doubles
from ...datasets.wic_tsv import TargetSense


class Verifier(Protocol):
    """A system that learns from answered target senses and answers others."""

    def fit(self, senses: Sequence[TargetSense], labels: Sequence[bool], seed: int) -> None:
        """Learn anew; the same seed gives the same system."""

    def predict(self, senses: Sequence[TargetSense]) -> Doubles:
        """For each the probability, 0..1, that the target has this sense; 0.5 and more is yes."""


class AlwaysTrue:
    """Answers yes, whatever it is asked (WiC-TSV's own lower bound)."""

    def fit(self, senses: Sequence[TargetSense], labels: Sequence[bool], seed: int) -> None:
        """Nothing to learn."""

    def predict(self, senses: Sequence[TargetSense]) -> Doubles:
        """1 for each."""
        return np.ones(len(senses))
