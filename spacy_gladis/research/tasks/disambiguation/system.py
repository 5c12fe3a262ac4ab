"""The interface of systems for disambiguation, and their registry."""

from collections.abc import Sequence

from ....arrays import Doubles
from ....dictionary import Candidate
from ...datasets.sample import Sample
from ..registry import Registry
from ..system import System
from .data import Question, Training


class DisambiguationSystem(System[Training, Question, Doubles]):
    """A system that scores the candidates of each question. The largest score is its answer.

    A subclass overrides `predict`, or `score` to answer one question at a time.
    """

    def answer(self, question: Question) -> Doubles:
        """Score the candidates of a question.

        Args:
            question: The question.

        Returns:
            Scores, float64 [candidates].
        """
        return self.score(question.sample, question.candidates)

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Score the candidates of a sample.

        Args:
            sample: The mention in its context.
            candidates: The acronym's candidates.

        Returns:
            Scores, float64 [candidates].
        """
        raise NotImplementedError


SYSTEMS: Registry[DisambiguationSystem] = Registry(f"{__package__}.systems")
