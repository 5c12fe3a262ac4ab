"""What a system for target sense verification offers, and the registry of those there are."""

from collections.abc import Sequence

from ....arrays import Doubles
from ...datasets.wic_tsv import TargetSense
from ..registry import Registry
from ..system import System
from .data import Training


class VerificationSystem(System[Training, TargetSense, float]):
    """A system that gives the probability that a target has a sense; 0.5 and more is yes.

    A subclass overrides `probabilities`.
    """

    def predict(self, questions: Sequence[TargetSense]) -> Sequence[float]:
        """Answer every question."""
        answers: list[float] = self.probabilities(questions).tolist()
        return answers

    def probabilities(self, senses: Sequence[TargetSense]) -> Doubles:
        """Return the probabilities, float64 [senses]."""
        raise NotImplementedError


SYSTEMS: Registry[VerificationSystem] = Registry(f"{__package__}.systems")
