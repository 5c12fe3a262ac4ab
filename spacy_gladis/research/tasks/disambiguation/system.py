"""The interface and the registry of systems that disambiguate acronyms."""

from collections.abc import Sequence

from ....arrays import Doubles
from ....dictionary import Candidate
from ...datasets.sample import Sample
from ..registry import Registry
from ..system import System
from .data import Question, Training


class DisambiguationSystem(System[Training, Question, Doubles]):
    """Base class of systems that disambiguate acronyms by scoring the candidates of each mention.

    The candidate with the largest score is the system's answer. A subclass overrides either
    `score`, which processes one mention at a time, or `predict`, which processes all of them.
    """

    def answer(self, question: Question) -> Doubles:
        """Score the candidates of a question by calling `score`.

        Args:
            question: A mention in its context, and its candidates.

        Returns:
            A score for each candidate, float64 [candidates], in the order of the candidates.
        """
        return self.score(question.sample, question.candidates)

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Score the candidate long forms of a mention.

        Args:
            sample: The mention in its context, without its right long form.
            candidates: Candidate long forms of the acronym. There is at least one.

        Returns:
            A score for each candidate, float64 [candidates], in the order of `candidates`. The
            largest score marks the system's answer.

        Raises:
            NotImplementedError: If a subclass overrides neither this method nor `predict`.
        """
        raise NotImplementedError


SYSTEMS: Registry[DisambiguationSystem] = Registry(f"{__package__}.systems")
