"""The interface of systems, which learn from training data and answer the questions of a task."""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

Training = TypeVar("Training")
"""Type of the argument of `fit`, which contains the training and development data."""
Question = TypeVar("Question")
"""Type of a question, which `predict` answers. A question does not contain its right answer."""
Answer = TypeVar("Answer")


class System(Generic[Training, Question, Answer]):
    """Base class of systems that can be evaluated on a task.

    A system learns from the training part of a data set, then answers its test questions. It is a
    dataclass whose fields are its settings. The record of a result contains all settings. A field
    that is annotated with one of the types of `tasks/options.py` can be set on the command line. If
    a system has a field called `seed`, the runner runs it once for each seed.

    A subclass overrides either `answer`, which processes one question at a time, or `predict`,
    which processes all of them.
    """

    def fit(self, training: Training) -> None:
        """Train the system, and load the models and other resources that it needs.

        The runner calls this method once before `predict`. By default, it does nothing.

        Args:
            training: The training and development parts of the data set. A system may use the
                development part to choose among settings or to stop the training early.

        Raises:
            InputError: If the system cannot learn from this data.
        """

    def predict(self, questions: Sequence[Question]) -> Iterable[Answer]:
        """Answer all test questions of a data set.

        By default, `answer` is called for each question.

        Args:
            questions: The test questions, without their right answers.

        Returns:
            An answer to each question, in the order of the questions.
        """
        return [self.answer(question) for question in questions]

    def answer(self, question: Question) -> Answer:
        """Answer one test question of a data set.

        Args:
            question: The question, without its right answer.

        Returns:
            The system's answer, in the form that the task's metric expects.

        Raises:
            NotImplementedError: If a subclass overrides neither this method nor `predict`.
        """
        raise NotImplementedError
