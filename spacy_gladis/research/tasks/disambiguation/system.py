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

    A subclass overrides `predict`, or `score` to answer one by one: float64 [candidates].
    """

    def answer(self, question: Question) -> Doubles:
        """Score the candidates of a question, in their order."""
        return self.score(question.sample, question.candidates)

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Score the candidates of one sample."""
        raise NotImplementedError


SYSTEMS: Registry[DisambiguationSystem] = Registry(f"{__package__}.systems")
