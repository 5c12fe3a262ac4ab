"""The interface of systems for disambiguation, and their registry."""

from collections.abc import Sequence

from ....arrays import Doubles
from ....dictionary import Candidate
from ...datasets.sample import Sample
from ..registry import Registry
from ..system import System
from .data import Question, Training


class DisambiguationSystem(System[Training, Question, Doubles]):
    """A system that scores each mention's candidates, of which the largest score is the answer.

    A subclass overrides `predict`, or `score` to process one mention at a time.
    """

    def answer(self, question: Question) -> Doubles:
        """Score the candidates of a mention.

        Args:
            question: The mention and its candidates.

        Returns:
            Scores, float64 [candidates].
        """
        return self.score(question.sample, question.candidates)

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Score the candidates of a mention.

        Args:
            sample: The mention in its context.
            candidates: The acronym's candidates.

        Returns:
            Scores, float64 [candidates].
        """
        raise NotImplementedError


SYSTEMS: Registry[DisambiguationSystem] = Registry(f"{__package__}.systems")
