"""What a system for disambiguation offers, and the registry of those there are."""

from collections.abc import Sequence

from ....arrays import Doubles
from ....dictionary import Candidate
from ...datasets.sample import Sample
from ..registry import Registry
from ..system import System
from .data import Question, Training


class DisambiguationSystem(System[Training, Question, Doubles]):
    """A system that scores the candidates of each question; the largest score is its answer.

    A subclass overrides `predict`, or `score` to answer one by one.
    """

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Score the candidates of each question, in their order, float64 [candidates]."""
        return [self.score(one.sample, one.candidates) for one in questions]

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Score the candidates of one question, float64 [candidates]."""
        raise NotImplementedError


SYSTEMS: Registry[DisambiguationSystem] = Registry(f"{__package__}.systems")
